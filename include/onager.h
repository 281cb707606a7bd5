/* onager.h: what a C model includes.
 *
 * A model is one C11 file. It declares its state once, as a list of variables with their widths in bits, and works on
 * it as on any C struct; the engine packs it, stores it, and takes it through every transition.
 *
 *     #include <onager.h>
 *     PARAM(n, 3)                             onager check model.c -p n=5
 *     ENUM(phase, idle, trying, critical)     named values; also a width: as many bits as needed
 *     #define STATE(var, array)  array(phase, pc, n)  var(UPTO(n), turn)
 *     DEFINE_STATE(STATE)
 *     static bool fire(state *s, unsigned t) { ... }
 *     MODEL(.transitions = n, .fire = fire)
 *
 * doc/MODELS.md explains every part and builds a model step by step. The code that expands whole states inside the
 * compiled plug-in follows MODEL(...) and is in onager/engine.h; it is of no concern to a modeller.
 */
#ifndef ONAGER_H
#define ONAGER_H

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- Parameters ---------------------------------------------------------------------------------------------------
 * PARAM(name, default) or PARAM(name, default, min, max): an int constant that `-p name=value` overrides. It is an
 * enumeration constant, so that array lengths, widths and switch labels may use it. */
#define PARAM(...)                                                                                                     \
    ONAGER_FIFTH(__VA_ARGS__, ONAGER_PARAM4, ONAGER_PARAM_BAD, ONAGER_PARAM2, ONAGER_PARAM_BAD, ~)(__VA_ARGS__)
