#include "lts/renaming.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lts/label_list.h"

/* ---- Rules ---- */

static bool is_quoted(const char *text) {
    size_t n = strlen(text);
    return n >= 2 && text[0] == '"' && text[n - 1] == '"';
}

static int stars(const char *text) {
    int n = 0;
    for (; (text = strchr(text, '*')); text++) n++;
    return n;
}

static struct relabel_rule *add_rule(struct relabelling *r, const char *option, const char *pattern) {
    r->rule = memory_resize(r->rule, (r->count + 1) * sizeof *r->rule);
    struct relabel_rule *rule = &r->rule[r->count++];
    *rule = (struct relabel_rule){.option = option, .pattern = label_unquoted(pattern), .exact = is_quoted(pattern)};
    return rule;
}

static bool add_plain(struct relabelling *r, const char *option, const char *item, struct problem *why) {
    if (!*item)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--%s needs labels with commas between them, and one is empty: --%s a,b*", option, option);
    add_rule(r, option, item);
    return true;
}

/* Where the '=' is that is not inside quotes, or NULL. */
static const char *find_equals(const char *item) {
    bool quoted = false;
    for (; *item; item++) {
        if (*item == '"') quoted = !quoted;
        if (*item == '=' && !quoted) return item;
    }
    return NULL;
}

static bool check_rename(const struct relabel_rule *rule, const char *item, struct problem *why) {
    if (!*rule->pattern || !*rule->name)
        return problem_set(why, EXIT_BAD_INPUT, "--rename %s: a name is empty; write OLD=NEW", item);
    if (strcmp(rule->name, "tau") == 0)
        return problem_set(why, EXIT_BAD_INPUT, "--rename %s: tau is the invisible action; write --hide '%s'", item,
                           rule->pattern);
    if (strpbrk(rule->name, "\r\n"))
        return problem_set(why, EXIT_BAD_INPUT, "--rename %s: there is an end of line in the new name", item);
    if (stars(rule->name) > 1 || (stars(rule->name) == 1 && (rule->exact || stars(rule->pattern) != 1)))
        return problem_set(why, EXIT_BAD_INPUT,
                           "--rename %s: the * of the new name stands for what the * of the old one does, so each must "
                           "have one: a*=b*",
                           item);
    return true;
}

static bool add_rename(struct relabelling *r, const char *option, const char *item, struct problem *why) {
    const char *equals = find_equals(item);
    if (!equals) return problem_set(why, EXIT_BAD_INPUT, "--rename %s: write OLD=NEW, as in --rename a=b,c=d", item);
    char *before = text_format("%.*s", (int)(equals - item), item);
    char *old = label_trimmed(before), *new = label_trimmed(equals + 1);
    struct relabel_rule *rule = add_rule(r, option, old);
    rule->name = label_unquoted(new);
    free(before);
    free(old);
    free(new);
    return check_rename(rule, item, why);
}

static bool add_list(struct relabelling *r, const char *option, const char *list,
                     bool (*add)(struct relabelling *, const char *, const char *, struct problem *),
                     struct problem *why) {
    size_t count;
    if (!list) return true;
    char **items = label_list_split(list, &count);
    bool good = count > 0 || add(r, option, "", why);
    for (size_t i = 0; i < count && good; i++) good = add(r, option, items[i], why);
    label_list_free(items, count);
    return good;
}

bool relabelling_read(struct relabelling *r, const char *hide, const char *show, const char *rename,
                      struct problem *why) {
    *r = (struct relabelling){.show = show != NULL};
    if (hide && show)
        return problem_set(why, EXIT_BAD_INPUT,
                           "--hide says what becomes invisible, --show what does not: leave one of them out");
    if (add_list(r, "hide", hide, add_plain, why) && add_list(r, "show", show, add_plain, why) &&
        add_list(r, "rename", rename, add_rename, why))
        return true;
    relabelling_fini(r);
    return false;
}

void relabelling_fini(struct relabelling *r) {
    for (size_t i = 0; i < r->count; i++) {
        free(r->rule[i].pattern);
        free(r->rule[i].name);
    }
    free(r->rule);
    *r = (struct relabelling){0};
}

/* ---- Labels ---- */

static bool matches(const struct relabel_rule *rule, const char *label) {
    return rule->exact ? strcmp(rule->pattern, label) == 0 : label_matches(rule->pattern, label);
}

/* The new name, to be freed. */
static char *renamed(const struct relabel_rule *rule, const char *label) {
    const char *star = strchr(rule->name, '*');
    if (!star) return memory_copy_string(rule->name);
    size_t before = (size_t)(strchr(rule->pattern, '*') - rule->pattern);
    size_t rest = strlen(label) + 1 - strlen(rule->pattern); /* what the star stands for */
    return text_format("%.*s%.*s%s", (int)(star - rule->name), rule->name, (int)rest, label + before, star + 1);
}

/* The number of the label in the new alphabet. */
static uint32_t new_label(struct relabelling *r, const char *label, struct names *to) {
    bool hidden = r->show, is_renamed = false;
    char *name = memory_copy_string(label);
    for (size_t i = 0; i < r->count; i++) {
        struct relabel_rule *rule = &r->rule[i];
        if (!matches(rule, label)) continue;
        rule->used = true;
        if (!rule->name) hidden = !r->show;
        else if (!is_renamed) {
            is_renamed = true;
            free(name);
            name = renamed(rule, label);
        }
    }
    uint32_t number = hidden ? (uint32_t)LTS_TAU : names_add(to, name);
    free(name);
    return number;
}

void lts_relabel(struct lts *l, struct relabelling *r) {
    struct names labels;
    if (r->count == 0) return;
    uint32_t *number = memory_get(l->labels.count * sizeof *number);
    names_init(&labels);
    number[LTS_TAU] = names_add(&labels, l->labels.text[LTS_TAU]);
    assert(number[LTS_TAU] == LTS_TAU);
    for (uint32_t a = 1; a < l->labels.count; a++) number[a] = new_label(r, l->labels.text[a], &labels);
    for (uint64_t e = 0; e < l->edges; e++) l->edge[e].label = number[l->edge[e].label];
    lts_tidy(l);
    names_fini(&l->labels);
    l->labels = labels;
    free(number);
}
