/* report.c: see report.h. */
#include "report.h"

#include <stddef.h>
#include <stdio.h>

const char *const mode_names[MODES] = {"plain", "stubborn", "symmetry", "both"};
static const char *const mutation_names[RM_MUTATIONS] = {"nothing",
                                                         "a conflict is forgotten",
                                                         "an enabler is forgotten",
                                                         "the check is forgotten",
                                                         "the map moves locations only",
                                                         "the map forgets a value",
                                                         "another effect"};

static uint64_t sum(const struct statistics *all, unsigned jobs, size_t offset) {
    uint64_t total = 0;
    for (unsigned j = 0; j < jobs; j++) total += *(const uint64_t *)(const void *)((const char *)&all[j] + offset);
    return total;
}
#define SUM(member) sum(all, jobs, offsetof(struct statistics, member))

static double reduction(const struct statistics *all, unsigned jobs, unsigned mode) {
    double ratios = 0;
    for (unsigned j = 0; j < jobs; j++) ratios += all[j].reduction[mode];
    return ratios / (double)(SUM(reduced_models[mode]) ? SUM(reduced_models[mode]) : 1);
}

/* Stores and threads. */
static unsigned report_means(const struct statistics *all, unsigned jobs) {
    unsigned lacking = !SUM(shared) + !SUM(repeats) + !SUM(wide_repeats) + !SUM(overflowed);
    for (unsigned k = 0; k < STORES; k++) {
        printf("%s%s: ", k ? "; " : "", store_names[k]);
        for (unsigned v = 0; v < VERDICTS; v++) {
            printf("%s%lu %s", v ? ", " : "", SUM(stores[k][v]), verdict_names[v]);
            lacking += !SUM(stores[k][v]) != (k != EXACT && v == HOLDS);
        }
    }
    printf("; %lu overflowed\n", SUM(overflowed));
    printf("%lu runs in which threads had something to share out; %lu runs repeated with other threads, %lu of them "
           "such\n",
           SUM(shared), SUM(repeats), SUM(wide_repeats));
    return lacking;
}

unsigned report(const struct statistics *all, unsigned jobs) {
    unsigned lacking = 0;
    unsigned long largest = 0, wrong_verdicts = 0;
    for (unsigned j = 0; j < jobs; j++) largest = all[j].largest > largest ? all[j].largest : largest;
    printf("%lu models (%lu symmetric), %lu of them always may-terminating; %lu states on average, %lu at most\n",
           SUM(models), SUM(symmetric), SUM(terminating), SUM(states) / (SUM(models) ? SUM(models) : 1), largest);
    printf("%-10s", "");
    for (unsigned v = 0; v < VERDICTS; v++) printf("%14s", verdict_names[v]);
    for (unsigned p = 0; p < PROPERTIES; p++) printf("%14.13s", property_names[p]);
    printf("    states left\n");
    for (unsigned mode = 0; mode < MODES; mode++) {
        printf("%-10s", mode_names[mode]);
        for (unsigned v = 0; v < VERDICTS; v++) {
            printf("%14lu", SUM(verdicts[mode][v]));
            lacking += !SUM(verdicts[mode][v]) && !(mode == 0 && v == INCONCLUSIVE);
        }
        for (unsigned p = 0; p < PROPERTIES; p++) {
            printf("%14lu", SUM(properties[mode][p]));
            lacking += !SUM(properties[mode][p]) && !(p == INFINITE && mode >= 2);
        }
        printf("%14.0f%%\n", mode ? 100 * reduction(all, jobs, mode) : 100.0);
    }
    printf("must progress with stubborn sets for it: %lu hold, %lu do not, %lu inconclusive; %lu models are reduced\n",
           SUM(must[HOLDS]), SUM(must[VIOLATED]), SUM(must[INCONCLUSIVE]), SUM(must_reduced));
    lacking += !SUM(must[HOLDS]) || !SUM(must[VIOLATED]) || !SUM(must_reduced);
    printf("%lu runs with --max-states, %lu counterexamples checked, %lu of them replayed, %lu typical executions, "
           "%lu traps found depth-first\n",
           SUM(limited), SUM(traces), SUM(replays), SUM(typical), SUM(deep_traps));
    printf(
        "models that are not always may-terminating: %lu runs where may progress fails in the reduced graph only, %lu "
        "models whose bad states are missed by stubborn sets\n",
        SUM(false_alarms), SUM(missed_by_reduction));
    printf(
        "models with errors of their own: %lu; stubborn sets miss those of %lu if the rules do not account for errors, "
        "and of %lu if they do\n",
        SUM(errors[1]), SUM(errors_missed[0]), SUM(errors_missed[1]));
    lacking += !SUM(errors[1]) || !SUM(errors_missed[0]);
    lacking += report_means(all, jobs);
    printf("audits: right models %lu, wrong models %lu with and %lu without an effect\n",
           SUM(audits[0][0]) + SUM(audits[0][1]), SUM(audits[1][1]), SUM(audits[1][0]));
    lacking += !SUM(deep_traps) || !SUM(audits[0][0]) || !SUM(audits[1][0]) || !SUM(audits[1][1]);
    for (unsigned k = 1; k < RM_MUTATIONS; k++) {
        printf("planted in onager's model only: %-30s %4lu times, noticed %4lu times; changes a verdict %4lu times\n",
               mutation_names[k], SUM(planted[k]), SUM(noticed[k]), SUM(verdict_changed[k]));
        lacking += !SUM(noticed[k]);
        if (k <= RM_DROP_CHECK) wrong_verdicts += SUM(verdict_changed[k]);
    }
    uint64_t wrong = 0, caught = 0;
    for (unsigned k = RM_DROP_CONFLICT; k <= RM_MAP_FORGETS; k++) {
        printf("audited in a check: %-30s %4lu models, %4lu with rules in use that are wrong, %4lu of them told\n",
               mutation_names[k], SUM(examined[k]), SUM(wrong_rules[k]), SUM(caught[k]));
        wrong += SUM(wrong_rules[k]);
        caught += SUM(caught[k]);
    }
    lacking += !wrong_verdicts || !wrong || caught < wrong / 10 * 9;
    return lacking;
}
