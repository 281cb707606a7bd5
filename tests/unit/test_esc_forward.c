/* Stubborn sets again, with starting points from 0 up. */
#define ONAGER_FORWARD
#include "test_esc.c" // NOLINT: the same tests
