#include "report/execution/pictures.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/execution/forms.h"

static char *as_json(const json_t *document) {
    char *text = json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(6)),
         *line = text_format("%s\n", text ? text : "");
    free(text);
    return line;
}

static const struct {
    const char *suffix;
    char *(*make)(const json_t *document);
} kinds[] = {{".json", as_json}, {".svg", pictures_svg}, {".mmd", pictures_mermaid}, {".html", pictures_html}};

enum { KINDS = sizeof kinds / sizeof *kinds };

bool pictures_know(const char *path) {
    for (int i = 0; i < KINDS; i++)
        if (text_ends_with(path, kinds[i].suffix)) return true;
    return false;
}

bool pictures_write(const json_t *document, const char *path, struct problem *why) {
    assert(pictures_know(path));
    int i = 0;
    while (i + 1 < KINDS && !text_ends_with(path, kinds[i].suffix)) i++;
    char *text = kinds[i].make(document);
    bool fine = files_write_new(path, text, strlen(text), why);
    free(text);
    return fine;
}

/* ---- Sequence charts ---- */

/* Text where <, > and & mean something; control characters have no place there. */
static void print_escaped(const char *text, FILE *out) {
    for (; *text; text++) {
        if (*text == '<') fputs("&lt;", out);
        else if (*text == '>') fputs("&gt;", out);
        else if (*text == '&') fputs("&amp;", out);
        else if (*text == '"') fputs("&quot;", out);
        else fputc((unsigned char)*text < ' ' ? '?' : *text, out);
    }
}

enum { HEAD = 46, DOWN = 28, LETTER = 7, LEAST = 130 };

struct drawing {
    struct pages pages;
    size_t *place; /* of each process, among those that take part in something; SIZE_MAX: in nothing */
    size_t count, steps;
    size_t across; /* from one line to the next */
};

static void drawing_init(struct drawing *d, const json_t *document, FILE *out) {
    *d =
        (struct drawing){.pages = pages_of(json_object_get(document, "trace"), (struct look){0}, out), .across = LEAST};
    const struct pages *p = &d->pages;
    size_t all = json_array_size(p->processes);
    d->place = memory_get((all + 1) * sizeof *d->place);
    for (size_t k = 0; k < all; k++) d->place[k] = SIZE_MAX;
    d->steps = p->cycle_begins < p->count ? p->count : p->count - 1;
    for (size_t i = 1; i <= d->steps; i++) {
        size_t k;
        json_t *one;
        json_array_foreach(pages_processes(p, i), k, one) if ((size_t)json_integer_value(one) < all)
            d->place[json_integer_value(one)] = 0;
    }
    for (size_t k = 0; k < all; k++)
        if (d->place[k] == 0) {
            size_t width = text_columns(json_string_value(json_array_get(p->processes, k))) * LETTER + 20;
            if (width > d->across) d->across = width;
            d->place[k] = d->count++;
        }
}

/* The places of the first and the last who take part; false: nobody does. */
static bool ends_of(const struct drawing *d, size_t i, size_t *first, size_t *last) {
    size_t k, all = json_array_size(d->pages.processes);
    json_t *one;
    *first = SIZE_MAX;
    *last = 0;
    json_array_foreach(pages_processes(&d->pages, i), k, one) {
        size_t process = (size_t)json_integer_value(one);
        if (process >= all) continue;
        if (d->place[process] < *first) *first = d->place[process];
        if (d->place[process] > *last) *last = d->place[process];
    }
    return *first != SIZE_MAX;
}

/* What is left of the name without the process; the name, if that and the changes are nothing. */
static const char *label_of(const struct drawing *d, size_t i) {
    const char *name = pages_name(&d->pages, i), *rest = pages_rest(&d->pages, name);
    bool tells = i < d->pages.count && !d->pages.network &&
                 json_array_size(json_object_get(pages_step(&d->pages, i), "changed")) > 0;
    return *rest || tells ? rest : name;
}

/* What the step changed, for C models, where that tells more than a name. */
static void print_changed(const struct drawing *d, size_t i, FILE *out, void (*print)(const char *text, FILE *out)) {
    if (i >= d->pages.count || d->pages.network) return;
    size_t k;
    json_t *one;
    json_array_foreach(json_object_get(pages_step(&d->pages, i), "changed"), k, one) {
        fputc(' ', out);
        print(json_string_value(json_array_get(one, 0)), out);
        fputs("=", out);
        print(json_string_value(json_array_get(one, 2)), out);
    }
}

static size_t place(const struct drawing *d, size_t k) { return d->across / 2 + 30 + k * d->across; }

