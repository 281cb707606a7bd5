/* components_code.h: strong components by one depth-first search (Tarjan's algorithm), without recursion. One body for
 * all graphs whose nodes have numbers: a source file includes it for each kind of graph that it has, with
 *
 *     NAME(x)       x with the kind's name
 *     GRAPH         type of what the macros below need
 *     NODE, EDGE    unsigned types: of a node's number, or slot; of an edge: those of a node are e, e+1, ...
 *     NUMBER(x, v)  the number of node v, of type NODE, which may be assigned to; 0 at first
 *     ENTER(x, v, by, first, count)
 *                   sets *first and *count, the edges of v, to which edge `by` led; false: the search is given up
 *     COUNTS(x, v, e), TARGET(x, e)
 *                   whether edge e of node v counts, and where it leads
 *     CLOSE(x, members, n)
 *                   these n nodes are a component; gives each a number
 *     MORE(x)       room for one more frame and one more open node; false: there is none. If it is not defined, both
 *                   arrays double
 *
 * where x is the search and x->g the graph. The number of a node is 0 until it is met. While its component is not
 * complete, it is the complement of its place on the stack of open nodes: a node that came earlier has a greater
 * number. Then it is what CLOSE chooses, which must be less than the numbers of open nodes: n nodes have components
 * from 1 to n, and n is less than 2^31, or components are numbered as they are completed. So one comparison tells
 * whether an edge leads to an open node that came before all that are known to be reached.
 *
 * The order is a promise. Components are completed in an order in which no edge leads to a later one: whoever numbers
 * them as they come has the property that an edge never leads to a higher number. Roots are taken in the order of the
 * calls, edges in theirs, and nothing else decides; members come in the order in which they were met, the root of the
 * search in its component first.
 */
#include <assert.h>

struct NAME(frame) {
    EDGE next;     /* the edge to be looked at next */
    uint32_t left; /* so many are not looked at yet */
    NODE node, number;
    NODE low; /* the greatest number of an open node that is known to be reached from here, which came first of these */
};

struct NAME(search) {
    GRAPH *g;
    struct NAME(frame) * frames;
    NODE *open;
    uint64_t depth, frame_room;
    uint64_t opened, open_room;
};

#ifndef MORE
#define MORE(x) NAME(double)(x)
static inline bool NAME(double)(struct NAME(search) * x) {
    MAKE_ROOM(x->frames, x->depth, x->frame_room);
    MAKE_ROOM(x->open, x->opened, x->open_room);
    return true;
}
static inline void NAME(fini)(struct NAME(search) * x) {
    free(x->frames);
    free(x->open);
}
#endif

static inline bool NAME(enter)(struct NAME(search) * x, NODE v, EDGE by) {
    EDGE first;
    uint32_t count;
    if (!ENTER(x, v, by, &first, &count)) return false;
    if (count == 0) { /* a component on its own, without a place on the stack */
        CLOSE(x, &v, 1);
        return true;
    }
    if (__builtin_expect(x->depth == x->frame_room || x->opened == x->open_room, 0) && !MORE(x)) return false;
    assert(NUMBER(x, v) == 0); /* it was not met */
    NODE number = (NODE) ~(NODE)x->opened;
    x->open[x->opened++] = v;
    x->frames[x->depth++] = (struct NAME(frame)){first, count, v, number, number};
    NUMBER(x, v) = number;
    return true;
}

/* All edges of the last node of the path were followed. */
static inline void NAME(leave)(struct NAME(search) * x) {
    const struct NAME(frame) *f = &x->frames[--x->depth];
    if (f->low > f->number) {
        assert(x->depth > 0); /* what it reaches came before it, on the same path */
        struct NAME(frame) *before = &x->frames[x->depth - 1];
        if (f->low > before->low) before->low = f->low;
        return;
    }
    uint64_t first = (NODE)~f->number;
    assert(first < x->opened && x->open[first] == f->node); /* its place on the stack is still its own */
    CLOSE(x, x->open + first, x->opened - first);
    x->opened = first;
}

/* Follows edges of the last node of the path until one, *by, leads to a node, *to, that was not met. False: none
 * does. */
static inline bool NAME(follow)(struct NAME(search) * x, NODE *to, EDGE *by) {
    struct NAME(frame) *f = &x->frames[x->depth - 1];
    EDGE e = f->next;
    NODE low = f->low;
    uint32_t left = f->left;
    for (; left > 0; e++, left--) {
        if (!COUNTS(x, f->node, e)) continue;
        *to = TARGET(x, e);
        NODE number = NUMBER(x, *to);
        if (number == 0) break;
        if (number > low) low = number;
    }
    f->low = low;
    if (left == 0) return false;
    f->next = e + 1;
    f->left = left - 1;
    *by = e;
    return true;
}

/* All that is reached from a node that was not met; `by` is told ENTER. False: given up. */
static inline bool NAME(from)(struct NAME(search) * x, NODE root, EDGE by) {
    NODE v = root;
    for (;;) {
        if (!NAME(enter)(x, v, by)) return false;
        while (x->depth > 0 && !NAME(follow)(x, &v, &by)) NAME(leave)(x);
        if (x->depth == 0) return true;
    }
}

#undef NAME
#undef GRAPH
#undef NODE
#undef EDGE
#undef NUMBER
#undef ENTER
#undef COUNTS
#undef TARGET
#undef CLOSE
#undef MORE
