/* The forms that tell what each process does: lanes, stories and charts. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/execution/forms.h"

static bool is_in(const json_t *processes, size_t p) {
    size_t i;
    json_t *one;
    json_array_foreach(processes, i, one) if ((size_t)json_integer_value(one) == p) return true;
    return false;
}

static size_t last_step(const struct pages *p) { return p->cycle_begins < p->count ? p->count : p->count - 1; }

/* Those who take part in some step, in order; to be freed. */
static size_t *active(const struct pages *p, size_t *count) {
    size_t all = json_array_size(p->processes), *list = memory_get((all + 1) * sizeof *list);
    bool *seen = memory_get_zeroed(all + 1);
    for (size_t i = 1; i <= last_step(p); i++) {
        size_t k;
        json_t *one;
        json_array_foreach(pages_processes(p, i), k, one) {
            size_t process = (size_t)json_integer_value(one);
            if (json_is_integer(one) && process < all) seen[process] = true;
        }
    }
    *count = 0;
    for (size_t i = 0; i < all; i++)
        if (seen[i]) list[(*count)++] = i;
    free(seen);
    return list;
}

static const char *process_name(const struct pages *p, size_t process) {
    const char *name = json_string_value(json_array_get(p->processes, process));
    return name ? name : "?";
}

static unsigned number_width(const struct pages *p) {
    unsigned width = 1;
    for (size_t n = p->count; n >= 10; n /= 10) width++;
    return width;
}

/* What step i is called in the column of a process, and, of C models, what it changes; to be freed. */
static char *cell_text(const struct pages *p, size_t i) {
    char *text = memory_copy_string(pages_rest(p, pages_name(p, i)));
    const json_t *list = i < p->count && !p->network ? json_object_get(pages_step(p, i), "changed") : NULL;
    json_t *one;
    size_t k;
    json_array_foreach(list, k, one) {
        const char *what = json_string_value(json_array_get(one, 0)), *to = json_string_value(json_array_get(one, 2));
        char *longer = text_format("%s%s%s=%s", text, *text ? " " : "", what ? what : "", to ? to : "");
        free(text);
        text = longer;
    }
    if (*text) return text;
    free(text);
    return memory_copy_string(i < p->count ? "*" : "(again)");
}

/* ---- Lanes ---- */

enum { GAP = 2, LEAST_CELL = 10, MOST_CELL = 36, USUAL_WIDTH = 120 };

/* How much of the text fits in `width` places, broken at spaces where there are some; spaces before the rest are
 * skipped. */
static const char *next_line(const char **rest, unsigned width, size_t *length) {
    const char *begin = *rest, *at = begin, *space = NULL;
    unsigned used = 0;
    while (*at && used < width) {
        if (*at == ' ' || (at > begin && strchr("=.:,", at[-1]))) space = at;
        for (at++; ((unsigned char)*at & 0xC0) == 0x80; at++) {}
        used++;
    }
    if (*at && *at != ' ' && space) at = space;
    *length = (size_t)(at - begin);
    while (*at == ' ') at++;
    *rest = at;
    return begin;
}

static void pad(const char *text, size_t length, unsigned width, bool last, FILE *out) {
    unsigned used = 0;
    for (size_t i = 0; i < length; i++) used += ((unsigned char)text[i] & 0xC0) != 0x80;
    fprintf(out, "%.*s", (int)length, text);
    if (!last) fprintf(out, "%*s", (int)(width - used + GAP), "");
}

/* A row of texts, each in its column, on as many lines as the longest needs. */
static void print_row(const char *number, unsigned number_columns, char **cells, size_t count, unsigned width,
                      FILE *out) {
    const char **rest = memory_get((count + 1) * sizeof *rest);
    for (size_t k = 0; k < count; k++) rest[k] = cells[k] ? cells[k] : "";
    for (bool more = true; more; number = "") {
        size_t last = 0;
        for (size_t k = 0; k < count; k++)
            if (*rest[k]) last = k;
        fprintf(out, "%*s  ", (int)number_columns, number);
        more = false;
        for (size_t k = 0; k <= last && k < count; k++) {
            size_t length;
            const char *begin = next_line(&rest[k], width, &length);
            pad(begin, length, width, k == last, out);
        }
        fputc('\n', out);
        for (size_t k = 0; k < count; k++) more |= *rest[k] != 0;
    }
    free(rest);
}

