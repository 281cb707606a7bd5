#include "model/asset/asset_build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/asset/asset_text.h"
#include "model/c/c_errors.h"

/* With arguments that end with NULL. False: *why. *messages: what it has said, or NULL; *output: unless NULL. */
static bool run(const struct asset_source *from, const struct command *by, const char *const *more, const char *text,
                struct bytes *output, char **messages, struct problem *why) {
    struct command c;
    int status = 0;
    c_command_copy(&c, by);
    for (; *more; more++) c_command_add(&c, memory_copy_string(*more));
    bool done = c_command_run(&c, text, from->child, output, messages, &status);
    if (!done) c_errors_cannot_run(&c, why);
    else if (!c_errors_none(from->path, &c, from->child, *messages, status, why)) {
        done = false;
        if (output) bytes_fini(output);
    }
    c_command_fini(&c);
    return done;
}

/* Is the first error in what stands around the model? */
static bool is_around(const char *messages) {
    for (const char *line = messages; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        size_t length = strcspn(line, "\n");
        if (memmem(line, length, " error: ", 8))
            return strncmp(line, "onager:", 7) == 0 || memmem(line, length, "/onager/asset", 13);
    }
    return false;
}

/* The model does not compile: what do compilers not say? `text` is preprocessed. */
static void explain_more(const struct asset_source *from, const char *text, const char *messages, struct problem *why) {
    int braces = asset_text_braces(text);
    if (why->status != EXIT_BAD_INPUT) return;
    char *doubt = asset_text_doubt(from->path, from->model_text, from->parameters, from->parameter_count);
    struct problem more = {0};
    if (braces && messages && is_around(messages))
        problem_set(&more, EXIT_BAD_INPUT, "%s does not compile: it has %d '%c' too %s", from->path, abs(braces), '}',
                    braces > 0 ? "few" : "many");
    else if (doubt) problem_set(&more, EXIT_BAD_INPUT, "%s\n%s", why->text, doubt);
    if (more.text) {
        problem_fini(why);
        *why = more;
    }
    free(doubt);
}

bool asset_compile(const struct asset_source *from, const struct command *by, const char *made, char **messages,
                   struct problem *why) {
    static const char *const preprocess[] = {"-E", "-fdirectives-only", "-", NULL};
    const char *const compile[] = {"-c", "-fpreprocessed", "-fdirectives-only", "-g1", "-o", made, "-", NULL};
    struct bytes preprocessed = {.at = NULL};
    char *said = NULL;
    *messages = NULL;
    bool done = run(from, by, preprocess, from->text, &preprocessed, &said, why);
    free(said);
    if (!done) return false;
    char *text = asset_text_rewrite(preprocessed.at, why);
    done = text && run(from, by, compile, text, NULL, messages, why);
    if (text && !done) explain_more(from, preprocessed.at, *messages, why);
    bytes_fini(&preprocessed);
    free(text);
    return done;
}

bool asset_link(const struct asset_source *from, const struct command *by, const char *text, const char *object,
                const char *made, const char *const *more, struct problem *why) {
    const char *const args[] = {"-o", made, "-x", "none", object, "-x", "c", "-", NULL};
    struct command c;
    char *said = NULL;
    c_command_copy(&c, by);
    for (size_t i = 0; args[i]; i++) c_command_add(&c, memory_copy_string(args[i]));
    bool done = run(from, &c, more, text, NULL, &said, why);
    free(said);
    c_command_fini(&c);
    return done;
}

bool asset_build(const struct asset_source *from, struct asset_layout *layout, const char *engine, const char *made,
                 char **messages, struct problem *why) {
    bool is_observer = strcmp(engine, "observe") == 0, is_engine = strcmp(engine, "engine") == 0;
    const char *const library[] = {"-g1", is_observer ? NULL : "-lstdc++", NULL}; /* that is linked with nothing */
    char *object = text_format("%s/model.o", from->folder), *text = NULL;
    bool done = asset_compile(from, from->model, object, messages, why);
    const char *state = done ? asset_layout_get(layout, from, is_engine ? object : NULL, why) : NULL;
    if (state) text = text_format("%s#include <onager/%s.h>\n", state, engine);
    done = text && asset_link(from, from->state, text, object, made, library, why);
    unlink(object);
    free(text);
    free(object);
    return done;
}
