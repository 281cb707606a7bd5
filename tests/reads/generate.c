#include "generate.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_ELEMENTS = 64, MOST_FIELDS = 40, MOST_BITS = 63 };

struct field {
    int length; /* 0: no array */
    int first;  /* element */
    char width[24];
    long long least, most; /* values */
};

struct generator {
    uint64_t random;
    FILE *out;
    struct field fields[MOST_FIELDS];
    int field_count, element_count;
    int field_of[MOST_ELEMENTS];
    enum way way;
    int function;
    int label;
};

static uint32_t below(struct generator *g, uint32_t n) {
    g->random = g->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(((g->random >> 33) * n) >> 31);
}

static bool chance(struct generator *g, uint32_t percent) { return below(g, 100) < percent; }

__attribute__((format(printf, 2, 3))) static void put(struct generator *g, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(g->out, format, args);
    va_end(args);
}

/* ---- The state ---- */

/* Returns its bits. */
static int some_width(struct generator *g, struct field *f, int room) {
    static const int wide[] = {8, 9, 12, 15, 16, 20, 31, 32, 40};
    int bits = chance(g, 70) ? 1 + (int)below(g, 4) : chance(g, 70) ? 1 + (int)below(g, 7) : wide[below(g, 9)];
    if (bits > room) bits = room;
    f->least = 0;
    f->most = (1LL << bits) - 1;
    if (chance(g, 25)) {
        f->least = -(1LL << (bits - 1));
        f->most = (1LL << (bits - 1)) - 1;
        snprintf(f->width, sizeof f->width, "SIGNED(%d)", bits);
    } else if (chance(g, 40) && bits < 20) {
        f->most = (1LL << (bits - 1)) + (long long)below(g, 1u << (bits - 1));
        snprintf(f->width, sizeof f->width, "UPTO(%lld)", f->most);
    } else {
        snprintf(f->width, sizeof f->width, "%d", bits);
    }
    return bits;
}

static void declare(struct generator *g) {
    int bits = 0, most = 6 + (int)below(g, MOST_BITS - 6);
    put(g, "#define STATE(var, array)");
    while (bits < most && g->field_count < MOST_FIELDS) {
        struct field *f = &g->fields[g->field_count];
        int each = some_width(g, f, most - bits), length = chance(g, 50) ? 0 : 1 + (int)below(g, 8);
        while (length > 0 && length * each > most - bits) length--;
        f->length = length;
        f->first = g->element_count;
        bits += each * (length ? length : 1);
        for (int i = 0; i < (length ? length : 1); i++) g->field_of[g->element_count++] = g->field_count;
        if (length) put(g, " array(%s, v%d, %d)", f->width, g->field_count, length);
        else put(g, " var(%s, v%d)", f->width, g->field_count);
        g->field_count++;
    }
    put(g, "\nDEFINE_STATE(STATE)\n");
}

/* ---- Pieces ---- */

static int some_element(struct generator *g) { return (int)below(g, (uint32_t)g->element_count); }

/* ".v3" or ".v4[2]", in one of a few buffers */
static const char *member(struct generator *g, int e) {
    static char texts[8][32];
    static int turn;
    char *text = texts[turn++ % 8];
    const struct field *f = &g->fields[g->field_of[e]];
    if (f->length) snprintf(text, 32, "v%d[%d]", g->field_of[e], e - f->first);
    else snprintf(text, 32, "v%d", g->field_of[e]);
    return text;
}

static int some_array(struct generator *g, int shortest) {
    for (int tries = 0; tries < 30; tries++) {
        int f = (int)below(g, (uint32_t)g->field_count);
        if (g->fields[f].length >= shortest) return f;
    }
    return -1;
}

/* A read of a member, of which the log knows. */
static void use(struct generator *g, int e) {
    put(g, g->way == WAY_EXACT ? "USE_EXACT(%d, s->%s)" : "USE(%d, s->%s)", e, member(g, e));
}

/* What makes a value one of the element. */
static void fitting(struct generator *g, int e, const char *value) {
    const struct field *f = &g->fields[g->field_of[e]];
    unsigned long long count = (unsigned long long)(f->most - f->least) + 1;
    put(g, "(__typeof__(s->%s))(%lldLL + (long long)((uint64_t)(%s) %% %lluu))", member(g, e), f->least, value, count);
}

/* ---- Expressions of members ---- */

static void expression(struct generator *g, int depth);

