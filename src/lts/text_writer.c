#include "lts/text_writer.h"

#include <string.h>

#include "base/memory.h"
#include "base/stream.h"

enum { PIECE = 1 << 18, NUMBER = 12 };

static void flush(struct text_writer *w) {
    if (!w->failed && w->used) w->failed = !stream_write(w->out, w->text, w->used);
    w->used = 0;
}

static void have_room(struct text_writer *w, size_t size) {
    if (w->room - w->used >= size) return;
    flush(w);
    if (w->room < size) w->text = memory_resize(w->text, w->room = size > PIECE ? size : PIECE);
}

void text_put(struct text_writer *w, const char *text, size_t length) {
    have_room(w, length);
    memcpy(w->text + w->used, text, length);
    w->used += length;
}

void text_put_string(struct text_writer *w, const char *text) { text_put(w, text, strlen(text)); }

void text_put_number(struct text_writer *w, uint32_t n) {
    char digits[NUMBER];
    int at = NUMBER;
    do digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    text_put(w, digits + at, (size_t)(NUMBER - at));
}

bool text_flush(struct text_writer *w) {
    flush(w);
    return !w->failed;
}
