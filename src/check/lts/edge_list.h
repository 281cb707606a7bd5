/* edge_list.h: the edges of a state space in memory, with the actions that an observer sees; and the strong components
 * that they make. States have their numbers in the space. */
#ifndef CHECK_LTS_EDGE_LIST_H
#define CHECK_LTS_EDGE_LIST_H

#include <stdbool.h>
#include <stdint.h>

struct listed_edge {
    uint32_t action, target;
};

struct edge_list {
    struct listed_edge *edges;
    uint64_t count, room;
    struct edge_run {
        uint64_t begin;
        uint32_t count;
    } * runs; /* by state */
    uint32_t states;
    uint64_t state_room;
};

void edge_list_fini(struct edge_list *l);

/* Begins the edges of a state: the next new one, or one that is there already and gets others. */
void edge_list_begin(struct edge_list *l, uint32_t state);
void edge_list_add(struct edge_list *l, uint32_t state, uint32_t action, uint32_t target); /* of the one begun last */

/* The strong components, numbered so that edges lead to the same or lower numbers. To be freed. */
uint32_t *edge_list_components(const struct edge_list *l, uint32_t *count);

#endif
