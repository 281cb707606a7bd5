#include "lts/text_writer.h"

#include <string.h>

#include "base/memory.h"
#include "base/stream.h"

enum { PIECE = 1 << 18 };

static void flush(struct text_writer *w) {
    if (!w->failed && w->used) w->failed = !stream_write(w->out, w->text, w->used);
    w->used = 0;
}

char *text_room(struct text_writer *w, size_t size) {
    if (w->room - w->used < size) {
        flush(w);
        if (w->room < size) w->text = memory_resize(w->text, w->room = size > PIECE ? size : PIECE);
    }
    return w->text + w->used;
}

void text_put(struct text_writer *w, const char *text, size_t length) {
    memcpy(text_room(w, length), text, length);
    w->used += length;
}

void text_put_string(struct text_writer *w, const char *text) { text_put(w, text, strlen(text)); }

static unsigned digits_of(uint32_t n) {
    unsigned digits = 1;
    for (uint32_t limit = 10; digits < TEXT_NUMBER && n >= limit; limit *= 10) digits++;
    return digits;
}

char *text_number_at(char *at, uint32_t n) {
    static const char two[] =
        "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
        "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";
    char *end = at + digits_of(n), *p = end;
    for (; n >= 10; n /= 100) memcpy(p -= 2, two + 2 * (n % 100), 2);
    if (p > at) *at = (char)('0' + n);
    return end;
}

void text_put_number(struct text_writer *w, uint32_t n) {
    w->used += (size_t)(text_number_at(text_room(w, TEXT_NUMBER), n) - (w->text + w->used));
}

bool text_flush(struct text_writer *w) {
    flush(w);
    return !w->failed;
}
