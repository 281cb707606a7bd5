#include "code/c_command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/files.h"
#include "base/memory.h"

void c_command_add(struct command *c, char *arg) {
    c->args = memory_resize(c->args, ((size_t)c->count + 2) * sizeof *c->args);
    c->args[c->count++] = arg;
    c->args[c->count] = NULL;
}

void c_command_add_all(struct command *c, const char *const *args, size_t count) {
    for (size_t i = 0; i < count; i++) c_command_add(c, memory_copy_string(args[i]));
}

void c_command_copy(struct command *c, const struct command *from) {
    *c = (struct command){.count = 0};
    c_command_add_all(c, (const char *const *)from->args, (size_t)from->count);
}

void c_command_fini(struct command *c) {
    for (int i = 0; i < c->count; i++) free(c->args[i]);
    free(c->args);
}

bool c_command_run(const struct command *c, const char *text, struct child *child, struct bytes *output,
                   char **messages, int *status) {
    int in = memfd_create("model", MFD_CLOEXEC), said = memfd_create("messages", MFD_CLOEXEC);
    int out = output ? memfd_create("output", MFD_CLOEXEC) : said;
    *messages = NULL;
    if (output) *output = (struct bytes){.at = NULL};
    if (in >= 0 && out >= 0 && said >= 0 && files_write_all(in, text, strlen(text)) && lseek(in, 0, SEEK_SET) == 0 &&
        child_run(c->args, in, out, said, child, status) && (!output || bytes_read_fd(output, out)))
        *messages = files_read_fd(said);
    if (in >= 0) close(in);
    if (said >= 0) close(said);
    if (output && out >= 0) close(out);
    if (output && !*messages) bytes_fini(output);
    return *messages != NULL;
}
