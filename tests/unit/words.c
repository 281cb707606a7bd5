#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

uint32_t (*words_random)(uint32_t below);

/* ---- Words ---- */

bool words_all(int propositions, int longest, bool (*f)(const struct word *w, void *context), void *context) {
    for (int length = 1; length <= longest; length++) {
        uint64_t count = UINT64_C(1) << (propositions * length), letter = (UINT64_C(1) << propositions) - 1;
        for (uint64_t code = 0; code < count; code++) {
            struct word w = {.length = length};
            for (int i = 0; i < length; i++) w.at[i] = code >> (propositions * i) & letter;
            for (w.back = -1; w.back < length; w.back++)
                if (!f(&w, context)) return false;
        }
    }
    return true;
}

struct word word_random(int propositions, int longest, bool finite) {
    struct word w = {.length = 1 + (int)words_random((uint32_t)longest)};
    uint64_t last = words_random(1u << propositions);
    for (int i = 0; i < w.length; i++) {
        if (words_random(3) > 0) last = words_random(1u << propositions);
        w.at[i] = last;
    }
    w.back = finite ? -1 : (int)words_random((uint32_t)w.length);
    return w;
}

static bool append(struct word *w, uint64_t letter) {
    if (w->length == LONGEST_WORD) return false;
    w->at[w->length++] = letter;
    return true;
}

/* Walks once or twice around the cycle, so that its end and its beginning may differ, too. */
struct word word_stuttered(const struct word *w) {
    for (int tries = 0; tries < 50; tries++) {
        struct word out = {.back = -1};
        bool fine = true;
        int rounds = w->back >= 0 ? 1 + (int)words_random(2) : 1, cycle = w->back >= 0 ? w->length - w->back : 0;
        int end = w->length + (rounds - 1) * cycle;
        for (int i = 0; i < end && fine; i++) {
            int k = i < w->length ? i : w->back + (i - w->back) % cycle;
            bool first_of_cycle = w->back >= 0 && i == end - cycle;
            if (first_of_cycle) out.back = out.length;
            bool again = out.length > 0 && out.at[out.length - 1] == w->at[k];
            if (again && !first_of_cycle && words_random(2)) continue; /* left out: it was there just before */
            fine = append(&out, w->at[k]);
            while (fine && words_random(4) == 0) fine = append(&out, w->at[k]);
        }
        if (fine) return out;
    }
    return *w;
}

void word_print(const struct word *w) {
    printf("word:");
    for (int i = 0; i < w->length; i++) printf("%s %llu", i == w->back ? " (" : "", (unsigned long long)w->at[i]);
    printf(w->back >= 0 ? " )*\n" : " end\n");
}

static int next_of(const struct word *w, int i) {
    if (i + 1 < w->length) return i + 1;
    return w->back;
}

/* ---- Formulas ---- */

struct tree *tree_random(int operators, int propositions, bool next) {
    static const char unary[] = "!XFGFG", binary[] = "&|>=^UWRM&|UR";
    struct tree *t = memory_get_zeroed(sizeof *t);
    if (operators == 0) {
        t->op = words_random(12) == 0 ? (char)('0' + words_random(2)) : 'p';
        t->p = (int)words_random((uint32_t)propositions);
        return t;
    }
    if (words_random(5) < 2) {
        do t->op = unary[words_random(sizeof unary - 1)];
        while (t->op == 'X' && !next);
        t->left = tree_random(operators - 1, propositions, next);
        return t;
    }
    int left = (int)words_random((uint32_t)operators);
    t->op = binary[words_random(sizeof binary - 1)];
    t->left = tree_random(left, propositions, next);
    t->right = tree_random(operators - 1 - left, propositions, next);
    return t;
}

void tree_free(struct tree *t) {
    if (!t) return;
    tree_free(t->left);
    tree_free(t->right);
    free(t);
}

static const char *spelling(char op) {
    static const struct {
        char op;
        const char *ways[4];
    } all[] = {
        {'0', {"false", "0", "false", "0"}}, {'1', {"true", "1", "true", "1"}}, {'!', {"!", "~", "not ", "! "}},
        {'X', {"X", "X ", "X", "X "}},       {'F', {"F", "<>", "F ", "<> "}},   {'G', {"G", "[]", "G ", "[] "}},
        {'&', {"&", "&&", " and ", "/\\"}},  {'|', {"|", "||", " or ", "\\/"}}, {'>', {"->", "=>", " -> ", " => "}},
        {'=', {"<->", "<=>", "<->", "<=>"}}, {'^', {"^", " xor ", "^", "^"}},   {'U', {" U ", " U ", "U", " U"}},
        {'W', {" W ", "W", " W ", " W "}},   {'R', {" R ", " V ", "R", "V"}},   {'M', {" M ", "M", " M ", " M "}},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].op == op) return all[i].ways[words_random(4)];
    return "?";
}