#define ONAGER_FIFTH(a, b, c, d, e, ...) e
#define ONAGER_PARAM2(name, dflt) ONAGER_PARAM4(name, dflt, INT_MIN, INT_MAX)
#define ONAGER_PARAM4(name, dflt, min, max)                                                                            \
    enum { name = (ONAGER_SECOND(ONAGER_P_##name, dflt, ~)) };                                                         \
    _Static_assert((long)name >= (long)(min) && (long)name <= (long)(max),                                             \
                   "onager: parameter " #name " must lie in " #min ".." #max);                                         \
    static const struct onager_param onager_param_##name                                                               \
        __attribute__((section("onager_params"), used, aligned(8))) = {#name, name, dflt, min, max, __COUNTER__};
#define ONAGER_PARAM_BAD(...) _Static_assert(0, "onager: write PARAM(name, default) or PARAM(name, default, min, max)");
/* `-p n=9` is passed as -DONAGER_P_n='~, 9': then 9 is the second argument, else the default is. */
#define ONAGER_SECOND(...) ONAGER_SECOND_(__VA_ARGS__)
#define ONAGER_SECOND_(first, second, ...) second

struct onager_param {
    const char *name;
    int64_t value, dflt, min, max;
    int64_t order; /* of declaration */
};

/* ---- State --------------------------------------------------------------------------------------------------------
 * #define STATE(var, array)  var(width, name)  array(width, name, length) ...
 * DEFINE_STATE(STATE)
 *
 * A width is one of
 *     3            3 bits, values 0..7 (from 1 to 64 bits)
 *     SIGNED(4)    4 bits, values -8..7
 *     UPTO(5)      values 0..5, in as few bits as that takes
 *     phase        after ENUM(phase, ...): its values, printed by name
 * The order of declaration is the order of printing; it does not change how many bits a state takes. All variables
 * start as 0. A value outside its range is reported with the execution that stored it. */
#define SIGNED(bits) (-(bits))
#define UPTO(max) (ONAGER_UPTO_BASE + (max))
/* Beyond what anybody takes for a number of bits. */
#define ONAGER_UPTO_BASE (INT64_C(1) << 40)
#define ONAGER_UPTO_MOST 2147483647

/* ENUM(name, a, b, c): the constants a = 0, b = 1, c = 2, the type `enum name`, and `name` as a width. */
#define ENUM(name, ...)                                                                                                \
    enum name { __VA_ARGS__, onager_count_of_##name };                                                                 \
    enum { name = UPTO(onager_count_of_##name - 1) };                                                                  \
    static const struct onager_enum onager_enum_##name                                                                 \
        __attribute__((section("onager_enums"), used, aligned(8))) = {#name, #__VA_ARGS__};

struct onager_enum {
    const char *name;   /* as a field's `spec` names it */
    const char *values; /* "a, b, c" */
};

typedef struct state state;

/* ---- Propositions -------------------------------------------------------------------------------------------------
 * PROPOSITION(critical) { return s->pc[0] == critical; }          --ltl 'G !critical'
 * PROPOSITIONS(waiting, n) { return s->pc[i] == trying; }         --ltl 'G (waiting.0 -> F !waiting.0)'
 * What formulas of temporal logic may speak of: s is the state (const state *), i is 0, 1, ..., n-1. They stand after
 * DEFINE_STATE. */
#define PROPOSITION(name) ONAGER_PROPOSITION(name, 0)
#define PROPOSITIONS(name, count) ONAGER_PROPOSITION(name, count)
#define ONAGER_PROPOSITION(name, count)                                                                                \
    static bool onager_holds_##name(const state *s, unsigned i);                                                       \
    static const struct onager_proposition onager_proposition_##name                                                   \
        __attribute__((section("onager_propositions"), used, aligned(8))) = {#name, onager_holds_##name, count,        \
                                                                             #count, __COUNTER__};                     \
    static bool onager_holds_##name(__attribute__((unused)) const state *s, __attribute__((unused)) unsigned i)

struct onager_proposition {
    const char *name;
    bool (*holds)(const state *s, unsigned i);
    int64_t count;          /* of PROPOSITIONS */
    const char *count_text; /* "0": it is a single one */
    int64_t order;          /* of declaration */
};

/* CHANGES(critical) { return t == enter || t == leave; }
 * CHANGES(waiting) { return t / 3 == i; }
 * Which transitions may ever change whether the proposition holds: t is the number of a transition, i as above. Only
 * --stubborn needs it; without it, every transition may. A transition that changes what it must not is an error. */
#define CHANGES(name)                                                                                                  \
    static bool onager_may_change_##name(unsigned t, unsigned i);                                                      \
    static const struct onager_changes onager_changes_##name                                                           \
        __attribute__((section("onager_changes"), used, aligned(8))) = {#name, onager_may_change_##name};              \
    static bool onager_may_change_##name(__attribute__((unused)) unsigned t, __attribute__((unused)) unsigned i)

struct onager_changes {
    const char *name; /* of the proposition */
    bool (*may_change)(unsigned t, unsigned i);
};

/* The struct that the model's code works on, and what the engine must know to pack it. Bit offsets are computed by the
 * compiler as byte offsets in a struct in which a variable of w bits is an array of w characters. */
#define DEFINE_STATE(STATE)                                                                                            \
    struct state {                                                                                                     \
        ONAGER_ZONE STATE(ONAGER_VAR_MEMBER, ONAGER_ARRAY_MEMBER)                                                      \
    } __attribute__((aligned(32)));                                                                                    \
    struct onager_bits {                                                                                               \
        STATE(ONAGER_VAR_BITS, ONAGER_ARRAY_BITS)                                                                      \
    };                                                                                                                 \
    STATE(ONAGER_VAR_ASSERT, ONAGER_ARRAY_ASSERT)                                                                      \
    enum { onager_any_signed = 0 STATE(ONAGER_VAR_SIGNED, ONAGER_ARRAY_SIGNED) };                                      \
    enum { onager_any_gap = 0 STATE(ONAGER_VAR_GAP, ONAGER_ARRAY_GAP) };                                               \
    struct onager_members {                                                                                            \
        STATE(ONAGER_VAR_MEMBER, ONAGER_ARRAY_MEMBER)                                                                  \
    };                                                                                                                 \
    _Static_assert(sizeof(struct onager_bits) > 0, "onager: the state has no variables");                              \
    _Static_assert(sizeof(struct state) <= ONAGER_MOST_BYTES, "onager: the state takes more than 65536 bytes");        \
    static const struct onager_field onager_fields[] = {STATE(ONAGER_VAR_FIELD, ONAGER_ARRAY_FIELD)};                  \
    ONAGER_INLINE uint64_t onager_pack_fields(const state *s, uint64_t *words) {                                       \
        uint64_t bad = 0;                                                                                              \
        STATE(ONAGER_VAR_PACK, ONAGER_ARRAY_PACK)                                                                      \
        return bad;                                                                                                    \
    }                                                                                                                  \
    enum { onager_elements = 0 STATE(ONAGER_VAR_ELEMENTS, ONAGER_ARRAY_ELEMENTS) };                                    \
    ONAGER_INLINE unsigned onager_known_fields(const state *s, const state *from) {                                    \
        unsigned known = 0;                                                                                            \
        STATE(ONAGER_VAR_KNOWN, ONAGER_ARRAY_KNOWN)                                                                    \
        return known;                                                                                                  \
    }                                                                                                                  \
    ONAGER_INLINE uint64_t onager_differ_fields(const state *s, const state *from, uint64_t *words) {                  \
        uint64_t bad = 0;                                                                                              \
        STATE(ONAGER_VAR_DIFFER, ONAGER_ARRAY_DIFFER)                                                                  \
        return bad;                                                                                                    \
    }                                                                                                                  \
    ONAGER_INLINE void onager_unpack_fields(state *s, const uint64_t *words){                                          \
        STATE(ONAGER_VAR_UNPACK, ONAGER_ARRAY_UNPACK)} ONAGER_INLINE struct onager_part                                \
    onager_part_of(size_t word) {                                                                                      \
        struct onager_part part = {.at = ONAGER_MARK_BITS};                                                            \
        STATE(ONAGER_VAR_PART, ONAGER_ARRAY_PART)                                                                      \
        return part;                                                                                                   \
    }

struct onager_field {
    const char *name;
    const char *spec; /* the width as written: "3", "phase", "SIGNED(4)" */
    int64_t width;    /* the value of that: see ONAGER_IS_SIGNED and the like */
    uint32_t length;  /* elements; 1 for a scalar; an array may have none */
    bool is_array;
    uint32_t size;          /* bytes of one element in the struct */
    uint32_t native_offset; /* bytes, in the struct */
    uint32_t bit_offset;    /* in the packed state, without the mark bit */
};

#define ONAGER_IS_UPTO(width) ((width) >= ONAGER_UPTO_BASE)
#define ONAGER_IS_SIGNED(width) ((width) < 0)
#define ONAGER_UPTO_MAX(width) ((unsigned)((width)-ONAGER_UPTO_BASE))
#define ONAGER_BITS(width)                                                                                             \
    (ONAGER_IS_UPTO(width)     ? 32 - __builtin_clz(ONAGER_UPTO_MAX(width) | 1u)                                       \
     : ONAGER_IS_SIGNED(width) ? -(int)(width)                                                                         \
     : (width) > 64            ? 1 /* it is reported below */                                                          \
                               : (int)(width))
/* Whether some values of its bits are out of range. */
#define ONAGER_HAS_GAP(width)                                                                                          \
    (ONAGER_IS_UPTO(width) && ONAGER_UPTO_MAX(width) != (UINT64_C(1) << ONAGER_BITS(width)) - 1)

/* In the strict build (onager/strict.h), there are unused bytes before, between and behind the members, in which an
 * index that leaves its array ends up. They are unnamed bit-fields, so that initialisers do not see them. And unless
 * code that depends on how a state is laid out forbids it, members are so wide that nothing is cut off where it is
 * stored: with ONAGER_WIDE=16 those of less than 16 bits, which are ints, as which C computes with them anyway; with
 * ONAGER_WIDE=32 those of less than 32 bits, too, which have 64. C computes with these in another way then. */
#ifdef ONAGER_STRICT
#define ONAGER_ZONE_8                                                                                                  \
    uint64_t:                                                                                                          \
    64, : 64, : 64, : 64, : 64, : 64, : 64, : 64;
#define ONAGER_ZONE ONAGER_ZONE_8 ONAGER_ZONE_8 ONAGER_ZONE_8 ONAGER_ZONE_8
#define ONAGER_MOST_BYTES (64 << 20)
#else
#define ONAGER_ZONE
#define ONAGER_MOST_BYTES 65536
#endif
#define ONAGER_ZONE_BYTES 256 /* of a zone, where there are some */
#ifndef ONAGER_WIDE
#define ONAGER_WIDE 0
#endif
#ifdef ONAGER_UNIFORM /* whatever the widths are: asset_model.h */
#define ONAGER_SMALL(type) unsigned
#elif ONAGER_WIDE >= 16
#define ONAGER_SMALL(type) int
#else
#define ONAGER_SMALL(type) type
#endif
#if ONAGER_WIDE >= 32 && !defined ONAGER_UNIFORM
#define ONAGER_MIDDLE(type) int64_t
#else
#define ONAGER_MIDDLE(type) type
#endif

/* A member has at least one bit more than the variable, so that stepping out of its range is seen, not wrapped. */
#define ONAGER_TYPE(width)                                                                                             \
    __typeof__(__builtin_choose_expr(                                                                                  \
        ONAGER_IS_SIGNED(width),                                                                                       \
        __builtin_choose_expr(                                                                                         \
            ONAGER_BITS(width) < 8, (ONAGER_SMALL(int8_t))0,                                                           \
            __builtin_choose_expr(ONAGER_BITS(width) < 16, (ONAGER_SMALL(int16_t))0,                                   \
                                  __builtin_choose_expr(ONAGER_BITS(width) < 32, (ONAGER_MIDDLE(int))0, (int64_t)0))), \
        __builtin_choose_expr(ONAGER_BITS(width) < 8, (ONAGER_SMALL(uint8_t))0,                                        \
                              __builtin_choose_expr(ONAGER_BITS(width) < 16, (ONAGER_SMALL(uint16_t))0,                \
                                                    __builtin_choose_expr(ONAGER_BITS(width) < 32,                     \
                                                                          (ONAGER_MIDDLE(unsigned))0, (uint64_t)0)))))

/* CELL(s->A, columns, i, j): the element in row i and column j of an array that is used as a matrix. Unlike
 * s->A[i * columns + j], an index that leaves its row is an error even if it does not leave the array. (There are no
 * brackets around all of it: clang would take an index that is one too large for an address.) */
#define CELL(array, columns, i, j)                                                                                     \
    (*(__typeof__((array)[0])(*)[sizeof(array) / sizeof((array)[0]) / (columns)][columns])(array))[i][j]

#define ONAGER_VAR_MEMBER(width, name)                                                                                 \
    ONAGER_TYPE(width) name;                                                                                           \
    ONAGER_ZONE
#define ONAGER_ARRAY_MEMBER(width, name, length)                                                                       \
    ONAGER_TYPE(width) name[length];                                                                                   \
    ONAGER_ZONE
#define ONAGER_VAR_BITS(width, name) char name[ONAGER_BITS(width)];
#define ONAGER_ARRAY_BITS(width, name, length) char name[ONAGER_BITS(width) * (length)];
#define ONAGER_VAR_ASSERT(width, name)                                                                                 \
    _Static_assert((ONAGER_IS_UPTO(width) && (width)-ONAGER_UPTO_BASE <= ONAGER_UPTO_MOST) ||                          \
                       ((width) >= 1 && (width) <= 64) || ((width) <= -1 && (width) >= -64),                           \
                   "onager: " #name " must have 1 to 64 bits, and its width is " #width                                \
                   ": write a number of bits from 1 to 64, SIGNED(bits), UPTO(max) with max from 0 to 2147483647, or " \
                   "the name of an ENUM");
#define ONAGER_ARRAY_ASSERT(width, name, length)                                                                       \
    ONAGER_VAR_ASSERT(width, name)                                                                                     \
    _Static_assert((length) >= 0, "onager: the length of " #name " must not be negative");
#define ONAGER_VAR_SIGNED(width, name) | ONAGER_IS_SIGNED(width)
#define ONAGER_ARRAY_SIGNED(width, name, length) | ONAGER_IS_SIGNED(width)
#define ONAGER_VAR_GAP(width, name) | ONAGER_HAS_GAP(width)
#define ONAGER_ARRAY_GAP(width, name, length) | ONAGER_HAS_GAP(width)
#define ONAGER_VAR_FIELD(width, name) ONAGER_ANY_FIELD(width, #width, name, 1, false, sizeof(((state *)0)->name))
#define ONAGER_ARRAY_FIELD(width, name, length)                                                                        \
    ONAGER_ANY_FIELD(width, #width, name, length, true, sizeof(((state *)0)->name[0]))
#define ONAGER_ANY_FIELD(width, spec, name, length, is_array, size)                                                    \
    {#name, spec, width, length, is_array, size, offsetof(struct state, name), offsetof(struct onager_bits, name)},
#define ONAGER_VAR_PACK(width, name)                                                                                   \
    bad |= onager_pack_run(words, offsetof(struct onager_bits, name), s, offsetof(state, name), sizeof(s->name),       \
                           width, 1);
#define ONAGER_ARRAY_PACK(width, name, length)                                                                         \
    bad |= onager_pack_run(words, offsetof(struct onager_bits, name), s, offsetof(state, name), sizeof(s->name[0]),    \
                           width, length);
#define ONAGER_VAR_ELEMENTS(width, name) +1
#define ONAGER_ARRAY_ELEMENTS(width, name, length) +(length)
#define ONAGER_VAR_KNOWN(width, name) known += __builtin_constant_p(s->name == from->name) != 0;
#define ONAGER_ARRAY_KNOWN(width, name, length)                                                                        \
    _Pragma("GCC unroll 64") for (int i = 0; i < (int)(length); i++) known +=                                          \
        __builtin_constant_p(s->name[i] == from->name[i]) != 0;
#define ONAGER_VAR_DIFFER(width, name)                                                                                 \
    bad |= onager_differ(words, offsetof(struct onager_bits, name), (uint64_t)s->name, (uint64_t)from->name, width);
#define ONAGER_ARRAY_DIFFER(width, name, length)                                                                       \
    _Pragma("GCC unroll 64") for (int i = 0; i < (int)(length); i++) bad |=                                            \
        onager_differ(words, offsetof(struct onager_bits, name) + (size_t)(i * ONAGER_BITS(width)),                    \
                      (uint64_t)s->name[i], (uint64_t)from->name[i], width);
#define ONAGER_VAR_UNPACK(width, name)                                                                                 \
    onager_unpack_run(words, offsetof(struct onager_bits, name), &s->name, sizeof(s->name), width, 1);
#define ONAGER_ARRAY_UNPACK(width, name, length)                                                                       \
    onager_unpack_run(words, offsetof(struct onager_bits, name), s->name, sizeof(s->name[0]), width, length);
#define ONAGER_VAR_PART(width, name)                                                                                   \
    onager_add_part(&part, word, offsetof(state, name), sizeof(((state *)0)->name), width, 1);
#define ONAGER_ARRAY_PART(width, name, length)                                                                         \
    onager_add_part(&part, word, offsetof(state, name), sizeof(((state *)0)->name[0]), width, length);

/* ---- What a model's functions may call
 * ---------------------------------------------------------------------------- */

#define ONAGER_CALL __attribute__((unused)) static

/* Something that the modeller believes impossible has happened: the check ends with this message and the execution that
 * led here. May be called in every function of the model. */
ONAGER_CALL void model_error(const char *message);

/* For transition_name: like printf, into one of a few buffers that are used in turn. */
ONAGER_CALL const char *format(const char *fmt, ...);

/* In obligations(s, t, set): if t is in the stubborn set, so must be these. Any number of transitions in one call, any
 * number of calls. Naming t itself has no effect. */
typedef struct stubborn stubborn;
#define stb(set, ...)                                                                                                  \
    onager_oblige(set, (const unsigned[]){__VA_ARGS__}, sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))
ONAGER_CALL void stb_all(stubborn *set);

/* ---- The model ----------------------------------------------------------------------------------------------------
 * MODEL(.transitions = ..., .fire = ..., ...) stands once, at the end of the file. All but the first two may be
 * absent. */
#define MODEL(...) static const struct onager_model onager_model = {__VA_ARGS__};

struct onager_model {
    unsigned transitions;                          /* they are numbered 0, 1, ..., transitions-1 */
    void (*initial)(state *s);                     /* s is all 0; make it the initial state */
    bool (*fire)(state *s, unsigned t);            /* occur and return true, or leave s alone and return false */
    const char *(*check_state)(const state *s);    /* NULL: good; else what is wrong */
    const char *(*check_deadlock)(const state *s); /* where nothing is enabled; NULL: it may end here */
    bool (*may_progress)(const state *s);          /* from every state, such a state must be reachable */
    bool (*must_progress)(const state *s);         /* every cycle must contain such a state */
    void (*obligations)(const state *s, unsigned t, stubborn *set); /* for --stubborn */
    void (*symmetry)(state *s);                     /* for --symmetry: change s to the representative of its orbit */
    void (*print_state)(const state *s, FILE *out); /* one line, without the newline */
    const char *(*transition_name)(unsigned t);
    const char *(*action)(const state *s, unsigned t); /* what an observer sees when t occurs in s; NULL: nothing */
    bool (*observable)(unsigned t); /* may t be seen, or change what is seen of others? for --stubborn with --tester */
    bool progress_is_symmetric;     /* may_progress and must_progress answer the same on symmetric states */
};
static const struct onager_model onager_model; /* so that a file without MODEL(...) can be told so */

#include <onager/pack.h>
#include <onager/calls.h>
#include <onager/plugin.h>

#endif
