/* The same, with starting points from 0 up. */
#define ONAGER_FORWARD
#include "test_esc_many.c" // NOLINT: the same tests
