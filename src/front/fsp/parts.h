/* parts.h: components of a composite while it is being put together. */
#ifndef FRONT_FSP_PARTS_H
#define FRONT_FSP_PARTS_H

#include "front/fsp/relabel.h"
#include "net/network.h"

/* Those of the same group come from the same named composite: a relabelling that makes two labels of a group one must not
 * make its components synchronise on it. */
struct part {
    char *name;
    struct lts lts;
    uint32_t group;
};

struct parts {
    struct part *at;
    uint32_t count, room;
    uint32_t groups; /* numbers given so far */
};

void fsp_parts_init(struct parts *p);
void fsp_parts_fini(struct parts *p);
void parts_add(struct parts *p, char *name, struct lts *l); /* takes both; a group of its own */
void parts_shrink(struct parts *p, uint32_t count);         /* drops all from there on */

/* The network of the parts, which are taken from them. Inner labels are marked as such. */
void parts_network(struct parts *p, struct network *out);

/* All parts from `from` on: their labels, their names, and relabelling with regard to groups. */
bool parts_map(struct maker *m, struct parts *p, uint32_t from, label_map *map, void *context, struct place at);
void parts_rename(struct parts *p, uint32_t from, const char *prefix);
bool parts_relabel(struct maker *m, struct parts *p, uint32_t from, const struct binding *env,
                   const struct relabel *relabels);

#endif
