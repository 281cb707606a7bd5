/* pieces.h: components of a composite while it is being put together. */
#ifndef FSP_PIECES_H
#define FSP_PIECES_H

#include "fsp/relabel.h"
#include "net/network.h"

/* Those of the same group come from the same named composite: a relabelling that makes two labels of a group one must
 * not make its components synchronise on it. */
struct piece {
    char *name;
    struct lts lts;
    uint32_t group;
};

struct pieces {
    struct piece *at;
    uint32_t count, room;
    uint32_t groups; /* numbers given so far */
};

void pieces_init(struct pieces *p);
void pieces_fini(struct pieces *p);
void pieces_add(struct pieces *p, char *name, struct lts *l); /* takes both; a group of its own */
void pieces_shrink(struct pieces *p, uint32_t count);         /* drops all from there on */

/* The network of the pieces, which are taken from them. Inner labels are marked as such. */
void pieces_network(struct pieces *p, struct network *out);

/* All pieces from `from` on: their labels, their names, and relabelling with regard to groups. */
bool pieces_map(struct maker *m, struct pieces *p, uint32_t from, label_map *map, void *context, struct place at);
void pieces_rename(struct pieces *p, uint32_t from, const char *prefix);
bool pieces_relabel(struct maker *m, struct pieces *p, uint32_t from, const struct binding *env,
                    const struct relabel *relabels);

#endif