static unsigned widest_cell(const struct pages *p, const size_t *list, size_t count) {
    size_t widest = 1;
    for (size_t k = 0; k < count; k++) {
        size_t n = text_columns(process_name(p, list[k]));
        if (n > widest) widest = n;
    }
    for (size_t i = 1; i <= last_step(p); i++) {
        char *text = cell_text(p, i);
        if (text_columns(text) > widest) widest = text_columns(text);
        free(text);
    }
    return widest < MOST_CELL ? (unsigned)widest : MOST_CELL;
}

static void lane_row(const struct pages *p, size_t i, const size_t *list, size_t count, unsigned numbers,
                     unsigned width) {
    char **cells = memory_get_zeroed((count + 1) * sizeof *cells);
    char number[24];
    bool any = false;
    for (size_t k = 0; k < count; k++) {
        if (!is_in(pages_processes(p, i), list[k])) continue;
        cells[k] = cell_text(p, i);
        any = true;
    }
    snprintf(number, sizeof number, "%zu", i);
    if (any) print_row(number, numbers, cells, count, width, p->out);
    for (size_t k = 0; k < count; k++) free(cells[k]);
    free(cells);
}

static void lane_table(const struct pages *p, const size_t *list, size_t count, unsigned width) {
    unsigned numbers = number_width(p);
    char **heads = memory_get((count + 1) * sizeof *heads), *line = memory_get(width + 1);
    for (size_t k = 0; k < count; k++) heads[k] = memory_copy_string(process_name(p, list[k]));
    print_row("", numbers, heads, count, width, p->out);
    for (size_t k = 0; k < count; k++) free(heads[k]);
    memset(line, '-', width);
    line[width] = 0;
    for (size_t k = 0; k < count; k++) heads[k] = line;
    print_row("", numbers, heads, count, width, p->out);
    free(line);
    free(heads);
    for (size_t i = 0; i <= last_step(p); i++) {
        if (i < p->count) pages_rules(p, i);
        if (i > 0) lane_row(p, i, list, count, numbers, width);
    }
}

void pages_lanes(const struct pages *p) {
    size_t count, begin = 0;
    size_t *list = active(p, &count);
    unsigned width = widest_cell(p, list, count), all = p->look.width ? p->look.width : USUAL_WIDTH;
    unsigned room = all > number_width(p) + LEAST_CELL + GAP ? all - number_width(p) : LEAST_CELL + GAP;
    /* As many as there can be, narrower; then a table below the other. */
    unsigned narrow = count ? (unsigned)(room / count) : room;
    if (narrow < LEAST_CELL + GAP) narrow = LEAST_CELL + GAP;
    if (width > narrow - GAP) width = narrow - GAP;
    size_t fit = room / (width + GAP) ? room / (width + GAP) : 1;
    if (count == 0) fputs("(nobody moves)\n", p->out);
    for (; begin < count; begin += fit) {
        if (begin) fputc('\n', p->out);
        lane_table(p, list + begin, begin + fit < count ? fit : count - begin, width);
    }
    free(list);
    pages_waits(p);
}

/* ---- Each process's own story ---- */

static void story_end(const struct pages *p, size_t process) {
    size_t i;
    json_t *row;
    json_array_foreach(p->waits, i, row) {
        const char *who = json_string_value(json_object_get(row, "process"));
        const char *what = json_string_value(json_object_get(row, "transition"));
        const char *why = json_string_value(json_object_get(row, "why"));
        struct wrap w;
        if (!who || strcmp(who, process_name(p, process)) != 0) continue;
        unsigned indent = number_width(p) + 2;
        fprintf(p->out, "%*s", (int)indent, "");
        wrap_begin(&w, p, indent + 2, indent);
        wrap_words(&w, what ? "waits:" : "stops:");
        if (what) wrap_words(&w, p->network ? what : pages_rest(p, what));
        if (what && p->network) wrap_word(&w, "-", NULL);
        wrap_words(&w, why ? why : "");
        wrap_end(&w);
    }
}

