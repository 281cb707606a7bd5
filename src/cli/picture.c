#include "cli/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/files.h"
#include "base/text.h"

const char *picture_format(const char *path) {
    static const char *const known[][2] = {
        {".dot", "dot"}, {".gv", "dot"}, {".svg", "svg"}, {".png", "png"}, {".pdf", "pdf"}};
    if (strcmp(path, "-") == 0) return "dot";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (text_ends_with(path, known[i][0])) return known[i][1];
    return NULL;
}

bool picture_is(const char *path) { return path && strcmp(path, "-") != 0 && picture_format(path); }

/* Runs dot with the text as its input, and the file as its output; it says to `messages` what is wrong. */
static bool run_dot(const char *dot, const char *format, int in, int out, int messages) {
    char *type = text_format("-T%s", format);
    char *args[] = {(char *)(uintptr_t)dot, type, NULL};
    int status = -1;
    bool ran = child_run(args, in, out, messages, NULL, &status);
    free(type);
    return ran && status == 0;
}

static bool write_text(int fd, const char *text) { return fd >= 0 && files_write_all(fd, text, strlen(text)); }

static bool draw_with(const char *dot, const char *text, const char *format, const char *path, int out,
                      struct problem *why) {
    int in = memfd_create("graph", MFD_CLOEXEC), messages = memfd_create("messages", MFD_CLOEXEC);
    bool fine = write_text(in, text) && lseek(in, 0, SEEK_SET) == 0 && messages >= 0;
    if (!fine) problem_set(why, EXIT_INTERNAL, "no room for the text of the graph: %s", strerror(errno));
    struct stat made;
    if (fine && (!run_dot(dot, format, in, out, messages) || fstat(out, &made) != 0 ||
                 (S_ISREG(made.st_mode) && made.st_size == 0))) {
        char *said = files_read_fd(messages);
        fine = problem_set(why, EXIT_BAD_INPUT, "%s could not draw %s%s%s", dot, path, said && *said ? ":\n" : "",
                           said ? said : "");
        free(said);
    }
    if (in >= 0) close(in);
    if (messages >= 0) close(messages);
    return fine;
}

static bool draw_file(const char *dot, const char *text, const char *format, const char *path, struct problem *why) {
    struct new_file file;
    return files_begin(&file, path, why) && files_finish(&file, draw_with(dot, text, format, path, file.fd, why), why);
}

bool picture_write(const char *text, const char *path, struct problem *why) {
    const char *format = picture_format(path);
    if (strcmp(path, "-") == 0) return fputs(text, stdout) >= 0;
    if (strcmp(format, "dot") == 0) return files_write_new(path, text, strlen(text), why);
    char *dot = files_find_program("dot");
    if (!dot)
        return problem_set(why, EXIT_BAD_INPUT,
                           "%s needs the program dot of Graphviz, which is not here. Install it (apt-get install "
                           "graphviz), or write a .dot file and draw it elsewhere",
                           path);
    bool fine = draw_file(dot, text, format, path, why);
    free(dot);
    return fine;
}
