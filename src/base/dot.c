#include "base/dot.h"

#include <stdbool.h>

#include "base/text.h"

int dot_length(const char *text) {
    int n = 0;
    for (; *text; n++) {
        int size = text_character(text);
        text += size ? size : 1;
    }
    return n;
}

void dot_text(FILE *out, const char *text, int most) {
    bool cut = dot_length(text) > most;
    for (int n = 0; *text && n < most - cut; n++) {
        int size = text_character(text);
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