void pages_stories(const struct pages *p) {
    unsigned numbers = number_width(p);
    for (size_t process = 0; process < json_array_size(p->processes); process++) {
        bool any = false, ruled = p->cycle_begins > p->count;
        fprintf(p->out, "%s%s:\n", process ? "\n" : "", process_name(p, process));
        for (size_t i = 1; i <= last_step(p); i++) {
            struct wrap w;
            if (!is_in(pages_processes(p, i), process)) continue;
            if (!ruled && i > p->cycle_begins) fputs("----------\n", p->out);
            ruled |= i > p->cycle_begins;
            char *text = cell_text(p, i);
            fprintf(p->out, "%*zu  ", (int)numbers, i);
            wrap_begin(&w, p, numbers + 2, numbers + 2);
            wrap_words(&w, text);
            wrap_end(&w);
            free(text);
            any = true;
        }
        if (!any) fprintf(p->out, "%*s  (does nothing)\n", (int)numbers, "");
        story_end(p, process);
    }
}

/* ---- Charts ---- */

/* The lines of the processes, and on them those who take part; to be freed. */
static char *chart_line(const struct pages *p, size_t i, const size_t *list, size_t count, unsigned step) {
    size_t length = count * step, first = count, last = 0;
    char *line = memory_get(length + 1);
    memset(line, ' ', length);
    line[length] = 0;
    for (size_t k = 0; k < count; k++) {
        if (!is_in(pages_processes(p, i), list[k])) continue;
        if (first == count) first = k;
        last = k;
    }
    if (first < last) memset(line + first * step, '-', (last - first) * step);
    for (size_t k = 0; k < count; k++) {
        bool part = is_in(pages_processes(p, i), list[k]);
        char mark = part ? first == last ? '*' : 'o' : k > first && k < last ? '+' : '|';
        line[k * step] = mark;
    }
    return line;
}

static void chart_heads(const struct pages *p, const size_t *list, size_t count, unsigned step, unsigned numbers) {
    for (size_t k = 0; k < count; k++) {
        fprintf(p->out, "%*s  ", (int)numbers, "");
        for (size_t before = 0; before < k; before++) fprintf(p->out, "%-*s", (int)step, "|");
        struct wrap w;
        unsigned column = numbers + 2 + (unsigned)k * step;
        wrap_begin(&w, p, column, column);
        wrap_words(&w, process_name(p, list[k]));
        wrap_end(&w);
    }
}

void pages_chart(const struct pages *p) {
    size_t count;
    size_t *list = active(p, &count);
    unsigned numbers = number_width(p), step = 4, room = p->look.width ? p->look.width : 1000;
    while (step > 2 && numbers + 2 + count * step + LEAST_CELL > room) step--;
    if (numbers + 2 + count * step + LEAST_CELL > room) {
        fprintf(p->out,
                "(a chart of %zu processes needs a wider terminal: lanes and by-process do not, nor does a picture)\n",
                count);
        free(list);
        return;
    }
    chart_heads(p, list, count, step, numbers);
    for (size_t i = 1; i <= last_step(p); i++) {
        struct wrap w;
        if (i < p->count) pages_rules(p, i);
        char *line = chart_line(p, i, list, count, step), *text = cell_text(p, i);
        unsigned indent = numbers + 2 + (unsigned)(count * step);
        fprintf(p->out, "%*zu  %s", (int)numbers, i, line);
        wrap_begin(&w, p, indent, indent);
        wrap_words(&w, p->network ? pages_name(p, i) : text);
        wrap_end(&w);
        free(text);
        free(line);
    }
    free(list);
    pages_waits(p);
}
