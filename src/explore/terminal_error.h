/* terminal_error.h: what is wrong with a terminal state: one answer for all orders of search.
 *
 * What is asked is in struct bfs_goals, and is asked in this order: any terminal state is a goal; check_deadlock; then
 * progress. A terminal state that is no progress state violates progress where terminal states do not count as progress
 * by themselves, since nothing comes after it (STOP Theorem 5: in an always may-terminating model there is no other
 * violation of may progress). So it is found on the fly, as a deadlock is.
 */
#ifndef EXPLORE_TERMINAL_ERROR_H
#define EXPLORE_TERMINAL_ERROR_H

#include "explore/bfs.h"

/* STOP_DONE: nothing is wrong; STOP_DEADLOCK; STOP_STUCK: it lacks a class of goals->at_ends; STOP_FAULT: *fault. */
enum stop_kind ends_look(const struct ts *ts, struct ts_worker *w, const word *state, const struct bfs_goals *goals,
                         struct ts_fault *fault);

/* Which of the classes (a union) the state lacks. False: model code failed: *fault. */
bool ends_lack(const struct ts *ts, struct ts_worker *w, const word *state, uint32_t classes, uint32_t *lacks,
               struct ts_fault *fault);

#endif
