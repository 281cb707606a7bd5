#include "lts/label_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

size_t label_list_item(const char *list) {
    size_t length = 0;
    int depth = 0;
    bool quoted = false;
    for (; list[length] && (list[length] != ',' || depth > 0 || quoted); length++) {
        if (list[length] == '"') quoted = !quoted;
        if (!quoted && strchr("([{", list[length])) depth++;
        if (!quoted && strchr(")]}", list[length])) depth--;
    }
    return length;
}

/* Without the blanks around it. To be freed. */
static char *trimmed(const char *text, size_t length) {
    for (; length > 0 && *text == ' '; text++) length--;
    while (length > 0 && text[length - 1] == ' ') length--;
    return text_format("%.*s", (int)length, text);
}

char *label_trimmed(const char *text) { return trimmed(text, strlen(text)); }

char **label_list_split(const char *list, size_t *count) {
    char **items = NULL;
    *count = 0;
    for (bool more = *list; more;) {
        size_t length = label_list_item(list);
        items = memory_resize(items, (*count + 1) * sizeof *items);
        items[(*count)++] = trimmed(list, length);
        more = list[length] == ',';
        list += length + more;
    }
    return items;
}

void label_list_free(char **items, size_t count) {
    for (size_t i = 0; i < count; i++) free(items[i]);
    free(items);
}

void label_unquote(const char **text, size_t *length) {
    if (*length < 2 || (*text)[0] != '"' || (*text)[*length - 1] != '"') return;
    ++*text;
    *length -= 2;
}

char *label_unquoted(const char *text) {
    size_t length = strlen(text);
    label_unquote(&text, &length);
    return text_format("%.*s", (int)length, text);
}

/* A star first takes nothing; when the rest does not match, the last one takes one character more. */
bool label_matches(const char *pattern, const char *label) {
    const char *star = NULL, *taken = NULL;
    while (*label) {
        if (*pattern == '*') {
            star = ++pattern;
            taken = label;
        } else if (*pattern == *label) {
            pattern++;
            label++;
        } else if (star) {
            pattern = star;
            label = ++taken;
        } else return false;
    }
    while (*pattern == '*') pattern++;
    return !*pattern;
}

void label_list_add(const char *list, struct names *labels) {
    size_t count;
    char **items = label_list_split(list, &count);
    names_add(labels, "tau");
    for (size_t i = 0; i < count; i++) {
        char *label = label_unquoted(items[i]);
        if (*label) names_add(labels, label);
        free(label);
    }
    label_list_free(items, count);
}
