#include "store/identity.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/version.h"

enum { MOST_ENTRIES = 10000, MOST_TEXT = 1 << 20 }; /* what is taken from a file */

void identity_fini(struct identity *id) {
    for (size_t i = 0; i < id->count; i++) {
        free(id->entries[i].label);
        free(id->entries[i].value);
    }
    free(id->entries);
    *id = (struct identity){0};
}

/* Takes both texts. */
static void add(struct identity *id, char *label, char *value) {
    id->entries = memory_resize(id->entries, (id->count + 1) * sizeof *id->entries);
    id->entries[id->count++] = (struct identity_entry){label, value};
}

void identity_add(struct identity *id, const char *label, const char *value) {
    assert(!identity_value(id, label)); /* a label has one value */
    add(id, memory_copy_string(label), memory_copy_string(value ? value : ""));
}

void identity_add_number(struct identity *id, const char *label, int64_t value) {
    assert(!identity_value(id, label));
    add(id, memory_copy_string(label), text_format("%" PRId64, value));
}

void identity_add_flag(struct identity *id, const char *label, bool value) {
    identity_add(id, label, value ? "yes" : "no");
}

const char *identity_value(const struct identity *id, const char *label) {
    for (size_t i = 0; i < id->count; i++)
        if (strcmp(id->entries[i].label, label) == 0) return id->entries[i].value;
    return NULL;
}

static const char hash_label[] = "a model with hash";

void identity_of_model(struct identity *id, const struct ts *ts) {
    if (ts->path) identity_add(id, IDENTITY_FILE, text_file_name(ts->path));
    identity_add(id, "onager version", ONAGER_VERSION);
    if (ts->process) identity_add(id, IDENTITY_PROCESS, ts->process);
    for (uint32_t i = 0; i < ts->parameter_count; i++) {
        char *label = text_format("parameter %s", ts->parameters[i].name);
        identity_add_number(id, label, ts->parameters[i].value);
        free(label);
    }
    identity_add(id, hash_label, ts->identity);
    identity_add_number(id, "states with bits", ts->bits);
    identity_add_number(id, "states with words", ts->words);
    identity_add_number(id, "a model with transitions", ts->transitions);
}

static const char *last_word(const char *label) {
    const char *space = strrchr(label, ' ');
    return space ? space + 1 : label;
}

const char *identity_other_file(const struct identity *then, const char *path) {
    const char *name = identity_value(then, IDENTITY_FILE);
    return name && path && strcmp(name, text_file_name(path)) != 0 ? name : NULL;
}

static bool is_note(const struct identity_entry *e) { return strcmp(e->label, IDENTITY_FILE) == 0; }

/* Whether both are of models, but not of the same text. */
static bool other_text(const struct identity *then, const struct identity *now) {
    const char *one = identity_value(then, hash_label), *other = identity_value(now, hash_label);
    return one && other && strcmp(one, other) != 0;
}

static bool text_changed(const struct identity *then, const struct identity *now, const char *what,
                         struct problem *why) {
    return problem_set(why, EXIT_BAD_INPUT,
                       "the %s is of %s=%s, now hash=%s: the text of the model, a file that it includes, onager's "
                       "headers or ONAGER_CFLAGS has changed since; restore what it was, or make the %s anew",
                       what, hash_label, identity_value(then, hash_label), identity_value(now, hash_label), what);
}

/* Adds one more to a list of differences. Takes both. */
static char *longer(char *list, char *one) {
    char *all = list ? text_format("%s; it %s", list, one) : one;
    if (list) free(one);
    free(list);
    return all;
}

/* All that differs, up to a text of the model that does, from which the rest would only follow; or NULL. */
static char *differences(const struct identity *then, const struct identity *now) {
    char *list = NULL;
    for (size_t i = 0; i < then->count; i++) {
        const struct identity_entry *e = &then->entries[i];
        const char *value = identity_value(now, e->label), *name = last_word(e->label);
        if (is_note(e) || (value && strcmp(value, e->value) == 0)) continue;
        if (strcmp(e->label, hash_label) == 0) break;
        list = longer(list, value ? text_format("is of %s=%s, now %s=%s", e->label, e->value, name, value)
                                  : text_format("is of %s=%s, now there is no %s", e->label, e->value, name));
    }
    for (size_t i = 0; i < now->count; i++) {
        const struct identity_entry *e = &now->entries[i];
        if (is_note(e) || identity_value(then, e->label)) continue;
        list = longer(list, text_format("knows no %s, now %s=%s", e->label, last_word(e->label), e->value));
    }
    return list;
}

bool identity_same(const struct identity *then, const struct identity *now, const char *what, struct problem *why) {
    bool other = other_text(then, now);
    const char *name = identity_value(now, IDENTITY_FILE), *file = identity_other_file(then, name);
    if (other && file)
        return problem_set(why, EXIT_BAD_INPUT, "the %s is of another model: %s, not %s", what, file, name);
    char *list = differences(then, now);
    if (list)
        problem_set(why, EXIT_BAD_INPUT, "the %s %s; give what it was made with, or make the %s anew", what, list,
                    what);
    else if (other) text_changed(then, now, what, why);
    free(list);
    return !list && !other;
}

bool identity_write(const struct identity *id, struct archive_writer *w, const char *section) {
    bool good = archive_section(w, section) && archive_write_number(w, id->count);
    for (size_t i = 0; good && i < id->count; i++)
        good = archive_write_text(w, id->entries[i].label) && archive_write_text(w, id->entries[i].value);
    return good;
}

bool identity_read(struct identity *id, struct archive_reader *r, const char *section, struct problem *why) {
    uint64_t count;
    if (!archive_enter(r, section, why) || !archive_get_number(r, &count, why)) return false;
    if (count > MOST_ENTRIES) return problem_set(why, EXIT_BAD_INPUT, "the file says too much about its origin");
    for (uint64_t i = 0; i < count; i++) {
        char *label = archive_get_text(r, MOST_TEXT, why);
        char *value = label ? archive_get_text(r, MOST_TEXT, why) : NULL;
        if (!value) return free(label), false;
        add(id, label, value);
    }
    return true;
}
