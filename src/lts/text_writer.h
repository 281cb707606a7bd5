/* text_writer.h: what writers of LTSs in text have in common. Text goes out in large pieces. */
#ifndef LTS_TEXT_WRITER_H
#define LTS_TEXT_WRITER_H

#include "lts/lts_file.h"

struct stream_out;

struct text_writer {
    struct stream_out *out;
    struct effort *effort;         /* or NULL */
    const struct mcrl2_kept *kept; /* or NULL */
    char *text;
    size_t used, room;
    bool failed;
};

/* Where so many characters may be put; w->used must then be increased by how many there are. */
char *text_room(struct text_writer *w, size_t size);
enum { TEXT_NUMBER = 10 }; /* characters that a number may take */
/* Puts a number there; where it ends. */
char *text_number_at(char *at, uint32_t n);

void text_put(struct text_writer *w, const char *text, size_t length);
void text_put_string(struct text_writer *w, const char *text);
void text_put_number(struct text_writer *w, uint32_t n);

/* The rest of the text goes out. False: it could not be written. */
bool text_flush(struct text_writer *w);

/* A format: everything that it writes. `label_text`: of each label; it may stop when effort_over(w->effort). */
typedef void text_write(struct text_writer *w, const struct lts *l, char *const *label_text);
text_write aut_write_text, fsm_write_text, dot_write_text, mcrl2_write_text;

#endif
