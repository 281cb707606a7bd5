/* For compilers without libFuzzer: runs a fuzz target on the given files, and on random changes of them, for some
 * seconds. Knows nothing of coverage.
 *
 * usage: DRIVEN SECONDS FILE...        what fails leaves its input in the file named by $FUZZ_LAST */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 2000 };

struct input {
    uint8_t bytes[2 * LONGEST];
    size_t size;
};

static uint64_t random_state = 1;

static size_t random_below(size_t n) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return n ? (size_t)(random_state >> 33) % n : 0;
}

static void load(const char *path, struct input *in) {
    FILE *f = fopen(path, "rb");
    in->size = f ? fread(in->bytes, 1, LONGEST, f) : 0;
    if (f) fclose(f);
}

/* Puts a piece of another input in the place of a piece of this one. */
static void splice(struct input *in, const struct input *other) {
    size_t from = random_below(other->size), length = random_below(other->size - from + 1) % 40;
    size_t at = random_below(in->size + 1), gone = random_below(in->size - at + 1) % 40;
    if (in->size - gone + length > LONGEST) return;
    memmove(in->bytes + at + length, in->bytes + at + gone, in->size - at - gone);
    memcpy(in->bytes + at, other->bytes + from, length);
    in->size += length - gone;
}

static void change(struct input *in, const struct input *all, size_t count) {
    for (size_t i = 1 + random_below(4); i > 0; i--) {
        if (random_below(4) > 0) splice(in, &all[random_below(count)]);
        else if (in->size > 0) in->bytes[random_below(in->size)] = (uint8_t)(random_below(96) + ' ');
    }
}

static void run(const struct input *in) {
    const char *path = getenv("FUZZ_LAST");
    FILE *f = path ? fopen(path, "wb") : NULL;
    if (f) {
        fwrite(in->bytes, 1, in->size, f);
        fclose(f);
    }
    LLVMFuzzerTestOneInput(in->bytes, in->size);
}

int main(int argc, char **argv) {
    size_t count = argc > 2 ? (size_t)argc - 2 : 0;
    struct input *all = calloc(count + 1, sizeof *all), now;
    unsigned long runs = 0;
    time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 10);
    for (size_t i = 0; i < count; i++, runs++) {
        load(argv[i + 2], &all[i]);
        run(&all[i]);
    }
    for (; count > 0 && time(NULL) < end; runs++) {
        now = all[random_below(count)];
        change(&now, all, count);
        run(&now);
    }
    printf("DONE: %lu inputs\n", runs);
    free(all);
    return runs == 0;
}
