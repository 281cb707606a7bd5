/* onager simulate: walking through a model by hand, in a terminal or by a script. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <histedit.h>

#include "base/memory.h"
#include "cli/commands.h"
#include "cli/simulate/simulate.h"

static char *prompt(EditLine *el) {
    (void)el;
    static char text[] = "> ";
    return text;
}

/* Word number i of those that a line may begin with: commands, then names of transitions. */
static const char *word_at(const struct stroll *m, unsigned i, char *room, size_t size) {
    unsigned commands = 0;
    while (stroll_word(commands)) commands++;
    if (i < commands) return stroll_word(i);
    if (i - commands >= m->ts->transitions) return NULL;
    m->ts->ops->transition_name(m->w, i - commands, room, size);
    return room;
}

/* Adds to the line what all words that begin like it have in common; shows them, if that is nothing. */
static unsigned char complete(EditLine *el, int key) {
    struct stroll *m = NULL;
    const LineInfo *line = el_line(el);
    const char *begin = line->buffer, *word;
    char common[128] = "", room[128];
    unsigned fitting = 0;
    (void)key;
    el_get(el, EL_CLIENTDATA, &m);
    if (line->cursor - begin > 4 && strncmp(begin, "why ", 4) == 0) begin += 4;
    size_t length = (size_t)(line->cursor - begin), same;
    for (unsigned i = 0; (word = word_at(m, i, room, sizeof room)); i++) {
        if (strncmp(word, begin, length) != 0) continue;
        if (fitting++ == 0) snprintf(common, sizeof common, "%s", word);
        for (same = 0; common[same] && common[same] == word[same];) same++;
        common[same] = 0;
    }
    if (strlen(common) > length) return el_insertstr(el, common + length) == 0 ? CC_REFRESH : CC_ERROR;
    if (fitting < 2) return CC_REFRESH_BEEP;
    putchar('\n');
    for (unsigned i = 0; (word = word_at(m, i, room, sizeof room)); i++)
        if (strncmp(word, begin, length) == 0) printf("%s\n", word);
    return CC_REDISPLAY;
}

/* With editing, history and completion. */
static void by_hand(struct stroll *m) {
    HistEvent event;
    EditLine *el = el_init("onager", stdin, stdout, stderr);
    History *history_of = history_init();
    history(history_of, &event, H_SETSIZE, 1000);
    el_set(el, EL_PROMPT, prompt);
    el_set(el, EL_EDITOR, "emacs");
    el_set(el, EL_HIST, history, history_of);
    el_set(el, EL_CLIENTDATA, m);
    el_set(el, EL_ADDFN, "complete", "complete the line", complete);
    el_set(el, EL_BIND, "\t", "complete", NULL);
    puts("help lists the commands");
    while (!m->over) {
        int length;
        const char *got = el_gets(el, &length);
        if (!got) break;
        if (length > 1) history(history_of, &event, H_ENTER, got);
        char *line = memory_copy_string(got);
        stroll_do(m, line);
        free(line);
    }
    history_end(history_of);
    el_end(el);
}

/* The lines are shown, so that the output can be read alone. */
static void by_script(struct stroll *m) {
    char *line = NULL;
    size_t size = 0;
    while (!m->over && getline(&line, &size, stdin) > 0) {
        printf("> %s%s", line, line[strlen(line) - 1] == '\n' ? "" : "\n");
        stroll_do(m, line);
    }
    free(line);
}

int command_simulate(const struct options *o, struct problem *why) {
    struct stroll m;
    struct ts *ts = open_model(o, (struct reduction){0}, why);
    if (!ts) return (int)why->status;
    struct ts_worker *w = ts->ops->worker_new(ts);
    bool begun = stroll_init(&m, o, ts, w, why), by_tty = isatty(STDIN_FILENO);
    if (begun) {
        stroll_show(&m);
        if (by_tty) by_hand(&m);
        else by_script(&m);
    }
    bool failed = begun && m.failed && !by_tty; /* a script should have done what it says */
    if (begun) stroll_fini(&m);
    ts->ops->worker_free(w);
    ts->ops->close(ts);
    return !begun ? (int)why->status : failed ? EXIT_BAD_INPUT : EXIT_HOLDS;
}
