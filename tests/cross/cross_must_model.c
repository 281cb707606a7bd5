/* The random model of cross_model.c, which says, too, which transitions may change must_progress. */
#include "cross_model.c"

CHANGES(must_progress) { return rm_may_change(the_model(), &the_model()->must, t); }
