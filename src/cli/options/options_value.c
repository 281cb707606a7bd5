#include "cli/options/options_value.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suffix.h"
#include "base/text.h"
#include "explore/engine.h"
#include "lts/relation.h"
#include "report/execution/forms.h"

static bool value_given_twice(const struct ts_parameter *first, const char *second, struct problem *why) {
    return problem_set(why, EXIT_BAD_INPUT, "-p %s is given twice, as %lld and as %s: one value at a time", first->name,
                       (long long)first->value, second);
}

/* NAME=VALUE, or NAME alone. */
static bool add_parameter(struct options *o, char *text, struct problem *why) {
    char *equals = strchr(text, '=');
    int64_t value = 1;
    if (equals) *equals = 0;
    if (!text_is_identifier(text))
        return problem_set(why, EXIT_BAD_INPUT, "-p %s%s%s: write -p NAME=VALUE, as in -p n=5", text, equals ? "=" : "",
                           equals ? equals + 1 : "");
    if (equals && !text_to_int(equals + 1, INT_MIN, INT_MAX, &value))
        return problem_set(why, EXIT_BAD_INPUT, "-p %s=%s: the value must be a whole number from %d to %d", text,
                           equals + 1, INT_MIN, INT_MAX);
    for (size_t i = 0; i < o->parameter_count; i++)
        if (strcmp(o->parameters[i].name, text) == 0)
            return value_given_twice(&o->parameters[i], equals ? equals + 1 : "1", why);
    o->parameters = memory_resize(o->parameters, (o->parameter_count + 1) * sizeof *o->parameters);
    o->parameters[o->parameter_count++] = (struct ts_parameter){.name = text, .value = value, .bare = !equals};
    return true;
}

static bool set_relation(int *target, const char *option, const char *text, struct problem *why) {
    enum lts_relation r;
    bool good = relation_parse(option, text, RELATION_NAMES, &r, why);
    *target = (int)r;
    return good;
}

/* The words of options that take one of several, and the number of the first: 1 where 0 says that none was given. */
static const struct {
    const char *words;
    int first;
} choices[] = {
    [TAKES_TABLES] = {"auto always never", 0},
    [TAKES_RULES] = {"auto written derived both", 0},
    [TAKES_REDUCE] = {"no auto", 0},
    [TAKES_SCAN] = {"backward forward", 0},
    [TAKES_STORE] = {"exact hash-compact bitstate", 0},
    [TAKES_OVERFLOW] = {"stop bitstate", 0},
    [TAKES_ORDER] = {&ORDER_WORDS[1], 0},
    [TAKES_ENGINE] = {&STATES_WORDS[1], 0},
    [TAKES_PRESERVE] = {"all deadlocks deadlock-traces traces fair-testing tree-failures", 1},
    [TAKES_METHOD] = {"esc cheapest deletion", 1},
    [TAKES_TARGET] = {"summary hoa states testing dot testing-dot spin-never unfolded", 0},
    [TAKES_FORM] = {FORM_WORDS, 1},
    [TAKES_ALGORITHM] = {&ALGORITHM_WORDS[1], 1},
    [TAKES_FAVOUR] = {"first last", 1},
    [TAKES_FORMAT] = {"aut fsm lts", FILE_AUT}, /* these follow each other in enum file_kind */
    [TAKES_WRITTEN_FORMAT] = {"aut fsm lts dot", FILE_AUT},
};

const char *option_words(enum option_kind kind) {
    return kind < sizeof choices / sizeof *choices ? choices[kind].words : NULL;
}

static bool set_choice(int *target, enum option_kind kind, const char *text) {
    assert(kind < sizeof choices / sizeof *choices &&
           choices[kind].words); /* all other kinds have cases of their own */
    if (!text_choice(text, choices[kind].words, target)) return false;
    *target += choices[kind].first;
    return true;
}

/* "'a', 'b' or 'c'", of "a b c". To be freed. */
static char *list_words(const char *words) {
    char *list = memory_copy_string("");
    for (const char *gap = ""; *words;) {
        size_t n = strcspn(words, " ");
        char *longer = text_format("%s%s'%.*s'", list, gap, (int)n, words);
        free(list);
        list = longer;
        words += n + (words[n] == ' ');
        gap = strchr(words, ' ') ? ", " : " or ";
    }
    return list;
}

static bool unfit(const struct option_row *row, const char *text, struct problem *why) {
    static const char *const examples[] = {
        [TAKES_NUMBER] = "a positive whole number, at most 2^63 - 1",
        [TAKES_SIZE] = "a size such as 500M or 2G, above zero and below 8388608T",
        [TAKES_SECONDS] = "a time such as 10s or 5m, above zero",
    };
    assert(row->kind < sizeof choices / sizeof *choices);
    const char *words = choices[row->kind].words;
    assert(words || examples[row->kind]);
    char *must = words ? list_words(words) : memory_copy_string(examples[row->kind]);
    problem_set(why, EXIT_BAD_INPUT, "--%s %s: it must be %s", row->name, text, must);
    free(must);
    return false;
}

bool option_set(struct options *o, const struct option_row *row, char *text, struct problem *why) {
    assert(row->offset < sizeof *o);
    void *target = (char *)o + row->offset;
    int64_t number;
    bool good = true;
    switch (row->kind) {
    case TAKES_NOTHING: *(bool *)target = true; break;
    case TAKES_ONE_TEXT:
    case TAKES_TEXT: *(const char **)target = text; break;
    case TAKES_PARAMETER: return add_parameter(o, text, why);
    case TAKES_NUMBER:
        good = text_to_int(text, 1, INT64_MAX, &number);
        if (good) *(uint64_t *)target = (uint64_t)number;
        break;
    case TAKES_SIZE: good = text_to_size(text, target) && *(uint64_t *)target > 0; break;
    case TAKES_SECONDS: good = text_to_seconds(text, target) && *(double *)target > 0; break;
    case TAKES_RELATION: return set_relation(target, row->name, text, why);
    default: good = set_choice(target, row->kind, text);
    }
    return good || unfit(row, text, why);
}
