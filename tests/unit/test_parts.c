/* Long states as numbers of their parts, against a plain list of states. */
#include "unit.h"

#include "base/team.h"
#include "store/parts.h"

enum { MOST_WORDS = 40, VIEWS = 4 };

/* All states that were given to parts_keys, and their keys. */
struct list {
    uint32_t words, count, room;
    word *states;
    uint64_t *keys;
};

static void list_init(struct list *l, uint32_t words, uint32_t room) {
    *l = (struct list){.words = words, .room = room};
    l->states = malloc((size_t)room * words * sizeof(word));
    l->keys = malloc(room * sizeof *l->keys);
}

static void list_fini(struct list *l) {
    free(l->states);
    free(l->keys);
}

static const word *list_at(const struct list *l, uint32_t i) { return l->states + (size_t)i * l->words; }

/* The index of a state, or count. */
static uint32_t list_find(const struct list *l, const word *state) {
    uint32_t i = 0;
    while (i < l->count && memcmp(list_at(l, i), state, l->words * sizeof(word)) != 0) i++;
    return i;
}

static void list_add(struct list *l, const word *state, uint64_t key) {
    assert_true(l->count < l->room);
    memcpy(l->states + (size_t)l->count * l->words, state, l->words * sizeof(word));
    l->keys[l->count++] = key;
}

/* A state that shares parts with others: an old one with a few words changed, some of them to words of the list. */
static void make_state(const struct list *l, word *state) {
    if (l->count == 0 || random_chance(5)) {
        for (uint32_t i = 0; i < l->words; i++) state[i] = random_chance(50) ? random_word() : random_below(3);
        return;
    }
    memcpy(state, list_at(l, random_below(l->count)), l->words * sizeof(word));
    for (uint32_t n = random_below(4); n > 0; n--) {
        const word *other = list_at(l, random_below(l->count));
        uint32_t i = random_below(l->words), from = random_chance(50) ? i : random_below(l->words);
        if (random_chance(60)) state[i] = other[from];
        else if (random_chance(50)) state[i] = random_below(4);
        else state[i] = random_word();
    }
    if (random_chance(20)) /* a whole half of another */
        memcpy(state, list_at(l, random_below(l->count)), l->words / 2 * sizeof(word));
}

/* ---- Asking ---- */

static uint64_t key_of(struct parts *p, struct parts_view *v, const word *state) {
    uint64_t key;
    parts_keys(p, v, state, 1, &key);
    return key;
}

static bool has_key(const struct parts *p, struct parts_view *v, const word *state, uint64_t *key) {
    parts_find(p, v, state, 1, key);
    return *key != PARTS_NONE;
}

/* Every key gives its state through every view, in an order in which views hold something else. */
static void check_all(const struct parts *p, struct parts_view *views, const struct list *l) {
    word state[MOST_WORDS];
    for (uint32_t n = 0; n < l->count; n++) {
        uint32_t i = random_below(l->count);
        uint64_t key;
        parts_state(p, &views[n % VIEWS], l->keys[i], state);
        assert_memory_equal(state, list_at(l, i), l->words * sizeof(word));
        i = random_below(l->count);
        assert_true(has_key(p, &views[n % VIEWS], list_at(l, i), &key));
        assert_true(key == l->keys[i]);
    }
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void check_unique(const struct list *l) {
    uint64_t *keys = malloc((l->count + 1) * sizeof *keys);
    memcpy(keys, l->keys, l->count * sizeof *keys);
    qsort(keys, l->count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < l->count; i++) {
        assert_true(keys[i] >> PARTS_KEY_BITS == 0);
        if (i) assert_true(keys[i] != keys[i - 1]);
    }
    free(keys);
}

/* The room that there is said to be is there, and not more than that. */
static void check_room(struct parts *p, uint64_t wanted) {
    uint64_t room = parts_room(p), index_size = p->index_size;
    assert_true(room >= wanted);
    assert_true(parts_reserve(p, room));
    assert_int_equal(p->index_size, index_size);
    assert_true(!random_chance(2) || !parts_reserve(p, room + 1) || p->index_size > index_size);
}

/* Many at a time, often the same one several times. */
static void ask_keys(struct parts *p, struct parts_view *v, struct list *l) {
    enum { MOST = 200 };
    static word states[MOST * MOST_WORDS];
    uint64_t keys[MOST];
    uint32_t n = random_chance(90) ? 1 + random_below(3) : 1 + random_below(MOST);
    if (n > l->room - l->count) n = l->room - l->count;
    for (uint32_t i = 0; i < n; i++)
        if (i > 0 && random_chance(30))
            memcpy(states + i * l->words, states + (i - 1) * l->words, l->words * sizeof(word));
        else make_state(l, states + i * l->words);
    assert_true(parts_reserve(p, random_chance(30) ? n : n + random_below(20)));
    check_room(p, n);
    parts_keys(p, v, states, n, keys);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t known = list_find(l, states + i * l->words);
        if (known < l->count) assert_true(keys[i] == l->keys[known]);
        else list_add(l, states + i * l->words, keys[i]);
    }
}

