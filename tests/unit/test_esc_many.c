/* Stubborn sets again, with more transitions than there are bits in a word. */
#define TRANSITIONS 70
#define GRAPHS 600
#include "test_esc.c" // NOLINT: the same tests
