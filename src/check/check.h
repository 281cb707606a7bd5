/* check.h: the checks, in order, and the answer.
 *
 *     construction   bad states, illegal deadlocks, terminal states without progress where these do not count as
 *                    progress, model errors, on the fly; depth-first, also whether termination is lost
 *     then           what is asked of all states, in the order of prop/list.h, one by one (check/property/)
 *
 * In random order (explore/swarm.h), only the first is done, and the answer is never "holds".
 *
 * The first violation ends it. Its counterexample is replayed on the unreduced system before it is believed. If
 * there is none, the answer is "holds" only if the reduction justifies it (prop/property.h).
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "prop/property.h"
#include "check/census.h"
#include "explore/engine.h"
#include "graph/fair/fair_cycle.h"
#include "graph/space.h"
#include "ts/trace.h"

struct questions {
    enum order order;         /* of the construction */
    enum state_engine engine; /* how states are kept */
    unsigned checks;          /* a union of enum property; PROP_TERMINATION: also without stubborn sets */
    bool no_termination;      /* do not check it with stubborn sets either */
    bool terminal_not_may;    /* terminal states do not count as may-progress states */
    bool terminal_not_must;
    const struct fair *fair; /* PROP_MUST: of executions that are fair in this way only; NULL: of all. No reductions and
                              * no checkpoints then */
    bool shortest;           /* PROP_MAY, PROP_MUST, PROP_TERMINATION, PROP_PROGRESS: show a shortest cycle
                              * (shortest_progress.h). Breadth-first, without reductions and fairness */
    uint32_t infinitely;     /* PROP_INFINITE: this transition */
    const bool *finitely;    /* and none of these, one for each transition */
    bool *made;              /* `finitely`, if questions_options has made it */
    /* What the options of a property say, as they say it; NULL: nothing (prop/list.h: ASK, OF). */
    const char *what[PROP_COUNT], *besides[PROP_COUNT];
    uint64_t seed;           /* ORDER_RANDOM */
    uint64_t depth;          /* ORDER_RANDOM: no execution has more steps; 0: no matter */
    bool no_audit;           /* trust hand-written rules */
    bool swaps;              /* with symmetry: show executions of representatives, and where the map changed them */
    bool coverage;           /* of a complete search: say what it has exercised */
    const char *certificate; /* if it holds: write one to this file; NULL: do not */
};

/* VERDICT_ERROR: a mistake in the model's code; VERDICT_INTERNAL: one of ours. */
enum verdict { VERDICT_HOLDS, VERDICT_VIOLATED, VERDICT_INCONCLUSIVE, VERDICT_ERROR, VERDICT_INTERNAL };

struct coverage;

struct answer {
    enum verdict verdict;
    enum property property; /* violated */
    unsigned checked;       /* what was checked, or was being checked */
    unsigned unchecked;     /* what was asked for, but needs all states, and some may be missing; not in `checked`.
                             * PROP_MODEL_ERROR: stubborn sets may have left some out; all else may hold */
    unsigned held;          /* inconclusive: what holds all the same, of what was checked */
    char *message;          /* what is wrong; inconclusive: why; NULL if it holds */
    const char *note;       /* something else that the user should know, or NULL */
    const char *one_thread; /* why more threads, which were asked for, made no difference; or NULL */
    const char *chosen;     /* --reduce auto: what was chosen and why; or NULL */
    bool proved;            /* no possible state is bad, so no reachable one (derive/derived.h) */
    struct trace trace;     /* count = 0: none */
    bool fired_known;       /* the search was complete, and it is known which transitions occurred; */
    uint32_t *never_fired, never_fired_count; /* ... the others */
    struct coverage *exercised;               /* NULL: it was not asked for, or the search was not complete */
    uint64_t states, edges, terminals, depth;
    double seconds;
    unsigned threads;
    enum store_kind store;
    bool exact;      /* no state was taken for another */
    double omitted;  /* expected number of states that were */
    double coverage; /* the share that was not, estimated */
    struct search_facts {
        enum order order;
        /* ORDER_RANDOM; see struct swarm_result */
        uint64_t seed, visited, walks, searches;
        double distinct, coverage;
        bool found; /* an error: by this walk or search of this thread */
        bool by_walk;
        unsigned thread;
        uint64_t run;
    } search;
    bool refused;              /* the checkpoint cannot be used: nothing was searched */
    bool saved;                /* a checkpoint was written, and a limit has ended the search */
    struct problem checkpoint; /* why the last one could not be written, if so */
    struct ltl_facts {
        char *formula; /* NULL: it was not about one */
        char *file;    /* of a given automaton; or NULL */
        const char *algorithm;
        bool testing;  /* automaton */
        bool stubborn; /* with stubborn sets */
        uint32_t automaton_states;
        uint64_t twice; /* states of the product that were visited twice */
    } ltl;
    struct tester_facts {
        char *name;          /* NULL: there was no tester */
        const char *refines; /* the relation, if it was made of a specification of that name; or NULL */
        const char *algorithm;
        const char *error; /* "illegal trace", "illegal stable failure", ...; NULL: none */
        char *absent;      /* actions of its alphabet that never occur, as a list; NULL: none */
        uint32_t states;
        uint64_t twice; /* states of the product that were visited twice */
        bool stubborn;
    } tester;
    struct symbolic_facts {
        char *states, *edges, *terminals; /* decimal numbers; NULL: states were not kept as decision diagrams */
        const char *order;                /* of the levels */
        uint32_t levels;
        uint64_t nodes, most; /* of all states; at most, of all that was there at one time */
    } symbolic;
    struct audit_facts {
        bool obligations, symmetry; /* hand-written rules of these kinds were relied on */
        uint64_t states, checks;    /* audited */
        const char *skipped;        /* why they were not, or not to the end; or NULL */
    } audit;
    struct census census;       /* if the system has actions */
    struct problem certificate; /* why none was written, though it holds and one was asked for */
};

/* Reads q->what and q->besides of the properties that are asked. False: they make no sense. To be freed in any case. */
bool questions_options(struct questions *q, struct ts *ts, struct ts_worker *w, struct problem *why);
void questions_fini(struct questions *q);

void check_run(struct answer *a, struct ts *ts, struct ts_worker *w, const struct questions *q,
               const struct limits *limits, const struct means *means, const struct ticker *ticker);
void answer_fini(struct answer *a);

#endif
