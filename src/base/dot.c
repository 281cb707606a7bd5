#include "base/dot.h"

#include <stdbool.h>

/* How many bytes the character at `at` has, or 0: it is not UTF-8. */
static int character(const char *at) {
    unsigned char c = (unsigned char)*at;
    int size = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    for (int i = 1; i < size; i++)
        if (((unsigned char)at[i] & 0xc0) != 0x80) return 0;
    return size;
}

int dot_length(const char *text) {
    int n = 0;
    for (; *text; n++) {
        int size = character(text);
        text += size ? size : 1;
    }
    return n;
}

void dot_text(FILE *out, const char *text, int most) {
    bool cut = dot_length(text) > most;
    for (int n = 0; *text && n < most - cut; n++) {
        int size = character(text);
        if (size == 0 || (unsigned char)*text < ' ' || *text == 127) fputc(size ? ' ' : '?', out);
        else if (*text == '"' || *text == '\\') fprintf(out, "\\%c", *text);
        else fwrite(text, 1, (size_t)size, out);
        text += size ? size : 1;
    }
    if (cut) fputs("\xe2\x80\xa6", out); /* three dots */
}

void dot_begin(FILE *out, const char *name, const char *caption) {
    fprintf(
        out,
        "digraph %s {\n"
        "    rankdir=LR; bgcolor=white; fontname=\"Helvetica\"; fontsize=11; nodesep=0.35; ranksep=0.45; pad=0.2;\n"
        "    node [shape=circle, style=filled, fillcolor=\"#eaf1fb\", color=\"#31588f\", fontname=\"Helvetica\", "
        "fontsize=11, width=0.42, fixedsize=true, penwidth=1.3];\n"
        "    edge [color=\"#2b2f36\", fontcolor=\"#1a1d21\", fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];\n",
        name);
    if (!caption) return;
    fputs("    label=\"", out);
    dot_text(out, caption, 200);
    fputs("\"; labelloc=b; fontcolor=\"#5c6370\";\n", out);
}

void dot_arrow(FILE *out, uint32_t i, uint32_t state) {
    char name[24] = "start";
    if (i > 0) snprintf(name, sizeof name, "start%u", i);
    fprintf(out, "    %s [shape=none, label=\"\", width=0, height=0, fixedsize=true, tooltip=\" \"];\n", name);
    fprintf(out, "    %s -> s%u [penwidth=2, tooltip=\"initial state\"", name, state);
}
