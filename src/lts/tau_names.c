#include "lts/tau_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lts/label_list.h"

void tau_met_fini(struct tau_met *m) {
    free(m->first);
    free(m->other);
    *m = (struct tau_met){0};
}

static bool same_name(const char *spelt, const char *text, size_t length) {
    size_t n = strlen(spelt);
    label_unquote(&spelt, &n);
    label_unquote(&text, &length);
    return n == length && memcmp(spelt, text, n) == 0;
}

void tau_met_note(struct tau_met *m, const char *text, size_t length) {
    if (!m || m->other) return;
    if (!m->first) m->first = text_format("%.*s", (int)length, text);
    else if (!same_name(m->first, text, length)) {
        label_unquote(&text, &length);
        m->other = text_format("%.*s", (int)length, text);
    }
}

static const char *usual(enum file_kind kind) { return kind == FILE_FSM || kind == FILE_MCRL2 ? "tau" : "i,tau"; }

bool tau_names_init(struct tau_names *t, const char *list, enum file_kind kind, struct problem *why) {
    char **items;
    *t = (struct tau_names){.given = list != NULL};
    items = label_list_split(list ? list : usual(kind), &t->count);
    t->name = memory_get((t->count + 1) * sizeof *t->name);
    bool good = t->count > 0;
    for (size_t i = 0; i < t->count; i++) {
        good &= *items[i] && !strpbrk(items[i], "\r\n");
        t->name[i] = label_unquoted(items[i]);
    }
    label_list_free(items, t->count);
    if (good) return true;
    tau_names_fini(t);
    return problem_set(why, EXIT_BAD_INPUT,
                       "--tau needs names of one line for the invisible action, with commas between them: --tau tau,i");
}

void tau_names_fini(struct tau_names *t) {
    label_list_free(t->name, t->count);
    *t = (struct tau_names){0};
}

bool tau_names_has(const struct tau_names *t, const char *text, size_t length) {
    for (size_t i = 0; i < t->count; i++)
        if (strlen(t->name[i]) == length && memcmp(text, t->name[i], length) == 0) return true;
    return false;
}

char *tau_names_spelling(const char *list, const struct tau_met *met, enum file_kind kind) {
    if (list) return text_format("%.*s", (int)label_list_item(list), list);
    if (kind == FILE_AUT && met && met->first) return memory_copy_string(met->first);
    list = usual(kind);
    return text_format("%.*s", (int)label_list_item(list), list);
}
