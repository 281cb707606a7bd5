#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/commands.h"
#include "report/report.h"
#include "verify/verify.h"

/* Parameters that the certificate is of, unless the command line gives others; then the certificate will be refused. */
static void add_parameters(const struct identity *model, struct options *o) {
    static const char prefix[] = "parameter ";
    for (size_t i = 0; i < model->count; i++) {
        const char *label = model->entries[i].label;
        int64_t value;
        if (strncmp(label, prefix, sizeof prefix - 1) != 0) continue;
        label += sizeof prefix - 1;
        bool given = !text_is_identifier(label) || !text_to_int(model->entries[i].value, INT32_MIN, INT32_MAX, &value);
        for (size_t k = 0; k < o->parameter_count; k++) given |= strcmp(o->parameters[k].name, label) == 0;
        if (given) continue;
        o->parameters = memory_resize(o->parameters, (o->parameter_count + 1) * sizeof *o->parameters);
        o->parameters[o->parameter_count++] = (struct ts_parameter){label, value};
    }
}

static void list_checks(const struct claim *c, FILE *out) {
    const char *gap = "; ";
    for (int i = 0; i < PROP_COUNT; i++)
        if (c->checks & (1u << i)) {
            fprintf(out, "%s%s", gap, property_name((enum property)(1 << i)));
            gap = ", ";
        }
}

static void show(const struct verification *v, const struct claim *c, struct ts *ts, struct ts_worker *w) {
    struct ts_fault fault;
    if (v->state) {
        if (!ts->ops->print(w, v->state, NULL, stdout, &fault)) printf("(%s: %s)", fault.where, fault.text);
        putchar('\n');
    }
    if (v->end == VERIFY_REFUTED) {
        printf("refuted: %s\n", v->message);
        return;
    }
    printf("%s: %llu states, %llu edges", v->end == VERIFY_VERIFIED ? "verified" : "inconclusive",
           (unsigned long long)c->states, (unsigned long long)c->edges);
    list_checks(c, stdout);
    if (v->message) printf("; but %s", v->message);
    putchar('\n');
    if (c->reduction.symmetry) puts("assumed: the symmetry map is right ('onager audit' looks into that)");
}

static json_t *to_json(const struct verification *v, const struct claim *c, struct ts *ts) {
    static const char *const ends[] = {"verified", "refuted", "inconclusive"};
    json_t *document = report_json_about(ts), *checks = json_array(), *rest;
    for (int i = 0; i < PROP_COUNT; i++)
        if (c->checks & (1u << i)) json_array_append_new(checks, json_string(property_name((enum property)(1 << i))));
    rest = json_pack("{s:s, s:o, s:I, s:I, s:I, s:{s:b, s:b}, s:o}", "verdict", ends[v->end], "message",
                     v->message ? json_string(v->message) : json_null(), "states", (json_int_t)c->states, "edges",
                     (json_int_t)c->edges, "terminal_states", (json_int_t)c->terminals, "reduction", "stubborn",
                     (int)c->reduction.stubborn, "symmetry", (int)c->reduction.symmetry, "checks", checks);
    json_object_update(document, rest);
    json_decref(rest);
    return document;
}

static int judge(struct claim *c, struct ts *ts, const struct options *o, struct problem *why) {
    static const int statuses[] = {EXIT_HOLDS, EXIT_VIOLATED, EXIT_INCONCLUSIVE};
    struct verification v = {0};
    struct verify_limits limits = {.outside = o->outside < 1 << 28 ? (uint32_t)o->outside : 1 << 28,
                                   .interrupted = o->interrupted};
    struct ts_worker *w = ts->ops->worker_new(ts);
    if (verify_run(&v, c, ts, w, &limits, why)) {
        if (!o->json || strcmp(o->json, "-") != 0) show(&v, c, ts, w);
        if (o->json) {
            json_t *document = to_json(&v, c, ts);
            report_write_json(document, o->json, why);
            json_decref(document);
        }
    }
    int status = statuses[v.end];
    verification_fini(&v);
    ts->ops->worker_free(w);
    return status;
}

int command_verify(const struct options *o, struct problem *why) {
    struct options own = *o; /* with the parameters of the certificate */
    struct claim c;
    struct ts *ts = NULL;
    int status = EXIT_BAD_INPUT;
    own.parameters = memory_get((own.parameter_count + 1) * sizeof *own.parameters);
    if (o->parameters) memcpy(own.parameters, o->parameters, o->parameter_count * sizeof *own.parameters);
    if (claim_open(&c, o->file, why)) {
        struct problem other = {0};
        add_parameters(&c.model, &own);
        ts = open_model(&own, (struct reduction){0}, &other);
        if (!ts && own.parameter_count > o->parameter_count)
            problem_set(why, other.status, "with the parameters of the certificate %s: %s", o->file, other.text);
        else if (!ts) problem_set(why, other.status, "%s", other.text);
        problem_fini(&other);
    }
    if (ts) {
        status = judge(&c, ts, o, why);
        ts->ops->close(ts);
    }
    claim_fini(&c);
    free(own.parameters);
    return why->status ? (int)why->status : status;
}
