#include "store/identity.h"

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
    add(id, memory_copy_string(label), memory_copy_string(value ? value : ""));
}

void identity_add_number(struct identity *id, const char *label, int64_t value) {
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

void identity_of_model(struct identity *id, const struct ts *ts) {
    identity_add(id, "onager version", ONAGER_VERSION);
    for (uint32_t i = 0; i < ts->parameter_count; i++) {
        char *label = text_format("parameter %s", ts->parameters[i].name);
        identity_add_number(id, label, ts->parameters[i].value);
        free(label);
    }
    identity_add(id, "a model with hash", ts->identity);
    identity_add_number(id, "states with bits", ts->bits);
    identity_add_number(id, "states with words", ts->words);
    identity_add_number(id, "a model with transitions", ts->transitions);
}

static const char *last_word(const char *label) {
    const char *space = strrchr(label, ' ');
    return space ? space + 1 : label;
}

bool identity_same(const struct identity *then, const struct identity *now, const char *what, struct problem *why) {
    for (size_t i = 0; i < then->count; i++) {
        const struct identity_entry *e = &then->entries[i];
        const char *value = identity_value(now, e->label), *name = last_word(e->label);
        if (!value)
            return problem_set(why, EXIT_BAD_INPUT, "the %s is of %s=%s, now there is no %s", what, e->label, e->value,
                               name);
        if (strcmp(value, e->value) != 0)
            return problem_set(why, EXIT_BAD_INPUT, "the %s is of %s=%s, now %s=%s", what, e->label, e->value, name,
                               value);
    }
    for (size_t i = 0; i < now->count; i++)
        if (!identity_value(then, now->entries[i].label))
            return problem_set(why, EXIT_BAD_INPUT, "the %s knows no %s, now %s=%s", what, now->entries[i].label,
                               last_word(now->entries[i].label), now->entries[i].value);
    return true;
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
