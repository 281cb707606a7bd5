#include "cli/label_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void label_list_split(const char *list, struct names *labels) {
    names_add(labels, "tau");
    while (*list) {
        size_t length = 0;
        int depth = 0;
        bool quoted = false;
        for (; list[length] && (list[length] != ',' || depth > 0 || quoted); length++) {
            if (list[length] == '"') quoted = !quoted;
            if (!quoted && strchr("([{", list[length])) depth++;
            if (!quoted && strchr(")]}", list[length])) depth--;
        }
        bool quotes = length > 1 && list[0] == '"' && list[length - 1] == '"';
        char *label = memory_get(length + 1);
        memcpy(label, list + quotes, length - 2 * quotes);
        label[length - 2 * quotes] = 0;
        if (*label) names_add(labels, label);
        free(label);
        list += length + (list[length] == ',');
    }
}
