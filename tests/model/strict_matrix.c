/* An index that leaves its row is reported, though it is within the array, if the array is used by CELL.
 *
 * $ onager check strict_matrix.c
 *   error: column 4 of the array A, which has 4 columns (strict_matrix.c:24: if (t == 0) CELL(s->A, columns, 0, i) = 1;)
 * $ onager check strict_matrix.c -p transition=1
 *   error: row 3 of the array A, which has 3 rows (strict_matrix.c:25: if (t == 1) CELL(s->A, columns, i, 0) = 1;)
 * $ onager check strict_matrix.c -p transition=2
 *   holds, 5 states, 4 edges
 */
#include <onager.h>

PARAM(columns, 4)
PARAM(rows, 3)
PARAM(transition, 0)

#define STATE(var, array) array(3, A, rows * columns) var(4, i)
DEFINE_STATE(STATE)

static bool fire(state *s, unsigned t) {
    unsigned i = s->i;
    t += transition;
    if (t == 2 && i == 4) return false;
    s->i++;
    if (t == 0) CELL(s->A, columns, 0, i) = 1;
    if (t == 1) CELL(s->A, columns, i, 0) = 1;
    if (t == 2) CELL(s->A, columns, 2, i) = 1;
    return true;
}

MODEL(.transitions = 1, .fire = fire)