void tree_print(const struct tree *t, char *text, size_t size) {
    char left[1000] = "", right[1000] = "";
    if (t->left) tree_print(t->left, left, sizeof left);
    if (t->right) tree_print(t->right, right, sizeof right);
    if (t->op == 'p') snprintf(text, size, "p%d", t->p);
    else if (t->right) snprintf(text, size, "(%s)%s(%s)", left, spelling(t->op), right);
    else if (t->left) snprintf(text, size, "%s(%s)", spelling(t->op), left);
    else snprintf(text, size, "%s", spelling(t->op));
}

/* Where the set of positions holds next. */
static unsigned next_holds(unsigned set, const struct word *w) {
    unsigned result = 0;
    for (int i = 0; i < w->length; i++)
        if (set >> next_of(w, i) & 1) result |= 1u << i;
    return result;
}

/* least: b or (a and next); else: b and (a or next) */
static unsigned fixpoint(bool least, unsigned a, unsigned b, unsigned all, const struct word *w) {
    unsigned set = least ? 0 : all, before;
    do {
        before = set;
        set = least ? b | (a & next_holds(set, w)) : b & (a | next_holds(set, w));
    } while (set != before);
    return set;
}

/* The positions where it holds. */
static unsigned holds_at(const struct tree *t, const struct word *w) {
    unsigned all = (1u << w->length) - 1, a = t->left ? holds_at(t->left, w) : 0, set = 0;
    unsigned b = t->right ? holds_at(t->right, w) : 0;
    switch (t->op) {
    case '0': return 0;
    case '1': return all;
    case 'p':
        for (int i = 0; i < w->length; i++) set |= (unsigned)(w->at[i] >> t->p & 1) << i;
        return set;
    case '!': return all & ~a;
    case 'X': return next_holds(a, w);
    case 'F': return fixpoint(true, all, a, all, w);
    case 'G': return fixpoint(false, 0, a, all, w);
    case '&': return a & b;
    case '|': return a | b;
    case '>': return (all & ~a) | b;
    case '=': return all & ~(a ^ b);
    case '^': return a ^ b;
    case 'U': return fixpoint(true, a, b, all, w);
    case 'W': return fixpoint(true, a, b, all, w) | fixpoint(false, 0, a, all, w);
    case 'R': return fixpoint(false, a, b, all, w);
    case 'M': return fixpoint(true, b, a & b, all, w);
    default: abort();
    }
}

bool tree_holds(const struct tree *t, const struct word *w) {
    struct word infinite = *w;
    if (w->back < 0) infinite.back = w->length - 1;
    return holds_at(t, &infinite) & 1;
}

/* ---- Automata ---- */

struct way {
    uint32_t to;
    uint64_t marks;
};

/* What all kinds have in common: after reading at[i], the automaton is in some state. */
struct reader {
    const void *automaton;
    uint32_t states, sets;
    const uint8_t *accept;
    /* Both list where it can be next, and with which marks; they say how many ways there are. */
    int (*start)(const void *automaton, uint64_t first, struct way *ways);
    int (*move)(const void *automaton, uint32_t s, uint64_t now, uint64_t next, struct way *ways);
};

struct walk {
    const struct reader *r;
    const struct word *w;
    bool *seen; /* [position * states + state] */
};

static void walk_from(struct walk *k, int i, uint32_t s) {
    struct way ways[64];
    if (k->seen[(uint32_t)i * k->r->states + s]) return;
    k->seen[(uint32_t)i * k->r->states + s] = true;
    int next = next_of(k->w, i);
    if (next < 0) return;
    int n = k->r->move(k->r->automaton, s, k->w->at[i], k->w->at[next], ways);
    for (int x = 0; x < n; x++) walk_from(k, next, ways[x].to);
}

/* Marks of all moves that begin and end in nodes that are reached from (i, s) and from which it is reached. */
static uint64_t marks_around(struct walk *forward, const struct reader *r, const struct word *w) {
    uint64_t marks = 0;
    struct way ways[64];
    for (int i = 0; i < w->length; i++)
        for (uint32_t s = 0; s < r->states; s++) {
            int next = next_of(w, i);
            if (!forward->seen[(uint32_t)i * r->states + s]) continue;
            int n = r->move(r->automaton, s, w->at[i], w->at[next], ways);
            for (int x = 0; x < n; x++)
                if (forward->seen[(uint32_t)next * r->states + ways[x].to]) marks |= ways[x].marks;
        }
    return marks;
}

