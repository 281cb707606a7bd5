#include "code/source_line.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/text.h"
#include "code/c_command.h"

static char *find_tool(void) {
    char *tool = files_find_program("addr2line");
    return tool ? tool : files_find_program("llvm-addr2line");
}

char *source_lines(int file, uint64_t offset) {
    char *tool = file >= 0 ? find_tool() : NULL, *messages = NULL;
    struct bytes lines = {.at = NULL};
    struct command c = {.count = 0};
    int status = 0;
    if (!tool) return NULL;
    c_command_add(&c, tool);
    c_command_add(&c, text_format("-ie/proc/%ld/fd/%d", (long)getpid(), file));
    c_command_add(&c, text_format("%#llx", (unsigned long long)offset));
    bool ran = c_command_run(&c, "", NULL, &lines, &messages, &status);
    free(messages);
    c_command_fini(&c);
    if (ran && status == 0) return lines.at;
    if (ran) bytes_fini(&lines);
    return NULL;
}

unsigned source_line_number(const char *line, int *length) {
    size_t end = strcspn(line, "\n"), colon = end;
    while (colon > 0 && line[colon] != ':') colon--;
    *length = (int)colon;
    return colon > 0 ? (unsigned)strtoul(line + colon + 1, NULL, 10) : 0;
}