static void indexed(struct generator *g) {
    int a = some_array(g, 2), e = some_element(g);
    if (a < 0) {
        use(g, e);
        return;
    }
    const struct field *f = &g->fields[a];
    const char *macro = g->way == WAY_EXACT ? "USE_EXACT" : "USE";
    put(g, "({ unsigned i_ = (unsigned)(");
    use(g, e);
    put(g, ") %% %du; %s(%d + i_, s->v%d[i_]); })", f->length, macro, f->first, a);
}

static void operation(struct generator *g, int depth) {
    static const char *const operators[] = {"+", "-", "*", "^", "&", "|", "==", "!=", "<", "&&", "||", "&&", "||"};
    put(g, "((uint64_t)");
    expression(g, depth - 1);
    put(g, " %s (uint64_t)", operators[below(g, 13)]);
    expression(g, depth - 1);
    put(g, ")");
}

static void chosen(struct generator *g, int depth) {
    put(g, "((uint64_t)");
    expression(g, depth - 1);
    put(g, " %% 3 ? (uint64_t)");
    expression(g, depth - 1);
    put(g, " : (uint64_t)");
    expression(g, depth - 1);
    put(g, ")");
}

static void expression(struct generator *g, int depth) {
    uint32_t what = below(g, 10);
    if (depth == 0 || what < 2) use(g, some_element(g));
    else if (what < 3) put(g, "%u", below(g, 9));
    else if (what < 4) indexed(g);
    else if (what < 6) chosen(g, depth);
    else operation(g, depth);
}

/* ---- Statements of members ---- */

static void member_switch(struct generator *g) {
    put(g, "    switch ((uint64_t)");
    use(g, some_element(g));
    put(g, " %% 4) {\n");
    for (int i = 0; i < 3; i++) {
        put(g, "    case %d: acc += (uint64_t)", i);
        expression(g, 1);
        put(g, "; break;\n");
    }
    put(g, "    default: acc ^= 77;\n    }\n");
}

static void member_loop(struct generator *g) {
    int a = some_array(g, 2);
    if (a < 0) return;
    const char *macro = g->way == WAY_EXACT ? "USE_EXACT" : "USE";
    put(g, "    for (int i = 0; i < %d; i++) {\n", g->fields[a].length);
    put(g, "        if ((uint64_t)%s(%d + i, s->v%d[i]) %% 4 == %u) break;\n", macro, g->fields[a].first, a,
        below(g, 4));
    put(g, "        acc = acc * 3 + 1;\n    }\n");
}

static void member_statement(struct generator *g) {
    uint32_t what = below(g, 8);
    if (what == 0) member_switch(g);
    else if (what == 1) member_loop(g);
    else if (what == 2) {
        put(g, "    if ((uint64_t)");
        expression(g, 2);
        put(g, " %% 5 == 1) return false;\n");
    } else {
        put(g, "    acc = acc * 31 + (uint64_t)");
        expression(g, 1 + (int)below(g, 2));
        put(g, ";\n");
    }
}

static void member_store(struct generator *g) {
    int e = some_element(g);
    put(g, g->way == WAY_EXACT ? "    PUT_EXACT(%d, s->%s, " : "    PUT(%d, s->%s, ", e, member(g, e));
    fitting(g, e, "acc++");
    put(g, ");\n");
}

/* ---- All other ways ---- */

static void raw_load(struct generator *g) {
    static const char *const types[] = {"u8", "u16", "u32", "u64", "i8", "i16", "i32", "v16"};
    int type = (int)below(g, 8);
    if (type == 7) {
        put(g,
            "    { v16 x = *(const v16 *)((const char *)s + %u %% (sizeof(state) - 15)); acc += x[%u] + 3u * x[%u]; }\n",
            below(g, 64), below(g, 16), below(g, 16));
        return;
    }
    put(g, "    acc = acc * 31 + (uint64_t)*(const %s *)((const char *)s + %u %% (sizeof(state) - 7));\n", types[type],
        below(g, 64));
}

static void narrow(struct generator *g) {
    int e = some_element(g);
    put(g, "    acc = acc * 5 + ((const unsigned char *)&s->%s)[%u %% sizeof s->%s];\n", member(g, e), below(g, 8),
        member(g, e));
}