static void svg_rule(const struct drawing *d, size_t y, const char *colour, const char *what, FILE *out) {
    fprintf(out, "<line x1=\"10\" x2=\"%zu\" y1=\"%zu\" y2=\"%zu\" stroke=\"%s\" stroke-dasharray=\"6 3\"/>\n",
            place(d, d->count) + 120, y, y, colour);
    fprintf(out, "<text x=\"10\" y=\"%zu\" fill=\"%s\" font-size=\"10\">%s</text>\n", y - 3, colour, what);
}

static void svg_step(const struct drawing *d, size_t i, FILE *out) {
    size_t first, last, y = HEAD + i * DOWN;
    if (i == d->pages.no_return) svg_rule(d, y - 12, "#b00", "no return", out);
    if (i == d->pages.cycle_begins + 1) svg_rule(d, y - 12, "#06c", "cycle", out);
    fprintf(out, "<text x=\"24\" y=\"%zu\" text-anchor=\"end\" fill=\"#777\">%zu</text>\n", y + 4, i);
    if (!ends_of(d, i, &first, &last)) return;
    size_t x = place(d, first), to = place(d, last);
    if (first < last)
        fprintf(out, "<line x1=\"%zu\" x2=\"%zu\" y1=\"%zu\" y2=\"%zu\" stroke=\"#333\" stroke-width=\"1.5\"/>\n", x,
                to, y, y);
    size_t k;
    json_t *one;
    json_array_foreach(pages_processes(&d->pages, i), k, one) fprintf(
        out, "<circle cx=\"%zu\" cy=\"%zu\" r=\"4\" fill=\"#333\"/>\n", place(d, d->place[json_integer_value(one)]), y);
    fprintf(out, "<text x=\"%zu\" y=\"%zu\" class=\"l\">", x + 8, y - 5);
    print_escaped(label_of(d, i), out);
    print_changed(d, i, out, print_escaped);
    fputs("</text>\n", out);
}

char *pictures_svg(const json_t *document) {
    struct drawing d;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    drawing_init(&d, document, out);
    size_t width = place(&d, d.count) + 140, height = HEAD + (d.steps + 1) * DOWN + 10;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" viewBox=\"0 0 %zu %zu\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>.l{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            width, height, width, height);
    for (size_t k = 0; k < json_array_size(d.pages.processes); k++) {
        if (d.place[k] == SIZE_MAX) continue;
        size_t x = place(&d, d.place[k]);
        fprintf(out, "<line x1=\"%zu\" x2=\"%zu\" y1=\"%d\" y2=\"%zu\" stroke=\"#bbb\"/>\n", x, x, HEAD - 16,
                height - 10);
        fprintf(out, "<text x=\"%zu\" y=\"%d\" text-anchor=\"middle\" font-weight=\"bold\">", x, HEAD - 22);
        print_escaped(json_string_value(json_array_get(d.pages.processes, k)), out);
        fputs("</text>\n", out);
    }
    for (size_t i = 1; i <= d.steps; i++) svg_step(&d, i, out);
    fputs("</svg>\n", out);
    fclose(out);
    free(d.place);
    return text;
}

/* In Mermaid, # and ; mean something, and lines end a statement. */
static void print_mermaid(const char *text, FILE *out) {
    for (; *text; text++) {
        if (strchr("#;<>\"{}", *text)) fprintf(out, "#%d;", *text);
        else fputc((unsigned char)*text < ' ' ? '?' : *text, out);
    }
}

char *pictures_mermaid(const json_t *document) {
    struct drawing d;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    drawing_init(&d, document, out);
    fputs("sequenceDiagram\n    autonumber\n", out);
    for (size_t k = 0; k < json_array_size(d.pages.processes); k++) {
        if (d.place[k] == SIZE_MAX) continue;
        fprintf(out, "    participant p%zu as ", d.place[k]);
        print_mermaid(json_string_value(json_array_get(d.pages.processes, k)), out);
        fputc('\n', out);
    }
    bool open = false;
    for (size_t i = 1; i <= d.steps; i++) {
        size_t first, last;
        if (i == d.pages.cycle_begins + 1) {
            fputs("    loop for ever\n", out);
            open = true;
        }
        if (!ends_of(&d, i, &first, &last)) continue;
        fprintf(out, "    p%zu->>p%zu: ", first, last);
        print_mermaid(label_of(&d, i), out);
        print_changed(&d, i, out, print_mermaid);
        fputc('\n', out);
    }
    if (open) fputs("    end\n", out);
    fclose(out);
    free(d.place);
    return text;
}