/* A state that may or may not be there. What is found gives the state back; a known key only a known state. */
static void ask_find(const struct parts *p, struct parts_view *v, const struct list *l, uint32_t *misses) {
    word state[MOST_WORDS], again[MOST_WORDS];
    uint64_t key;
    make_state(l, state);
    if (random_chance(50)) state[random_below(l->words)] = random_word(); /* a part that has no number */
    uint32_t i = list_find(l, state);
    if (!has_key(p, v, state, &key)) {
        assert_int_equal(i, l->count);
        ++*misses;
        return;
    }
    if (i < l->count) assert_true(key == l->keys[i]);
    else
        for (uint32_t k = 0; k < l->count; k++) assert_true(key != l->keys[k]);
    parts_state(p, v, key, again);
    assert_memory_equal(again, state, l->words * sizeof(word));
}

static void ask_state(const struct parts *p, struct parts_view *v, const struct list *l) {
    word state[MOST_WORDS];
    uint32_t i = random_below(l->count);
    parts_state(p, v, l->keys[i], state);
    assert_memory_equal(state, list_at(l, i), l->words * sizeof(word));
}

/* Many at a time are found as one at a time is. */
static void ask_many(const struct parts *p, struct parts_view *v, struct parts_view *other, const struct list *l) {
    enum { MANY = 100 };
    static word states[MANY * MOST_WORDS];
    uint64_t keys[MANY], key;
    for (uint32_t i = 0; i < MANY; i++) {
        make_state(l, states + i * l->words);
        if (random_chance(30)) states[i * l->words + random_below(l->words)] = random_word();
    }
    parts_find(p, v, states, MANY, keys);
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(has_key(p, other, states + i * l->words, &key) ? keys[i] == key : keys[i] == PARTS_NONE);
}

/* ---- One thread ---- */

static void random_questions(void **unused) {
    uint32_t misses = 0;
    (void)unused;
    for (uint32_t words = 2; words <= MOST_WORDS; words += FEWER ? 5 : 1)
        for (uint32_t seed = 0; seed < (FEWER ? 1 : 3); seed++) {
            struct parts p;
            struct parts_view views[VIEWS];
            struct list l;
            struct budget budget;
            random_start(words * 10 + seed);
            budget_init(&budget, UINT64_C(1) << 30);
            assert_true(parts_init(&p, words, &budget));
            list_init(&l, words, 1200);
            for (int i = 0; i < VIEWS; i++) parts_view_init(&views[i], words);
            for (uint32_t n = 0; n < 3000 && l.count < l.room; n++) {
                struct parts_view *v = &views[random_below(VIEWS)];
                uint32_t how = random_below(3);
                if (how == 0 || l.count == 0) ask_keys(&p, v, &l);
                else if (how == 1) ask_find(&p, v, &l, &misses);
                else ask_state(&p, v, &l);
                if (n % 50 == 49) ask_many(&p, v, &views[random_below(VIEWS)], &l);
            }
            check_all(&p, views, &l);
            check_unique(&l);
            if (words > 4) assert_true(p.index_size > 2048); /* it has grown */
            for (int i = 0; i < VIEWS; i++) parts_view_fini(&views[i]);
            parts_fini(&p);
            list_fini(&l);
        }
    assert_true(misses > 500);
}

/* A search that fails at any place, and whatever is asked next. */
static void misses(void **unused) {
    (void)unused;
    for (uint32_t words = 2; words <= MOST_WORDS; words++) {
        struct parts p;
        struct parts_view v;
        struct budget budget;
        word a[MOST_WORDS], b[MOST_WORDS], c[MOST_WORDS];
        uint64_t key, key_a, key_b;
        budget_init(&budget, UINT64_C(1) << 26);
        assert_true(parts_init(&p, words, &budget) && parts_reserve(&p, 2 + words));
        parts_view_init(&v, words);
        for (uint32_t i = 0; i < words; i++) a[i] = 1000 + i, b[i] = i == words / 2 ? 7 : a[i];
        assert_false(has_key(&p, &v, a, &key)); /* nothing is known yet */
        key_a = key_of(&p, &v, a);
        key_b = key_of(&p, &v, b);
        assert_true(key_a != key_b);
        for (uint32_t i = 0; i < 4 * words; i++) {
            memcpy(c, i % 2 ? a : b, sizeof c);
            c[i / 4] = 99999;
            assert_false(has_key(&p, &v, c, &key));
            if (i / 2 % 2) {
                parts_state(&p, &v, key_a, c);
                assert_memory_equal(c, a, words * sizeof(word));
                assert_true(has_key(&p, &v, b, &key) && key == key_b);
            } else {
                assert_true(has_key(&p, &v, a, &key) && key == key_a);
                parts_state(&p, &v, key_b, c);
                assert_memory_equal(c, b, words * sizeof(word));
            }
            assert_true(key_of(&p, &v, a) == key_a);
        }
        /* Words in another order are another state. */
        for (uint32_t i = 0; i < words; i++) c[i] = a[words - 1 - i];
        assert_true(key_of(&p, &v, c) != key_a);
        parts_view_fini(&v);
        parts_fini(&p);
    }
}