/* Keeps of the nodes that are seen those from which (i, s) can be reached; true if it can reach itself. */
static bool keep_returning(struct walk *k, int i, uint32_t s) {
    uint32_t n = k->r->states;
    size_t nodes = (size_t)k->w->length * n;
    bool *back = memory_get_zeroed(nodes + 1), changed = true, cyclic = false;
    struct way ways[64];
    back[(uint32_t)i * n + s] = true;
    while (changed) {
        changed = false;
        for (int p = 0; p < k->w->length; p++)
            for (uint32_t q = 0; q < n; q++) {
                int next = next_of(k->w, p);
                if (!k->seen[(uint32_t)p * n + q]) continue;
                int count = k->r->move(k->r->automaton, q, k->w->at[p], k->w->at[next], ways);
                for (int x = 0; x < count; x++) {
                    if (!back[(uint32_t)next * n + ways[x].to]) continue;
                    if (next == i && ways[x].to == s) cyclic = true;
                    if (!back[(uint32_t)p * n + q]) back[(uint32_t)p * n + q] = changed = true;
                }
            }
    }
    memcpy(k->seen, back, nodes);
    free(back);
    return cyclic;
}

static bool accepts_infinitely(const struct reader *r, const struct word *w, const bool *reached) {
    uint64_t all = r->sets >= 64 ? UINT64_MAX : (UINT64_C(1) << r->sets) - 1;
    for (uint32_t s = 0; s < r->states; s++) {
        if (!reached[(uint32_t)w->back * r->states + s]) continue;
        struct walk k = {r, w, memory_get_zeroed((size_t)w->length * r->states + 1)};
        walk_from(&k, w->back, s);
        bool found = keep_returning(&k, w->back, s) && (marks_around(&k, r, w) & all) == all;
        free(k.seen);
        if (found) return true;
    }
    return false;
}

static bool constant_in_the_end(const struct word *w) {
    for (int i = w->back; i < w->length; i++)
        if (w->at[i] != w->at[w->back]) return false;
    return true;
}

static bool accepted(const struct reader *r, const struct word *w, bool testing) {
    struct walk k = {r, w, memory_get_zeroed((size_t)w->length * r->states + 1)};
    struct way ways[64];
    bool result = false;
    int n = r->start(r->automaton, w->at[0], ways);
    for (int x = 0; x < n; x++) walk_from(&k, 0, ways[x].to);
    for (int i = 0; i < w->length; i++)
        for (uint32_t s = 0; s < r->states; s++) {
            if (!k.seen[(uint32_t)i * r->states + s]) continue;
            if (r->accept[s] & ACCEPT_FINITE) result = true;
            if (w->back < 0 && i == w->length - 1 && (r->accept[s] & ACCEPT_DEADLOCK)) result = true;
            if (testing && w->back >= 0 && i >= w->back && constant_in_the_end(w) && (r->accept[s] & ACCEPT_LIVELOCK))
                result = true;
        }
    if (!result && w->back >= 0 && !(testing && constant_in_the_end(w))) result = accepts_infinitely(r, w, k.seen);
    free(k.seen);
    return result;
}

static int add_way(struct way *ways, int n, uint32_t to, uint64_t marks) {
    if (n == 64) abort();
    ways[n] = (struct way){to, marks};
    return n + 1;
}

static int ba_move(const void *automaton, uint32_t s, uint64_t now, uint64_t next, struct way *ways) {
    const struct ba *a = automaton;
    int n = 0;
    (void)now;
    for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++) {
        uint64_t care = a->edge[i].label.care;
        if ((next & care) == (a->edge[i].label.value & care)) n = add_way(ways, n, a->edge[i].target, a->edge[i].marks);
    }
    return n;
}

static int ba_first(const void *automaton, uint64_t first, struct way *ways) {
    const struct ba *a = automaton;
    int n = 0;
    for (uint32_t i = 0; i < a->initials; i++) n += ba_move(a, a->initial[i], 0, first, ways + n);
    return n;
}

bool word_in_ba(const struct word *w, const struct ba *a) {
    struct reader r = {a, a->states, a->sets, a->accept, ba_first, ba_move};
    for (uint32_t i = 0; i < a->initials; i++)
        if (a->accept[a->initial[i]] & ACCEPT_FINITE) return true;
    return accepted(&r, w, false);
}

static int sba_move(const void *automaton, uint32_t s, uint64_t now, uint64_t next, struct way *ways) {
    const struct sba *a = automaton;
    int n = 0;
    (void)now;
    for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
        if (a->value[a->target[i]] == next) n = add_way(ways, n, a->target[i], a->accept[s] & ACCEPT_INFINITE);
    return n;
}