static void copied(struct generator *g) {
    unsigned size = 1 + below(g, 24), at = below(g, 64);
    const char *name = chance(g, 30) ? "memmove" : chance(g, 20) ? "__builtin_memcpy" : "memcpy";
    put(g, "    { unsigned char b[32] = {0}; %s(b + %u, (const char *)s + %u %% (sizeof(state) - %u), %u);\n", name,
        below(g, 8), at, size - 1, size);
    if (chance(g, 50)) put(g, "      for (int i = 0; i < 32; i++) acc = acc * 7 + b[i]; }\n");
    else put(g, "      acc += b[%u] * 3u + b[%u]; }\n", below(g, 32), below(g, 32));
}

static void copied_variably(struct generator *g) {
    put(g,
        "    { unsigned char b[16] = {0}; memcpy(b, (const char *)s + %u %% (sizeof(state) - 15), (uint64_t)s->%s %% 16);\n",
        below(g, 64), member(g, some_element(g)));
    put(g, "      for (int i = 0; i < 16; i++) acc = acc * 7 + b[i]; }\n");
}

static void as_number(struct generator *g) {
    unsigned size = 1 + below(g, 8);
    put(g, "    { uint64_t v = 0; memcpy(&v, (const char *)s + %u %% (sizeof(state) - 7), %u); ", below(g, 64), size);
    static const char *const uses[] = {"acc += v;",
                                       "acc += (v * 0x0101010101010101u) >> 56;",
                                       "acc += __builtin_popcountll(v);",
                                       "acc ^= v ? __builtin_ctzll(v) : 9;",
                                       "if (v == 0) return false;",
                                       "acc += v >> 13 & 0x7f;",
                                       "acc += v % 7;"};
    put(g, "%s }\n", uses[below(g, 7)]);
}

static void compared(struct generator *g) {
    unsigned size = 1 + below(g, 16);
    if (chance(g, 50)) {
        put(g,
            "    if (memcmp((const char *)s + %u %% (sizeof(state) - %u), (const char *)s + %u %% (sizeof(state) - %u), %u) %s 0) acc += 5;\n",
            below(g, 64), size - 1, below(g, 64), size - 1, size, chance(g, 50) ? "<" : "==");
    } else {
        put(g, "    { static const unsigned char k[16] = {%u, %u}; ", below(g, 3), below(g, 2));
        put(g, "acc += memcmp((const char *)s + %u %% (sizeof(state) - %u), k, %u) == 0; }\n", below(g, 64), size - 1,
            size);
    }
}

/* Of a copy `c` */
static void some_members_of(struct generator *g, const char *c) {
    for (uint32_t i = 1 + below(g, 3); i > 0; i--)
        put(g, " acc = acc * 11 + (uint64_t)%s%s;", c, member(g, some_element(g)));
}

static void struct_copy(struct generator *g) {
    put(g, "    { state c = *s;");
    if (chance(g, 30)) put(g, " state *volatile p = &c; c = *p;");
    if (chance(g, 30)) put(g, " memset(&c.%s, 0, sizeof c.%s);", member(g, 0), member(g, 0));
    some_members_of(g, "c.");
    put(g, " }\n");
}

static void union_copy(struct generator *g) {
    int e = some_element(g);
    put(g, "    { union { state s; unsigned char b[sizeof(state)]; } u; u.s = *s;");
    put(g, " acc = acc * 3 + u.b[offsetof(state, %s) + %u %% sizeof s->%s]; }\n", member(g, e), below(g, 8),
        member(g, e));
}

static void by_value(struct generator *g) {
    switch (below(g, 5)) {
    case 0: put(g, "    acc += value_%u(*s, %u);\n", below(g, 3), below(g, 4)); break;
    case 1: put(g, "    { state c = returned(s);"), some_members_of(g, "c."), put(g, " }\n"); break;
    case 2: put(g, "    acc += variadic(2, %u, *s);\n", below(g, 7)); break;
    case 3: put(g, "    acc += wrapped((struct wrapper){%u, *s});\n", below(g, 5)); break;
    default: put(g, "    acc ^= values[(uint64_t)s->%s %% 3](*s, 2);\n", member(g, some_element(g)));
    }
}