/* ---- Memory ---- */

static void check_budget(const struct parts *p) {
    assert_int_equal(parts_bytes(p) + p->budget->left, p->budget->total);
    assert_true(p->index.size >= p->index_size * sizeof(uint32_t));
    assert_true(p->contents.size >= p->index_size / 2 * sizeof(uint64_t));
}

static void little_memory(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < ROUNDS(200); i++) {
        struct parts p;
        struct parts_view views[VIEWS];
        struct list l;
        struct budget budget;
        word state[MOST_WORDS];
        random_start(i);
        uint32_t words = 2 + random_below(10);
        budget_init(&budget, 16384 + random_below(400000));
        assert_true(parts_init(&p, words, &budget));
        check_budget(&p);
        for (int k = 0; k < VIEWS; k++) parts_view_init(&views[k], words);
        list_init(&l, words, 30000);
        while (l.count < 1000 && parts_reserve(&p, 1)) {
            make_state(&l, state);
            uint64_t key = key_of(&p, &views[0], state);
            if (list_find(&l, state) == l.count) list_add(&l, state, key);
            uint64_t index_size = p.index_size;
            if (random_chance(5)) assert_false(parts_reserve(&p, 1000000));
            assert_int_equal(p.index_size, index_size); /* refused: as it was */
        }
        check_budget(&p);
        /* What fits is not refused: 16 bytes for each part. */
        if (l.count < 1000) assert_true(p.count + 2 * words - 2 > budget.total / 16 - 1);
        check_all(&p, views, &l);
        for (int k = 0; k < VIEWS; k++) parts_view_fini(&views[k]);
        parts_fini(&p);
        list_fini(&l);
    }
    /* Not even enough to begin with. */
    struct budget budget;
    struct parts p;
    budget_init(&budget, 10000);
    assert_false(parts_init(&p, 3, &budget));
}

/* ---- Several threads ---- */

struct many {
    struct parts p;
    struct parts_view views[8];
    const struct list *l;
    uint32_t first, end; /* the states of this round */
    uint64_t *keys[8];
};

/* Each member gives keys to all states of the round, in an order of its own. */
static void give_keys(void *context, unsigned member, uint32_t task) {
    struct many *m = context;
    uint32_t n = m->end - m->first, stride = 74 * member + 1; /* odd, as n is a power of two */
    (void)task;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = m->first + (member % 3 ? i * stride + member * n / 7 : i) % n;
        m->keys[member][at] = key_of(&m->p, &m->views[member], list_at(m->l, at));
    }
}

static void several_threads(void **unused) {
    enum { TOTAL = 4096, STEP = 512 };
    (void)unused;
    for (uint32_t words = 2; words <= MOST_WORDS; words += FEWER ? 13 : 3)
        for (unsigned threads = 2; threads <= 8; threads *= 2) {
            static struct many m;
            struct list l;
            struct team t;
            struct budget budget;
            random_start(words * threads);
            list_init(&l, words, TOTAL);
            budget_init(&budget, UINT64_C(1) << 30);
            assert_true(parts_init(&m.p, words, &budget));
            team_init(&t, threads);
            for (unsigned i = 0; i < COUNT(m.views); i++) {
                parts_view_init(&m.views[i], words);
                m.keys[i] = malloc(TOTAL * sizeof(uint64_t));
            }
            word state[MOST_WORDS];
            while (l.count < TOTAL) { /* all different by their last word */
                make_state(&l, state);
                state[words - 1] = l.count * UINT64_C(3);
                list_add(&l, state, 0);
            }
            m.l = &l;
            for (m.first = 0; m.first < TOTAL; m.first += STEP) {
                m.end = m.first + STEP;
                assert_true(parts_reserve(&m.p, (uint64_t)STEP * threads)); /* grows between rounds */
                team_each(&t, give_keys, &m);
            }
            for (unsigned i = 1; i < threads; i++) assert_memory_equal(m.keys[i], m.keys[0], TOTAL * sizeof(uint64_t));
            memcpy(l.keys, m.keys[0], TOTAL * sizeof(uint64_t));
            check_unique(&l);
            check_all(&m.p, m.views, &l);
            for (unsigned i = 0; i < COUNT(m.views); i++) {
                parts_view_fini(&m.views[i]);
                free(m.keys[i]);
            }
            team_fini(&t);
            parts_fini(&m.p);
            list_fini(&l);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_questions),
        cmocka_unit_test(misses),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
