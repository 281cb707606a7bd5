/* engine.h: the one table of engines: the ways to go through the states of a model, and those to look for an accepted
 * cycle in the product of a model and what watches it. Options, checks, notes about threads and refusals read its rows:
 * whoever adds an engine adds a row, and what it cannot do is refused, or told, by itself.
 *
 * How an engine of the product is run is in its row (cycles.h). But `graph` needs a second space, and those of the
 * model are told what to look for (bfs.h, dfs.h, swarm.h): they are called where their questions are asked.
 */
#ifndef EXPLORE_ENGINE_H
#define EXPLORE_ENGINE_H

#include <stdbool.h>

struct emptiness;

/* clang-format off */

/* In what order states of the model are looked at: --order. */
#define MODEL_ENGINES(X)                                                                                               \
    X(BFS, "bfs", .takes = ENGINE_THREADS | ENGINE_INEXACT | ENGINE_RESUMES)                                           \
    X(DFS, "dfs", .takes = ENGINE_INEXACT)                                                                             \
    X(RANDOM, "random", .takes = ENGINE_THREADS)

/* How a product is searched: --algorithm. */
#define PRODUCT_ENGINES(X)                                                                                             \
    /* nested depth-first search that ends early */                                                                    \
    X(NESTED, "nested", .then = "one-pass, then nested", .takes = ENGINE_INEXACT,                                      \
      .run = emptiness_nested, .run_tester = emptiness_nested_edges)                                                   \
    /* as it was published first */                                                                                    \
    X(CVWY, "cvwy", .then = "one-pass, then cvwy", .takes = ENGINE_INEXACT,                                            \
      .run = emptiness_nested, .run_tester = emptiness_nested_edges)                                                   \
    /* strong components */                                                                                            \
    X(TARJAN, "tarjan", .then = "one-pass, then tarjan", .takes = ENGINE_INEXACT | ENGINE_FAIR,                        \
      .run = emptiness_tarjan, .run_tester = emptiness_tarjan)                                                         \
    /* livelocks of a testing automaton; then, if it has infinite acceptance as well, strong components */             \
    X(ONE_PASS, "one-pass", .takes = ENGINE_INEXACT,                                                                   \
      .run = emptiness_one_pass, .run_tester = emptiness_one_pass)                                                     \
    /* the whole product, by all threads; then strong components */                                                    \
    X(LEVELS, "levels", .takes = ENGINE_THREADS | ENGINE_FAIR | ENGINE_SHORTEST,                                       \
      .run = emptiness_levels, .run_tester = emptiness_levels)                                                         \
    /* the graph of the model, by all threads; then the product, on numbers: graph_product.h */                        \
    X(GRAPH, "graph", .takes = ENGINE_THREADS)

/* How the states of a model are kept: --engine. */
#define STATE_ENGINES(X)                                                                                               \
    X(EXPLICIT, "explicit")  /* one by one */                                                                          \
    X(SYMBOLIC, "symbolic")  /* as decision diagrams: symbolic/system.h */

/* clang-format on */

/* What an engine can do. */
enum engine_takes {
    ENGINE_THREADS = 1,  /* it has more than one */
    ENGINE_INEXACT = 2,  /* states may be taken for others: --store, --overflow */
    ENGINE_RESUMES = 4,  /* it goes on from checkpoints */
    ENGINE_FAIR = 8,     /* it can look for fair cycles only */
    ENGINE_SHORTEST = 16 /* it can look for a shortest cycle */
};

enum order {
#define ORDER_NUMBER(id, ...) ORDER_##id,
    MODEL_ENGINES(ORDER_NUMBER)
#undef ORDER_NUMBER
};

enum state_engine {
#define STATES_NUMBER(id, ...) STATES_##id,
    STATE_ENGINES(STATES_NUMBER)
#undef STATES_NUMBER
};

enum ltl_algorithm {
    LTL_DEFAULT, /* one-pass if the automaton is a testing automaton without infinite acceptance; else tarjan; after a
                  * number of states, graph, if that can be */
#define ALGORITHM_NUMBER(id, ...) LTL_##id,
    PRODUCT_ENGINES(ALGORITHM_NUMBER)
#undef ALGORITHM_NUMBER
};

/* Their names, each after a blank. */
#define ENGINE_WORD(id, name, ...) " " name
#define STATES_WORDS (STATE_ENGINES(ENGINE_WORD))
#define ORDER_WORDS (MODEL_ENGINES(ENGINE_WORD))
#define ALGORITHM_WORDS (PRODUCT_ENGINES(ENGINE_WORD))

struct engine {
    const char *name; /* on the command line and in JSON */
    const char *then; /* after a search for livelocks */
    unsigned takes;   /* enum engine_takes */
    void (*run)(struct emptiness *x);
    void (*run_tester)(struct emptiness *x);
};

const struct engine *engine_of_order(enum order order);
/* LTL_DEFAULT: NULL. */
const struct engine *engine_of_algorithm(enum ltl_algorithm algorithm);

/* May be asked of LTL_DEFAULT, too, which can do it all: it chooses. */
bool algorithm_takes(enum ltl_algorithm algorithm, enum engine_takes what);
/* The names of those that can, as "a or b". To be freed. */
char *algorithms_that_take(enum engine_takes what);

#endif
