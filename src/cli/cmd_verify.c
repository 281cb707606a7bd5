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
        o->parameters[o->parameter_count++] = (struct ts_parameter){.name = label, .value = value};
    }
}

static char *longer(char *text, char *more) {
    char *result = text_format("%s%s%s", text, *text && *more ? " " : "", more);
    free(text);
    free(more);
    return result;
}

/* What the certificate has decided, and nobody would know who reads the command line: "-p n=4 --terminal-not-may". */
static char *settings_of(const struct claim *c, const struct ts *ts) {
    char *text = ts->process ? text_format("--process %s", ts->process) : memory_copy_string("");
    for (uint32_t i = 0; i < ts->parameter_count; i++)
        if (!ts->parameters[i].usual)
            text = longer(text, text_format("-p %s=%lld", ts->parameters[i].name, (long long)ts->parameters[i].value));
    if (c->terminal_not_may) text = longer(text, memory_copy_string("--terminal-not-may"));
    if (c->terminal_not_must) text = longer(text, memory_copy_string("--terminal-not-must"));
    if (c->checks & PROP_INFINITE) {
        const char *finitely = identity_value(&c->run, "option --finitely");
        text = longer(text, text_format("--infinitely %u", c->infinitely));
        if (strcmp(finitely, "none") != 0) text = longer(text, text_format("--finitely %s", finitely));
    }
    for (const struct property_row *row = property_table; row->name; row++)
        if (c->named && c->checks & row->id && row->target & TS_NAMED)
            text = longer(text, text_format("--%s %s", property_option(row->id), c->named));
    return text;
}

static void list_checks(const struct claim *c, FILE *out) {
    const char *gap = "; ";
    for (const struct property_row *row = property_table; row->name; row++)
        if (c->checks & row->id) {
            fprintf(out, "%s%s", gap, row->name);
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
    printf("%s: %llu state%s, %llu edge%s", v->end == VERIFY_VERIFIED ? "verified" : "inconclusive",
           (unsigned long long)c->states, text_s(c->states), (unsigned long long)c->edges, text_s(c->edges));
    list_checks(c, stdout);
    char *settings = settings_of(c, ts);
    if (*settings) printf("; for %s", settings);
    free(settings);
    if (v->message) printf("; but %s", v->message);
    putchar('\n');
    if (c->reduction.symmetry) puts("assumed: the symmetry map is right ('onager audit' tests it)");
}

static json_t *to_json(const struct verification *v, const struct claim *c, struct ts *ts) {
    static const char *const ends[] = {"verified", "refuted", "inconclusive"};
    json_t *document = report_json_about(ts), *checks = json_array(), *rest;
    for (const struct property_row *row = property_table; row->name; row++)
        if (c->checks & row->id) json_array_append_new(checks, json_string(row->name));
    char *settings = settings_of(c, ts);
    rest = json_pack("{s:s, s:o, s:I, s:I, s:I, s:o, s:o, s:s}", "verdict", ends[v->end], "message",
                     v->message ? json_string(v->message) : json_null(), "states", (json_int_t)c->states, "edges",
                     (json_int_t)c->edges, "terminal_states", (json_int_t)c->terminals, "reduction",
                     report_json_reductions(&c->reduction), "checks", checks, "settings", settings);
    free(settings);
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
    struct options own = *o; /* with the parameters and the process of the certificate */
    struct claim c;
    struct ts *ts = NULL;
    int status = EXIT_BAD_INPUT;
    own.parameters = memory_get((own.parameter_count + 1) * sizeof *own.parameters);
    if (o->parameters) memcpy(own.parameters, o->parameters, o->parameter_count * sizeof *own.parameters);
    if (claim_open(&c, o->file, why)) {
        struct problem failure = {0};
        add_parameters(&c.model, &own);
        use_process(&own, identity_value(&c.model, IDENTITY_PROCESS));
        ts = open_model(&own, (struct reduction){0}, &failure);
        bool more = own.parameter_count > o->parameter_count;
        if (!ts && (more || own.process != o->process)) {
            const char *file = identity_other_file(&c.model, o->model);
            problem_set(why, failure.status, "with the %s of the certificate %s%s%s: %s",
                        more ? "parameters" : "process", o->file, file ? ", which is of another model, " : "",
                        file ? file : "", failure.text);
        } else if (!ts) problem_set(why, failure.status, "%s", failure.text);
        problem_fini(&failure);
    }
    if (ts) {
        status = judge(&c, ts, o, why);
        ts->ops->close(ts);
    }
    claim_fini(&c);
    free(own.parameters);
    return why->status ? (int)why->status : status;
}