static void pointers(struct generator *g) {
    int e = some_element(g), f = some_element(g), a = some_array(g, 2);
    switch (below(g, 5)) {
    case 0:
        put(g, "    { __typeof__(s->%s) *p = &s->%s; acc += (uint64_t)*p * 3; }\n", member(g, e), member(g, e));
        break;
    case 1:
        put(g,
            "    { const void *p = acc & 1 ? (const void *)&s->%s : (const void *)&s->%s; acc += *(const u8 *)p; }\n",
            member(g, e), member(g, f));
        break;
    case 2: put(g, "    acc += looks[(uint64_t)s->%s %% 4](s);\n", member(g, e)); break;
    case 3: put(g, "    acc += sum((const unsigned char *)&s->%s, sizeof s->%s);\n", member(g, e), member(g, e)); break;
    default:
        if (a >= 0)
            put(g,
                "    { const __typeof__(s->v%d[0]) *p = s->v%d, *end = p + %d; while (p < end && *p != %u) acc += (uint64_t)*p++ + 1; }\n",
                a, a, g->fields[a].length, below(g, 2));
    }
}

static void literals(struct generator *g) {
    int e = some_element(g);
    switch (below(g, 5)) {
    case 0: put(g, "    acc += (uint64_t)(&(struct wrapper){1, *s})->inner.%s;\n", member(g, e)); break;
    case 1:
        put(g, "    { int local[8] = {3, 1, 4, 1, 5, 9, 2, 6}; acc += (uint64_t)local[(uint64_t)s->%s %% 8]; }\n",
            member(g, e));
        break;
    case 2: put(g, "    acc += constants[(uint64_t)s->%s %% 8];\n", member(g, e)); break;
    case 3:
        put(g,
            "    { unsigned n = 1 + (unsigned)((uint64_t)s->%s %% 5); char b[n]; memset(b, 1, n); acc += (uint64_t)b[n - 1] + n; }\n",
            member(g, e));
        break;
    default: put(g, "    acc += variadic(1, (int)s->%s);\n", member(g, e));
    }
}

static void unusual(struct generator *g) {
    int e = some_element(g);
    switch (below(g, 11)) {
    case 0:
        put(g, "    { double d = (double)(long long)s->%s; acc += (uint64_t)(long long)(d * 2); }\n", member(g, e));
        break;
    case 1: put(g, "    acc += (uint64_t)__atomic_load_n(&s->%s, __ATOMIC_SEQ_CST);\n", member(g, e)); break;
    case 2:
        put(g,
            "    { unsigned __int128 x; memcpy(&x, (const char *)s + %u %% (sizeof(state) - 15), 16); acc += (uint64_t)(x >> %u); }\n",
            below(g, 64), below(g, 100));
        break;
    case 3:
        put(g,
            "    { unsigned char b[8] = {0}; repeat_move(b, (const char *)s + %u %% (sizeof(state) - 7), %u); acc += b[%u] * 5u + b[0]; }\n",
            below(g, 64), 1 + below(g, 8), below(g, 8));
        break;
    case 8:
        put(g,
            "    acc += (uint64_t)repeat_compare((const char *)s + %u %% (sizeof(state) - 7), (const char *)s + %u %% (sizeof(state) - 7), %u);\n",
            below(g, 64), below(g, 64), 1 + below(g, 8));
        break;
    case 9:
        put(g,
            "    { uint64_t b[2] = {0}; repeat_move(b, (const char *)s + %u %% (sizeof(state) - 15), (uint64_t)s->%s %% 17); acc += b[0] * 5u + b[1]; }\n",
            below(g, 64), member(g, e));
        break;
    case 4: put(g, "    acc += inlined(s, (uint64_t)s->%s);\n", member(g, e)); break;
    case 5:
        put(g, "    acc += bit_test((const char *)s + %u %% (sizeof(state) - 7), %u);\n", below(g, 64), below(g, 32));
        break;
    case 6:
        put(g, "    acc += odd_load((const char *)s + %u %% (sizeof(state) - 31), %u);\n", below(g, 64), below(g, 4));
        break;
    case 7:
        put(g, "    { if ((uint64_t)s->%s %% 2) goto over_%d; acc += (uint64_t)s->%s * 9; over_%d:; }\n", member(g, e),
            g->label, member(g, some_element(g)), g->label),
            g->label++;
        break;
    default:
        put(g, "    do acc = acc * 2 + 1 + (uint64_t)s->%s %% 256; while (acc %% 4 == %u && acc < 200);\n",
            member(g, e), below(g, 4));
    }
}

static void any_statement(struct generator *g) {
    static void (*const all[])(struct generator *) = {
        raw_load,    narrow,           copied,           copied_variably, as_number, compared,
        struct_copy, union_copy,       by_value,         pointers,        literals,  unusual,
        unusual,     member_statement, member_statement, by_value,        copied};
    all[below(g, sizeof all / sizeof all[0])](g);
    if (chance(g, 30)) put(g, "    if (acc %% %u == %u) return false;\n", 3 + below(g, 5), below(g, 3));
}

