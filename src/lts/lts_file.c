#include "lts/lts_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/stream.h"
#include "base/text.h"
#include "lts/mcrl2/aterm.h"
#include "lts/label_list.h"
#include "lts/text_reader.h"
#include "lts/text_writer.h"

bool lts_file_is_mcrl2(const char *path) {
    char found[ATERM_MAGIC];
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    FILE *f = fopen(path, "rbe");
    bool is = f && aterm_begins(found, fread(found, 1, sizeof found, f));
    if (f) fclose(f);
    return is;
}

enum file_kind lts_file_kind(const char *path, enum file_kind said) {
    if (said != FILE_UNKNOWN) return said;
    if (strcmp(path, "-") == 0) return FILE_AUT;
    return suffix_is_shared(path) && lts_file_is_mcrl2(path) ? FILE_MCRL2 : suffix_type(path).kind;
}

enum file_kind lts_file_written(const char *path, enum file_kind said) {
    if (said != FILE_UNKNOWN) return said;
    if (strcmp(path, "-") == 0) return FILE_AUT;
    return suffix_is_shared(path) ? FILE_MCRL2 : suffix_type(path).kind;
}

/* ---- Reading ---- */

static const struct text_format *format_of(enum file_kind kind) {
    return kind == FILE_FSM ? &fsm_format : kind == FILE_MCRL2 ? &mcrl2_format : &aut_format;
}

bool lts_file_read(const char *path, const struct lts_file_options *o, struct lts *out, struct problem *why) {
    enum file_kind said = o ? o->kind : FILE_UNKNOWN, kind = lts_file_kind(path, said);
    if (!suffix_is_lts(kind))
        return problem_set(why, EXIT_BAD_INPUT,
                           suffix_is_shared(path)
                               ? "%s is no file of mCRL2: it does not begin as these do"
                               : "%s: its name does not say what format it has: .aut, .fsm or .lts (of mCRL2), or one "
                                 "of them with .gz or .zst after it",
                           path);
    return text_reader_file(said == FILE_UNKNOWN && strcmp(path, "-") == 0 ? NULL : format_of(kind), path, o, out, why);
}

bool lts_file_parse(const char *text, size_t size, const char *name, const struct lts_file_options *o, struct lts *out,
                    struct problem *why) {
    enum file_kind kind = lts_file_kind(name, o ? o->kind : FILE_UNKNOWN);
    return text_reader_text(format_of(kind), text, size, name, o, out, why);
}

/* ---- Writing ---- */

/* How something is written, in quotes, with backslashes before what needs them. */
static char *escaped(const char *name) {
    char *text = memory_get(2 * strlen(name) + 3), *at = text;
    *at++ = '"';
    for (; *name; name++) {
        if (*name == '"' || *name == '\\') *at++ = '\\';
        *at++ = *name;
    }
    *at++ = '"';
    *at = 0;
    return text;
}

/* Would this visible action be taken for the invisible one when it is read again? */
static bool looks_invisible(const char *name, const char *tau, const struct lts_file_options *o, enum file_kind kind) {
    char *spelt = label_unquoted(tau);
    bool same = strcmp(spelt, name) == 0 || (kind == FILE_AUT && !(o && o->tau) && strcmp(name, "i") == 0);
    free(spelt);
    return same;
}

/* What is written for this label, or NULL: that would not be read back. To be freed. */
static char *spell(const struct lts *l, uint32_t label, const char *tau, const struct lts_file_options *o,
                   enum file_kind kind, struct problem *why) {
    const char *name = l->labels.text[label];
    if (kind == FILE_DOT) return escaped(name);
    if (kind == FILE_MCRL2) return memory_copy_string(name); /* anything can be said there */
    if (label == LTS_TAU) return kind == FILE_FSM && *tau != '"' ? escaped(tau) : memory_copy_string(tau);
    if (looks_invisible(name, tau, o, kind))
        problem_set(why, EXIT_BAD_INPUT,
                    "there is a visible action '%s', which would be taken for the invisible one when the file is read: "
                    "choose another spelling of that with --tau NAME",
                    name);
    else if (strpbrk(name, "\r\n"))
        problem_set(why, EXIT_BAD_INPUT, "the name of an action has an end of line in it: an %s file cannot hold it",
                    kind == FILE_FSM ? ".fsm" : ".aut");
    else if (kind == FILE_FSM && strchr(name, '"'))
        problem_set(why, EXIT_BAD_INPUT, "the name of action '%s' has quotes in it: an .fsm file cannot hold it", name);
    else return text_format("\"%s\"", name);
    return NULL;
}

static bool writing_ended(const struct effort *e, const char *path, struct problem *why) {
    char *what = text_format("writing %s", strcmp(path, "-") == 0 ? "standard output" : path);
    effort_problem(e, what, why);
    free(what);
    return false;
}

static bool write_stream(const struct lts *l, const char *path, enum file_kind kind, struct effort *effort,
                         const struct mcrl2_kept *kept, char *const *label_text, struct problem *why) {
    static text_write *const writers[] = {
        [FILE_AUT] = aut_write_text,
        [FILE_FSM] = fsm_write_text,
        [FILE_MCRL2] = mcrl2_write_text,
        [FILE_DOT] = dot_write_text,
    };
    struct text_writer w = {.out = stream_begin(path, suffix_type(path).packing, why), .effort = effort, .kept = kept};
    if (!w.out) return false;
    writers[kind](&w, l, label_text);
    text_flush(&w);
    free(w.text);
    bool good = !(effort && effort->over) || w.failed || writing_ended(effort, path, why);
    return stream_finish(w.out, good, why);
}

static bool can_write(enum file_kind kind, const char *path, struct problem *why) {
    return suffix_is_lts(kind) || kind == FILE_DOT ||
           problem_set(why, EXIT_BAD_INPUT,
                       "%s: an LTS is written as .aut, .fsm or .lts, which may have .gz or .zst after it, or as .dot",
                       path);
}

bool lts_file_write(const struct lts *l, const char *path, const struct lts_file_options *o, struct problem *why) {
    enum file_kind kind = lts_file_written(path, o ? o->kind : FILE_UNKNOWN);
    struct tau_names names; /* only to see that they are right */
    if (!can_write(kind, path, why) || !tau_names_init(&names, o ? o->tau : NULL, kind, why)) return false;
    tau_names_fini(&names);
    char *tau = tau_names_spelling(o ? o->tau : NULL, o ? o->met : NULL, kind);
    char **label_text = memory_get_zeroed((l->labels.count + UINT64_C(1)) * sizeof *label_text);
    bool fine = true;
    for (uint32_t a = 0; a < l->labels.count && fine; a++)
        fine = (label_text[a] = spell(l, a, tau, o, kind, why)) != NULL;
    fine = fine && write_stream(l, path, kind, o ? o->effort : NULL, o ? o->kept : NULL, label_text, why);
    for (uint32_t a = 0; a < l->labels.count; a++) free(label_text[a]);
    free(label_text);
    free(tau);
    return fine;
}
