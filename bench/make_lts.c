/* make_lts: writes a large LTS as .aut, the same one for the same arguments.
 *
 *     make_lts SHAPE TRANSITIONS >FILE
 *
 * Shapes, of about so many transitions:
 *
 *     random      four edges a state to random states, three labels, one edge in ten invisible
 *     taus        the same with half of the edges invisible: large tau-components, long inert ways
 *     chain       one long path of a-edges, at whose end there is a b: no two states are alike, and partition refinement
 *                 finds out about one after the other
 *     stairs      two paths. On the upper one, steps are invisible, and from each state an a-edge leads down; on the
 *                 lower one steps are visible, the other way round. Inert steps stop being inert one after the other.
 *     wheel       the same, but from the end of the lower path one can start again: no state is ever done
 *     ladder      one path, each step of which can be done visibly or invisibly: no step is inert
 *     treadmill   the same, but from its end one can start again
 *     grid        a counter to many times another: two independent cycles with a visible action each
 *     product     eight small processes side by side, most of whose actions are invisible: much is bisimilar
 *     tree        a binary tree of a- and b-edges with leaves that are all alike
 *     silent      a complete tree of invisible edges with a few different visible ones at the leaves
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state_of_chance = 20240607;

static uint32_t below(uint32_t n) {
    uint64_t x = state_of_chance += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(((x ^ x >> 31) >> 32) * n >> 32);
}

static void edge(uint64_t from, const char *label, uint64_t to) {
    printf("(%" PRIu64 ", %s, %" PRIu64 ")\n", from, label, to);
}

static void header(uint64_t edges, uint64_t states) { printf("des (0, %" PRIu64 ", %" PRIu64 ")\n", edges, states); }

static void make_random(uint64_t edges, uint32_t percent_tau) {
    static const char *const labels[] = {"a", "b", "c"};
    uint32_t states = (uint32_t)(edges / 4);
    header(UINT64_C(4) * states, states);
    for (uint32_t s = 0; s < states; s++)
        for (int i = 0; i < 4; i++) {
            const char *label = below(100) < percent_tau ? "i" : labels[below(3)];
            edge(s, label, below(states));
        }
}

static void make_chain(uint64_t edges) {
    header(edges, edges + 1);
    for (uint64_t s = 0; s + 1 < edges; s++) edge(s, "a", s + 1);
    edge(edges - 1, "b", edges);
}

static void make_stairs(uint64_t edges, bool again) {
    uint64_t n = edges / 3; /* upper: 0 to n - 1; lower: n to 2n - 1, and a last one */
    header(3 * n - 1 + again, 2 * n + 1);
    if (again) edge(2 * n, "c", 0);
    for (uint64_t i = 0; i + 1 < n; i++) edge(i, "i", i + 1);
    for (uint64_t i = 0; i < n; i++) edge(i, "a", 2 * n - 1 - i);
    for (uint64_t i = 0; i < n; i++) edge(n + i, "b", i == 0 ? 2 * n : n + i - 1);
}

static void make_ladder(uint64_t edges, bool again) {
    uint64_t n = edges / 2;
    header(2 * n + again, n + 1);
    if (again) edge(n, "c", 0);
    for (uint64_t s = 0; s < n; s++) {
        edge(s, "i", s + 1);
        edge(s, "a", s + 1);
    }
}

static void make_grid(uint64_t edges) {
    uint64_t side = 1;
    while (2 * (side + 1) * (side + 1) <= edges) side++;
    header(2 * side * side, side * side);
    for (uint64_t x = 0; x < side; x++)
        for (uint64_t y = 0; y < side; y++) {
            edge(x * side + y, x + 1 < side ? "right" : "home", (x + 1) % side * side + y);
            edge(x * side + y, y + 1 < side ? "i" : "up", x * side + (y + 1) % side);
        }
}

/* Each process runs through a cycle; only the first two have a visible step. */
static void make_product(uint64_t edges) {
    enum { PROCESSES = 8 };
    uint64_t size[PROCESSES], states = 1, step = 1;
    for (int p = 0; p < PROCESSES; p++) size[p] = 2;
    for (int p = 0;; p = (p + 1) % PROCESSES) {
        states = 1;
        size[p]++;
        for (int q = 0; q < PROCESSES; q++) states *= size[q];
        if (states * PROCESSES > edges) {
            size[p]--;
            break;
        }
    }
    states = 1;
    for (int q = 0; q < PROCESSES; q++) states *= size[q];
    header(states * PROCESSES, states);
    for (uint64_t s = 0; s < states; s++) {
        step = 1;
        for (int p = 0; p < PROCESSES; p++) {
            uint64_t at = s / step % size[p];
            const char *label = at == 0 && p == 0 ? "go" : at == 0 && p == 1 ? "stop" : "i";
            edge(s, label, at + 1 < size[p] ? s + step : s - at * step);
            step *= size[p];
        }
    }
}

static void make_tree(uint64_t edges) {
    uint64_t inner = edges / 2;
    header(2 * inner, 2 * inner + 1);
    for (uint64_t s = 0; s < inner; s++) {
        edge(s, "a", 2 * s + 1);
        edge(s, "b", 2 * s + 2);
    }
}

static void make_silent(uint64_t edges) {
    static const char *const labels[] = {"a", "b", "c", "d", "e"};
    uint64_t inner = edges / 3, states = 2 * inner + 2;
    header(2 * inner + inner + 1, states);
    for (uint64_t s = 0; s < inner; s++) {
        edge(s, "i", 2 * s + 1);
        edge(s, "i", 2 * s + 2);
    }
    for (uint64_t s = inner; s < 2 * inner + 1; s++) edge(s, labels[below(5)], 2 * inner + 1);
}

int main(int argc, char **argv) {
    uint64_t edges = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    if (edges < 10 || edges > UINT64_C(4000000000)) {
        fprintf(stderr, "usage: make_lts random|taus|chain|stairs|wheel|ladder|treadmill|grid|product|tree|silent TRANSITIONS\n");
        return 2;
    }
    const char *shape = argv[1];
    if (strcmp(shape, "random") == 0) make_random(edges, 10);
    else if (strcmp(shape, "taus") == 0) make_random(edges, 50);
    else if (strcmp(shape, "chain") == 0) make_chain(edges);
    else if (strcmp(shape, "stairs") == 0) make_stairs(edges, false);
    else if (strcmp(shape, "wheel") == 0) make_stairs(edges, true);
    else if (strcmp(shape, "ladder") == 0) make_ladder(edges, false);
    else if (strcmp(shape, "treadmill") == 0) make_ladder(edges, true);
    else if (strcmp(shape, "grid") == 0) make_grid(edges);
    else if (strcmp(shape, "product") == 0) make_product(edges);
    else if (strcmp(shape, "tree") == 0) make_tree(edges);
    else if (strcmp(shape, "silent") == 0) make_silent(edges);
    else return fprintf(stderr, "make_lts: there is no shape '%s'\n", shape), 2;
    return 0;
}