static int sba_first(const void *automaton, uint64_t first, struct way *ways) {
    const struct sba *a = automaton;
    int n = 0;
    for (uint32_t i = 0; i < a->initials; i++)
        if (a->value[a->initial[i]] == first) n = add_way(ways, n, a->initial[i], 0);
    return n;
}

bool word_in_sba(const struct word *w, const struct sba *a) {
    struct reader r = {a, a->states, 1, a->accept, sba_first, sba_move};
    return accepted(&r, w, false);
}

static int ta_move(const void *automaton, uint32_t s, uint64_t now, uint64_t next, struct way *ways) {
    const struct ta *a = automaton;
    int n = 0;
    if (now == next) return add_way(ways, 0, s, a->accept[s] & ACCEPT_INFINITE);
    for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
        if (a->edge[i].change == (now ^ next)) n = add_way(ways, n, a->edge[i].target, a->accept[s] & ACCEPT_INFINITE);
    return n;
}

static int ta_first(const void *automaton, uint64_t first, struct way *ways) {
    const struct ta *a = automaton;
    int n = 0;
    for (uint32_t i = 0; i < a->initials; i++)
        if (a->initial[i].value == first) n = add_way(ways, n, a->initial[i].state, 0);
    return n;
}

bool word_in_ta(const struct word *w, const struct ta *a) {
    struct reader r = {a, a->states, 1, a->accept, ta_first, ta_move};
    return accepted(&r, w, true);
}

/* ---- Random automata ---- */

static void add_names(struct names *names, int propositions) {
    for (int i = 0; i < propositions; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        names_add(names, name);
    }
}

/* Infinite acceptance often, the others seldom, so that they do not hide each other. */
static unsigned random_kinds(unsigned kinds) {
    unsigned result = 0;
    if (words_random(2)) result |= kinds & ACCEPT_INFINITE;
    if (words_random(8) == 0) result |= kinds & ACCEPT_FINITE;
    if (words_random(4) == 0) result |= kinds & ACCEPT_DEADLOCK;
    if (words_random(4) == 0) result |= kinds & ACCEPT_LIVELOCK;
    return result;
}

void random_ba(struct ba *a, int states, int propositions, uint32_t sets, bool by_state, unsigned kinds) {
    struct ba_builder b;
    uint64_t all = (UINT64_C(1) << propositions) - 1;
    ba_build(&b, NULL);
    add_names(&b.propositions, propositions);
    b.sets = sets;
    b.by_state = by_state;
    for (int s = 0; s < states; s++) ba_build_state(&b, random_kinds(kinds));
    for (int i = 0; i < 1 + (int)words_random(2); i++) ba_build_initial(&b, words_random((uint32_t)states));
    int edges = states + (int)words_random((uint32_t)(2 * states + 1));
    for (int i = 0; i < edges; i++) {
        uint64_t care = words_random((uint32_t)all + 1), value = words_random((uint32_t)all + 1) & care, marks = 0;
        for (uint32_t k = 0; k < sets; k++) marks |= (uint64_t)(words_random(5) < 2) << k;
        ba_build_edge(&b, words_random((uint32_t)states), (struct cube){care, value}, marks,
                      words_random((uint32_t)states));
    }
    ba_build_finish(&b, a);
}

void random_sba(struct sba *a, int states, int propositions, unsigned kinds) {
    struct ta_builder b;
    ta_build(&b, NULL);
    add_names(&b.propositions, propositions);
    for (int s = 0; s < states; s++) ta_build_state(&b, words_random(1u << propositions), random_kinds(kinds));
    for (int i = 0; i < 1 + (int)words_random(3); i++) ta_build_initial(&b, words_random((uint32_t)states), 0);
    int edges = states + (int)words_random((uint32_t)(3 * states + 1));
    for (int i = 0; i < edges; i++)
        ta_build_edge(&b, words_random((uint32_t)states), 0, words_random((uint32_t)states));
    sba_build_finish(&b, a);
}

void random_ta(struct ta *a, int states, int propositions, unsigned kinds) {
    struct ta_builder b;
    ta_build(&b, NULL);
    add_names(&b.propositions, propositions);
    for (int s = 0; s < states; s++) ta_build_state(&b, 0, random_kinds(kinds));
    for (int i = 0; i < 1 + (int)words_random(3); i++)
        ta_build_initial(&b, words_random((uint32_t)states), words_random(1u << propositions));
    int edges = states + (int)words_random((uint32_t)(3 * states + 1));
    for (int i = 0; i < edges; i++)
        ta_build_edge(&b, words_random((uint32_t)states), 1 + words_random((1u << propositions) - 1),
                      words_random((uint32_t)states));
    ta_build_finish(&b, a);
}