static void any_store(struct generator *g) {
    int e = some_element(g), a = some_array(g, 2);
    switch (below(g, 7)) {
    case 0: put(g, "    { state c = *s; c.%s = ", member(g, e)), fitting(g, e, "acc++"), put(g, "; *s = c; }\n"); break;
    case 1: put(g, "    memset(&s->%s, 0, sizeof s->%s);\n", member(g, e), member(g, e)); break;
    case 2:
        if (a >= 0)
            put(g, "    memmove(&s->v%d[0], &s->v%d[1], %d * sizeof s->v%d[0]);\n", a, a, g->fields[a].length - 1, a);
        break;
    case 3:
        if (a >= 0)
            put(g, "    { __typeof__(s->v%d[0]) x = s->v%d[0]; s->v%d[0] = s->v%d[1]; s->v%d[1] = x; }\n", a, a, a, a,
                a);
        break;
    case 4:
        put(g, "    if (acc & 1) { __typeof__(s->%s) *p = &s->%s; *p = ", member(g, e), member(g, e)),
            fitting(g, e, "acc"), put(g, "; }\n");
        break;
    case 5: put(g, "    s->%s = ", member(g, e)), fitting(g, e, "acc >> 3"), put(g, ";\n"); break;
    default: member_store(g);
    }
}

/* ---- Functions ---- */

static void function(struct generator *g, int t) {
    g->way = generate_way((uint32_t)t);
    put(g, "static __attribute__((noinline)) bool f%d(state *s) {\n    uint64_t acc = %u;\n", t, below(g, 1000));
    uint32_t statements = 1 + below(g, g->way == WAY_ANY ? 4 : 3), stores = below(g, 3);
    for (uint32_t i = 0; i < statements; i++) (g->way == WAY_ANY ? any_statement : member_statement)(g);
    put(g, "    if (acc %% 7 == 3) return false;\n");
    for (uint32_t i = 0; i < stores; i++) (g->way == WAY_ANY ? any_store : member_store)(g);
    put(g, "    return acc %% 5 != 2%s;\n}\n", stores ? " || true" : "");
}

/* What the functions call; e, f and h are members. */
static void helpers(struct generator *g) {
    for (int i = 0; i < 3; i++) {
        put(g, "static __attribute__((noinline)) uint64_t value_%d(state c, unsigned i) {\n", i);
        put(g, "    if (i == 0) return (uint64_t)c.%s + 3;\n", member(g, some_element(g)));
        put(g, "    return (uint64_t)c.%s * 3 + value_%d(c, i - 1);\n}\n", member(g, some_element(g)), i);
        put(g, "static uint64_t look_%d(const state *s) { return (uint64_t)s->%s * %u; }\n", i,
            member(g, some_element(g)), 1 + i);
    }
    put(g, "static uint64_t look_3(const state *s) { (void)s; return 4; }\n"
           "static uint64_t (*const looks[])(const state *) = {look_0, look_1, look_2, look_3};\n"
           "static uint64_t (*const values[])(state, unsigned) = {value_0, value_1, value_2};\n");
    put(g,
        "static __attribute__((noinline)) state returned(const state *s) { return *s; }\n"
        "static __attribute__((noinline)) uint64_t wrapped(struct wrapper w) { return w.outer + (uint64_t)w.inner.%s; }\n",
        member(g, some_element(g)));
    put(g,
        "static __attribute__((noinline)) uint64_t variadic(int n, ...) {\n    va_list args;\n    va_start(args, n);\n"
        "    uint64_t x = (uint64_t)va_arg(args, int);\n    if (n > 1) { state c = va_arg(args, state); x += (uint64_t)c.%s; }\n"
        "    va_end(args);\n    return x;\n}\n",
        member(g, some_element(g)));
    put(g,
        "static inline __attribute__((always_inline)) uint64_t inlined(const state *s, uint64_t x) {\n"
        "    return x %% 2 ? (uint64_t)s->%s : (uint64_t)s->%s + (uint64_t)s->%s;\n}\n",
        member(g, some_element(g)), member(g, some_element(g)), member(g, some_element(g)));
}

