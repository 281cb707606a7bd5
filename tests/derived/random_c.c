/* Prints a random model in C: processes with locations, shared variables, an array with indices from the state, a loop over
 * processes, a variable of 16 bits, and, if `errors`, code that may fail.
 *
 * usage: random_c SEED      odd seeds may fail
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static unsigned below(unsigned n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 33) % n);
}

static unsigned processes, places, top[3], errors, wide;

static void condition(void) {
    unsigned x = below(3), y = below(3), p = below(processes);
    switch (below(wide ? 11 : 9)) {
    case 0: printf("s->x%u == %u", x, below(top[x] + 1)); break;
    case 1: printf("s->x%u != %u", x, below(top[x] + 1)); break;
    case 2: printf("s->x%u == s->x%u", x, y); break;
    case 3: printf("s->x%u < s->x%u", x, y); break;
    case 4: printf("s->row[s->x%u %% 3] == %u", x, below(3)); break;
    case 5: printf("count(s, %u) %s %u", below(places), below(2) ? ">=" : "<", 1 + below(processes)); break;
    case 6: printf("(s->x%u + s->x%u > %u || s->pc[%u] == %u)", x, y, below(4), p, below(places)); break;
    case 7: printf("(s->row[0] ^ s->row[%u]) != %u", 1 + below(2), below(3)); break;
    case 8: printf("s->pc[%u] != %u", p, below(places)); break;
    case 9: printf("s->w %s %u", below(2) ? "<" : ">=", below(5)); break;
    case 10: printf("s->w == s->x%u", x); break;
    }
}

static void statement(void) {
    unsigned x = below(3), y = below(3);
    switch (below(errors ? 12 : 9)) {
    case 0:
    case 1: printf("s->x%u = %u;", x, below(top[x] + 1)); break;
    case 2: printf("s->x%u = (s->x%u + 1) %% %u;", x, y, top[x] + 1); break;
    case 3: printf("s->row[s->x%u %% 3] = s->x%u %% 3;", x, y); break;
    case 4: printf("s->row[%u] = %u;", below(3), below(3)); break;
    case 5: printf("for (unsigned i = 2; i > 0; i--) s->row[i] = s->row[i - 1];"); break;
    case 6:
        printf("if (s->x%u > %u) s->x%u = %u; else s->row[1] = 0;", x, below(top[x] + 1), y, below(top[y] + 1));
        break;
    case 7: wide ? printf("if (s->w < 4) s->w++;") : printf("s->x%u = !s->x%u;", x, y); break;
    case 8: printf("{ unsigned keep = s->row[0]; s->row[0] = s->row[2]; s->row[2] = keep; }"); break;
    case 9: printf("if (s->x%u == %u) model_error(\"planted\");", x, below(top[x] + 1)); break;
    case 10: printf("s->x%u = s->x%u + %u;", x, y, below(3)); break;
    case 11: printf("s->row[s->x%u] = 12 / (s->x%u + %u) %% 3;", x, y, below(2)); break;
    }
}

static void transition(unsigned number, unsigned process, unsigned place, unsigned to) {
    printf("    case %u:\n        if (s->pc[%u] != %u", number, process, place);
    for (unsigned n = below(3); n > 0; n--) printf(" || !("), condition(), printf(")");
    printf(") return false;\n        ");
    for (unsigned n = below(3); n > 0; n--) statement(), printf(" ");
    printf("s->pc[%u] = %u;\n        return true;\n", process, to);
}

static void function(const char *head, const char *yes, const char *no, unsigned terms) {
    printf("%s { return ", head);
    for (unsigned n = 0; n < terms; n++) printf("%s", n ? " && " : ""), condition();
    printf(" ? %s : %s; }\n", yes, no);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned transitions = 0;
    state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 20; i++) below(2);
    errors = seed % 2, wide = below(3) == 0, processes = 2 + below(2), places = 3 + below(2);
    for (unsigned x = 0; x < 3; x++) top[x] = 1 + below(3);
    printf("#include <onager.h>\n\n#define STATE(var, array) array(UPTO(%u), pc, %u) array(UPTO(2), row, 3)%s",
           places - 1, processes, wide ? " var(16, w)" : "");
    for (unsigned x = 0; x < 3; x++) printf(" var(UPTO(%u), x%u)", top[x], x);
    printf("\nDEFINE_STATE(STATE)\n\nstatic unsigned count(const state *s, unsigned place) {\n    unsigned n = 0;\n"
           "    for (unsigned i = 0; i < %u; i++) n += s->pc[i] == place;\n    return n;\n}\n\n", processes);
    printf("static bool fire(state *s, unsigned t) {\n    switch (t) {\n");
    unsigned ends = below(10) < 6;
    for (unsigned p = 0; p < processes; p++)
        for (unsigned at = 0; at + ends < places; at++)
            for (unsigned k = 1 + (below(4) == 0); k > 0; k--)
                transition(transitions++, p, at, below(6) ? (at + 1) % places : below(places));
    printf("    }\n    return false;\n}\n\n");
    function("static const char *check_state(const state *s)", "\"bad\"", "NULL", 2 + below(2));
    function("static bool must_progress(const state *s)", "true", "false", 1);
    function("PROPOSITION(p)", "true", "false", 1 + below(2));
    function("PROPOSITION(q)", "true", "false", 1);
    printf("\nMODEL(.transitions = %u, .fire = fire, .check_state = check_state, .must_progress = must_progress)\n",
           transitions);
    return 0;
}
