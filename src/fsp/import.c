/* LTSs from files. */
#include "fsp/composite.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lts/lts_file.h"

/* Relative to the folder of the FSP file. */
static char *path_of(const struct fsp_file *f, const char *path) {
    const char *slash = strrchr(f->path, '/');
    if (path[0] == '/') return text_format("%s", path);
    if (!slash) return text_format("%s%s", strcmp(path, "-") == 0 ? "./" : "", path); /* "-" is a file here */
    return text_format("%.*s/%s", (int)(slash - f->path), f->path, path);
}

static bool check_labels(struct maker *m, const struct definition *d, const struct lts *l) {
    for (uint32_t a = 1; a < l->labels.count; a++)
        if (label_is_inner(l->labels.text[a]) || !*l->labels.text[a])
            return maker_problem(m, d->at, "%s has the label '%s', which cannot be used in FSP", d->path,
                                 l->labels.text[a]);
    return true;
}

bool make_import(struct maker *m, const struct definition *d, struct lts *out) {
    struct problem why = {0};
    struct lts l;
    if (m->file->limits.no_imports) return maker_problem(m, d->at, "other files are not read here");
    char *path = path_of(m->file, d->path);
    struct lts_file_options how = {.effort = m->file->limits.effort};
    bool good = lts_file_read(path, &how, &l, &why);
    if (!good) maker_problem(m, d->at, "%s cannot be imported: %s", d->name, why.text);
    if (good) {
        good = check_labels(m, d, &l);
        if (good) lts_reachable(&l, out);
        lts_fini(&l);
    }
    problem_fini(&why);
    free(path);
    return good;
}