static const char beginning[] =
    "#include <onager.h>\n"
    "PARAM(log, 0)\n"
    "__attribute__((visibility(\"default\"))) extern uint64_t reads_log;\n"
    "uint64_t reads_log;\n"
    "#define NOTED(k) (log ? (void)(reads_log |= UINT64_C(1) << (k)) : (void)0)\n"
    "#define USE(k, x) (NOTED(k), (x))\n"
    "#define PUT(k, x, y) (NOTED(k), (x) = (y))\n"
    "#define USE_EXACT(k, x) (NOTED(k), *(const volatile __typeof__(x) *)&(x))\n"
    "#define PUT_EXACT(k, x, y) (NOTED(k), *(volatile __typeof__(x) *)&(x) = (y))\n"
    "#define RAW __attribute__((may_alias, aligned(1)))\n"
    "typedef uint8_t u8 RAW;\ntypedef uint16_t u16 RAW;\ntypedef uint32_t u32 RAW;\ntypedef uint64_t u64 RAW;\n"
    "typedef int8_t i8 RAW;\ntypedef int16_t i16 RAW;\ntypedef int32_t i32 RAW;\n"
    "typedef uint8_t v16 __attribute__((vector_size(16), may_alias, aligned(1)));\n"
    "static const uint64_t constants[8] = {2, 7, 1, 8, 2, 8, 1, 8};\n"
    "static __attribute__((noinline)) uint64_t sum(const unsigned char *p, size_t n) { return n ? *p + 3 * sum(p + 1, n - 1) : 0; }\n"
    "static inline void repeat_move(void *to, const void *from, size_t n) {\n"
    "    __asm__ volatile(\"rep movsb\" : \"+D\"(to), \"+S\"(from), \"+c\"(n) : : \"memory\");\n}\n"
    "static inline int repeat_compare(const void *a, const void *b, size_t n) {\n"
    "    unsigned char r;\n"
    "    __asm__ volatile(\"cmpb %%al, %%al\\n\\trepe cmpsb\\n\\tsete %0\" : \"=r\"(r), \"+D\"(b), \"+S\"(a), \"+c\"(n) : : \"cc\", \"memory\");\n"
    "    return r;\n}\n"
    "static inline uint64_t bit_test(const void *p, unsigned bit) {\n"
    "    unsigned char r;\n"
    "    __asm__ volatile(\"btl %2, %1\\n\\tsetc %0\" : \"=r\"(r) : \"m\"(*(const u32 *)p), \"r\"(bit & 63) : \"cc\", \"memory\");\n"
    "    return r;\n}\n"
    "static inline uint64_t odd_load(const void *p, unsigned which) {\n"
    "    uint64_t x = 0;\n"
    "    if (which == 0) __asm__ volatile(\"lodsl\" : \"+S\"(p), \"=a\"(x) : : \"memory\");\n"
    "    if (which == 1) __asm__ volatile(\"movdqu (%1), %%xmm1\\n\\tpsrldq $9, %%xmm1\\n\\tmovq %%xmm1, %0\" : \"=r\"(x) : \"r\"(p) : \"xmm1\", \"memory\");\n"
    "    if (which == 2) __asm__ volatile(\"subq $256, %%rsp\\n\\tpushq (%1)\\n\\tpopq %0\\n\\taddq $256, %%rsp\" : \"=r\"(x) : \"r\"((const char *)p + 1) : \"memory\");\n"
    "    float y;\n"
    "    if (which == 3) { __asm__ volatile(\"flds (%1)\\n\\tfstps %0\" : \"=m\"(y) : \"r\"(p) : \"memory\"); memcpy(&x, &y, 4); }\n"
    "    return x & 0x3ff;\n}\n";

enum way generate_way(uint32_t t) { return t % 6 == 0 ? WAY_EXACT : t % 6 == 1 ? WAY_MEMBER : WAY_ANY; }

void generate(uint64_t seed, FILE *out) {
    static struct generator g;
    memset(&g, 0, sizeof g);
    g.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    g.out = out;
    fputs(beginning, out);
    declare(&g);
    put(&g, "struct wrapper { unsigned outer; state inner; };\n");
    helpers(&g);
    for (int t = 0; t < FUNCTIONS; t++) function(&g, t);
    put(&g, "static bool fire(state *s, unsigned t) {\n    switch (t) {\n");
    for (int t = 0; t < FUNCTIONS; t++) put(&g, "    case %d: return f%d(s);\n", t, t);
    put(&g, "    default: return true; // sources.c: is this a state?\n    }\n}\nMODEL(.transitions = %d, .fire = fire)\n", FUNCTIONS);
}
