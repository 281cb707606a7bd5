/* asset_probe.h: a program that tells what the C++ half of a model in ASSET's language has (asset_calls.h): in the
 * place of the C half, it calls nr_transitions, and writes to standard output, a line each:
 *
 *     variable NAME BITS ELEMENTS BYTES IS_ARRAY LINE FILE
 *     transitions NUMBER
 *     has ONAGER_HAS_...
 *     created NUMBER               of state variables
 *     threw TEXT                   by nr_transitions; or
 *     mistake TEXT                 in it
 *     end
 */
#ifndef ONAGER_ASSET_PROBE_H
#define ONAGER_ASSET_PROBE_H

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <onager/asset_calls.h>

enum { onager_most = 1 << 15 }; /* state variables */

static unsigned onager_probe_values[onager_most], onager_created;
static FILE *onager_report;
static const char *onager_said;

/* Before the constructors of the model. What it prints goes elsewhere; and it must not take the machine with it. */
__attribute__((constructor(101))) static void onager_prepare(void) {
    const struct rlimit seconds = {ONAGER_PROBE_SECONDS, ONAGER_PROBE_SECONDS}, none = {0, 0};
    onager_report = fdopen(dup(1), "w");
    if (!onager_report || dup2(2, 1) < 0) _exit(127);
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &none);
}

void onager_asset_start(void) {}

unsigned onager_asset_offset(unsigned k) {
    onager_created = k + 1;
    return (k < onager_most ? k : 0) * (unsigned)sizeof(unsigned);
}

void onager_asset_declare(const char *name, long long bits, size_t elements, size_t bytes, bool is_array,
                          const char *file, int line) {
    fprintf(onager_report, "variable %s %lld %zu %zu %d %d %s\n", name, bits, elements, bytes, is_array, line, file);
}

void onager_asset_raise(const char *message) {
    if (!onager_said) onager_said = message;
}

const char *onager_asset_raised(void) { return onager_said; }

void onager_asset_oblige(const unsigned *transitions, size_t count) { (void)transitions, (void)count; }
void onager_asset_oblige_all(void) {}

bool onager_asset_is_initial(const void *state) { return (void)state, true; }

bool onager_asset_is_zero(const void *state) {
    for (unsigned i = 0; i < onager_most; i++)
        if (((const unsigned *)state)[i]) return false;
    return true;
}

int main(void) {
    unsigned transitions = onager_asset_begin(onager_probe_values);
    fprintf(onager_report, "transitions %u\nhas %u\ncreated %u\n", transitions, onager_asset_has, onager_created);
    if (onager_asset_threw()) fprintf(onager_report, "threw %s\n", onager_asset_threw());
    if (onager_said && *onager_said == *ONAGER_MISTAKE) fprintf(onager_report, "mistake %s\n", onager_said + 1);
    fprintf(onager_report, "end\n");
    fflush(onager_report);
    _exit(0); /* without the destructors of the model */
}

#endif
