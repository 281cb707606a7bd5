#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/options/choose_reduction.h"
#include "cli/commands.h"
#include "cli/options/options_table.h"
#include "cli/progress_line.h"
#include "cli/threads_note.h"
#include "cli/wishes.h"
#include "model/network/network_model.h"
#include "reduce/derived/derived_ts.h"
#include "report/report.h"
#include "check/ltl_check.h"
#include "check/tester_check.h"
#include "store/archive.h"

struct limits limits_of(const struct options *o) {
    uint64_t available = memory_available() + memory_resident();
    /* Reading processes is a part of the work; compiling C is not. */
    double since = o->model && network_model_is(o->model) ? o->began : clock_seconds();
    return (struct limits){
        .max_states = o->max_states,
        .max_memory = o->max_memory ? o->max_memory : available / 10 * 9,
        .deadline = o->time > 0 ? since + o->time : 0,
        .interrupted = o->interrupted,
    };
}

static struct means means_of(const struct options *o) {
    return (struct means){
        .threads = (unsigned)o->threads,
        .store = {.kind = (enum store_kind)o->store,
                  .hash_bits = (unsigned)o->hash_bits,
                  .hashes = (unsigned)o->hashes,
                  .bitstate_bytes = o->max_memory ? 0 : UINT64_C(1) << 27,
                  .overflow = o->overflow == 1},
        .deep = o->order == ORDER_DFS,
        .checkpoint = o->resume ? o->resume : o->checkpoint,
        .resume = o->resume != NULL,
        .every = o->every > 0 ? o->every : 600,
    };
}

static bool wants_threads(const struct options *o) {
    return o->threads_given && o->threads > 1 && o->store == STORE_EXACT && !o->overflow && o->order == ORDER_BFS;
}

/* Who asks for threads, for a formula or a tester, wants the algorithm that uses them, unless it cannot be. A formula
 * may use them anyhow (ltl_check.h). */
static enum ltl_algorithm algorithm_of(const struct options *o) {
    bool formula = (o->ltl || o->assertion) && !o->stubborn;
    if (!o->algorithm && wants_threads(o) && !formula) return LTL_LEVELS;
    if (!o->algorithm && o->shortest) return LTL_LEVELS;
    return (enum ltl_algorithm)o->algorithm;
}

/* A check: of what, and, from `begin` on, how. */
struct run {
    const struct options *o;
    struct ts *ts;
    struct ts_worker *w;
    struct limits limits;
    struct means means;
    struct progress progress;
    struct ticker ticker;
    struct answer a;
    const char *chosen; /* --reduce auto: what, and why */
    bool hints;         /* something may be said about stubborn sets */
    unsigned checked;
};

/* After a search that takes some seconds, what stubborn sets would have left out is worth some tenths of one. */
enum { LONG_STATES = 2000000, LONG_SECONDS = 10 };

/* What the model brings with it, unless an option says no, and what options ask for. */
static unsigned asked(const struct options *o, const struct ts *ts) {
    unsigned checks = 0;
    for (const struct property_row *row = property_table; row->name; row++)
        if (property_of_model(row, ts)) checks |= row->id;
    for (const struct property_option *row = property_options; row->name; row++) {
        if (!property_option_given(row, o)) continue;
        if (row->use == USE_OFF) checks &= ~(unsigned)row->property;
        if (row->use == USE_ON || row->use == USE_ASK) checks |= row->property;
    }
    return checks;
}

/* Of what is asked, is there something that has no certificates? */
static bool can_be_certified(unsigned checks, struct problem *why) {
    const struct property_row *row = property_table;
    while (row->name && !((checks & row->id) && row->rank == RANK_UNKNOWN)) row++;
    if (!row->name) return true;
    const char *off = "";
    for (const struct property_option *option = property_options; option->name; option++)
        if (option->property == row->id && option->use == USE_OFF) off = option->name;
    return problem_set(why, EXIT_BAD_INPUT, "there are no certificates for %s: leave them out%s%s, or --certificate",
                       row->plural, *off ? " with --" : "", off);
}

/* The texts after options, by property. */
static void take_texts(struct questions *q, const struct options *o) {
    for (const struct property_option *row = property_options; row->name; row++) {
        const void *member = (const char *)o + row->offset;
        enum property_number number = (enum property_number)(property_row(row->property) - property_table);
        if (row->use == USE_ASK) q->what[number] = *(const char *const *)member;
        if (row->use == USE_OF) q->besides[number] = *(const char *const *)member;
    }
}

static bool set_questions(struct questions *q, const struct options *o, struct ts *ts, struct ts_worker *w,
                          struct problem *why) {
    *q = (struct questions){
        .order = o->order,
        .engine = o->engine,
        .checks = asked(o, ts),
        .no_termination = o->no_termination,
        .terminal_not_may = o->terminal_not_may,
        .terminal_not_must = o->terminal_not_must,
        .shortest = o->shortest,
        .seed = o->seed,
        .depth = o->depth,
        .certificate = o->certificate,
        .swaps = o->swaps,
        .no_audit = o->no_audit,
        .coverage = o->coverage,
    };
    if (o->certificate && !can_be_certified(q->checks, why)) return false;
    take_texts(q, o);
    return questions_options(q, ts, w, why);
}

static int status_of(enum verdict v) {
    static const int statuses[] = {EXIT_HOLDS, EXIT_VIOLATED, EXIT_INCONCLUSIVE, EXIT_BAD_INPUT, EXIT_INTERNAL};
    return statuses[v];
}

static void begin(struct run *r) {
    r->limits = limits_of(r->o);
    r->means = means_of(r->o);
    progress_init(&r->progress);
    r->ticker = progress_ticker(&r->progress, r->o->quiet);
}

static void say_more(struct run *r) {
    struct answer *a = &r->a;
    const struct options *o = r->o;
    bool watched = a->ltl.formula || a->ltl.file || a->tester.name || a->symbolic.states;
    bool long_one = a->states >= LONG_STATES || a->seconds >= LONG_SECONDS;
    bool plain = !o->stubborn && !o->reduce && !watched && !r->ts->asset && o->order == ORDER_BFS;
    r->hints = plain && long_one && a->verdict == VERDICT_HOLDS && !o->quiet && !o->json;
    r->checked = a->checked;
    a->proved = (a->checked & PROP_SAFETY) && derived_ts_proves_good(r->ts);
    a->chosen = r->chosen;
}

/* Shows the answer, if there is one. Returns the exit status that goes with it. */
static int finish(struct run *r, bool answered, struct problem *why) {
    const char *json = r->o->json;
    const char *remark = r->ts->ops->remark ? r->ts->ops->remark(r->ts) : NULL;
    progress_wipe(&r->progress);
    if (!answered) return EXIT_BAD_INPUT;
    say_more(r);
    if (remark) fprintf(stderr, "onager: note: %s\n", remark);
    const char *unused = threads_unused(r->o);
    if (unused || !r->o->threads_given) r->a.one_thread = unused;
    if (!json || strcmp(json, "-") != 0) report_text(&r->a, r->ts, r->w, showing_of(r->o, r->ts), stdout);
    if (json || r->o->trace_file || r->o->html) {
        json_t *document = report_json(&r->a, r->ts, r->w);
        if (json) report_write_json(document, json, why);
        write_trace_file(r->o, document, why);
        if (r->o->html) write_html(r->o, document, why);
        json_decref(document);
    }
    return status_of(r->a.verdict);
}

static bool can_certify(const char *path, struct problem *why) {
    struct archive_writer *w = path ? archive_create(path, ARCHIVE_CERTIFICATE, why) : NULL;
    archive_abandon(w);
    return !path || w;
}

/* It holds, but the certificate that was asked for could not be made. */
static bool lacks_certificate(const struct answer *a) { return a->verdict == VERDICT_HOLDS && a->certificate.status; }

/* A certificate was asked for: is there one? If not, one that was there before must not be taken for it. */
static void explain_certificate(const struct answer *a, const struct options *o) {
    struct stat info;
    bool older = stat(o->certificate, &info) == 0 && S_ISREG(info.st_mode);
    const char *left = older ? "; the old file of that name was not changed" : "";
    if (a->verdict != VERDICT_HOLDS)
        fprintf(stderr, "onager: no certificate was written to %s: only what holds can be certified%s\n",
                o->certificate, left);
    else if (lacks_certificate(a)) fprintf(stderr, "onager: %s%s\n", a->message, left);
}

/* With the same limit, a search that goes on would stop again at once. */
static const char *what_to_raise(const char *message) {
    if (strstr(message, "memory")) return "; it needs more memory (--max-memory) to get any further";
    if (strstr(message, "--max-states")) return "; it needs a larger --max-states, or none, to get any further";
    return "";
}

/* Saving failed: is there anything to go on with? One that was complete stays so. */
static bool has_older_checkpoint(const char *folder) {
    char *manifest = text_format("%s/manifest", folder);
    bool there = access(manifest, R_OK) == 0;
    free(manifest);
    return there;
}

/* Where the search can go on, if it has not ended, and what went wrong with saving it. */
static void explain_checkpoint(const struct answer *a, const struct means *m) {
    bool failed = a->checkpoint.status, there = failed ? has_older_checkpoint(m->checkpoint) : a->saved;
    if (failed)
        fprintf(stderr, "onager: the search could not be saved in %s: %s; %s\n", m->checkpoint, a->checkpoint.text,
                there ? "the checkpoint saved there before is complete, and can be used"
                      : "no checkpoint was written: start again with a folder on a disk that has space");
    if (a->verdict != VERDICT_INCONCLUSIVE || !there) return;
    if (m->resume)
        fprintf(stderr, "onager: to continue, give the same options again, --resume %s among them%s\n", m->checkpoint,
                what_to_raise(a->message));
    else
        fprintf(stderr, "onager: to continue, give the same options and --resume %s instead of --checkpoint%s\n",
                m->checkpoint, what_to_raise(a->message));
}

/* ---- Formulas, automata and testers ---- */

/* The formula that the model calls so. */
static bool find_assertion(const struct ts *ts, const char *name, struct ltl_question *q, struct problem *why) {
    const char *names[64];
    size_t n = 0;
    for (uint32_t i = 0; i < ts->assertion_count; i++) {
        if (n < 64) names[n++] = ts->assertions[i].name;
        if (strcmp(ts->assertions[i].name, name) != 0) continue;
        q->name = ts->assertions[i].name;
        q->formula = ts->assertions[i].formula;
        return true;
    }
    const char *near = text_nearest(name, names, n);
    return problem_set(why, EXIT_BAD_INPUT, "%s has no assertion '%s'%s%s%s", ts->path, name,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool set_fairness(struct fair *f, const struct options *o, struct ts *ts, struct ts_worker *w,
                         struct problem *why) {
    f->choice = o->fair_choice;
    return (!o->weak_fair || fair_add(f, ts, w, o->weak_fair, false, why)) &&
           (!o->strong_fair || fair_add(f, ts, w, o->strong_fair, true, why));
}

/* Fairness without a formula. False: there is nothing to be fair about. */
static bool fair_must(struct questions *q, struct fair *f, const struct options *o, struct ts *ts, struct ts_worker *w,
                      struct problem *why) {
    if (!o->weak_fair && !o->strong_fair && !o->fair_choice) return true;
    if (ts->whole_counts)
        return problem_set(why, EXIT_BAD_INPUT,
                           "fairness is for formulas and for must progress of C models: the progress properties of "
                           "processes assume fair choice already; leave it out, or give a formula with --ltl or "
                           "--assert");
    if (!(q->checks & PROP_MUST))
        return problem_set(why, EXIT_BAD_INPUT,
                           "fairness is for formulas and for must progress: %s has no must_progress%s; give a formula "
                           "with --ltl FORMULA",
                           ts->path, q->checks & PROP_MAY ? ", and may progress does not depend on fairness" : "");
    q->fair = f;
    return set_fairness(f, o, ts, w, why);
}

/* With `given`, what that accepts is looked for. */
static int check_formula(struct run *r, const struct hoa *given, struct problem *why) {
    const struct options *o = r->o;
    struct fair fair = {0};
    struct ltl_question q = {.formula = o->ltl,
                             .given = given,
                             .name = given ? o->automaton : NULL,
                             .algorithm = algorithm_of(o),
                             .parallel = wants_threads(o),
                             .favour = (enum favour)o->favour,
                             .depth_first = o->order == ORDER_DFS,
                             .stubborn = o->stubborn,
                             .no_audit = o->no_audit,
                             .shortest = o->shortest};
    int status = EXIT_BAD_INPUT;
    if ((!o->assertion || find_assertion(r->ts, o->assertion, &q, why)) && set_fairness(&fair, o, r->ts, r->w, why)) {
        if (fair.count || fair.choice) q.fair = &fair;
        begin(r);
        status = finish(r, ltl_check(&r->a, r->ts, r->w, &q, &r->limits, &r->means, &r->ticker, why), why);
        answer_fini(&r->a);
    }
    fair_fini(&fair);
    return status;
}

static int check_automaton(struct run *r, struct problem *why) {
    struct hoa given;
    if (!hoa_read(r->o->automaton, &given, why)) return (int)why->status;
    int status = check_formula(r, &given, why);
    hoa_fini(&given);
    return status;
}

static int check_tester(struct run *r, struct problem *why) {
    const struct options *o = r->o;
    struct tester tester;
    struct tester_question q = {.tester = &tester,
                                .algorithm = algorithm_of(o),
                                .favour = (enum favour)o->favour,
                                .depth_first = o->order == ORDER_DFS,
                                .stubborn = o->stubborn,
                                .no_audit = o->no_audit};
    if (!load_tester(o, r->ts, &tester, why)) return (int)why->status;
    begin(r);
    int status = finish(r, tester_check(&r->a, r->ts, r->w, &q, &r->limits, &r->means, &r->ticker, why), why);
    answer_fini(&r->a);
    tester_fini(&tester);
    return status;
}

/* ---- What the model itself asks for ---- */

static int ask(struct run *r, const struct questions *q, struct problem *why) {
    const struct options *o = r->o;
    begin(r);
    check_run(&r->a, r->ts, r->w, q, &r->limits, &r->means, &r->ticker);
    if (lacks_certificate(&r->a)) /* part of the answer: a problem would be a second document */
        r->a.message = text_format("it holds, but the certificate could not be made: %s", r->a.certificate.text);
    int status = finish(r, !r->a.refused, why);
    if (lacks_certificate(&r->a)) status = EXIT_BAD_INPUT;
    if (r->a.refused)
        problem_set(why, (enum exit_status)status_of(r->a.verdict), "--%s %s: %s",
                    r->means.resume ? "resume" : "checkpoint", r->means.checkpoint, r->a.message);
    if (o->certificate) explain_certificate(&r->a, o);
    if (r->means.checkpoint) explain_checkpoint(&r->a, &r->means);
    answer_fini(&r->a);
    return status;
}

static int check_properties(struct run *r, struct problem *why) {
    struct questions q;
    struct fair fair = {0};
    bool clear = set_questions(&q, r->o, r->ts, r->w, why) && fair_must(&q, &fair, r->o, r->ts, r->w, why);
    int status = clear ? ask(r, &q, why) : EXIT_BAD_INPUT;
    questions_fini(&q);
    fair_fini(&fair);
    return status;
}

/* Sets that preserve progress are larger: they are used if it is checked, and an answer can depend on it. */
static bool wants_progress(const struct options *o) {
    bool asked = network_model_is(o->model) ? !o->no_progress : !o->no_must_progress;
    bool fair = o->fair_choice || o->weak_fair || o->strong_fair;
    return o->stubborn && asked && !fair && !o->certificate && o->order != ORDER_RANDOM;
}

static struct ts *open_for_check(const struct options *o, struct problem *why) {
    bool formula = o->ltl || o->assertion; /* these, automata and testers bring stubborn sets of their own */
    struct reduction reduction = {.stubborn = o->stubborn && !formula && !o->automaton && !o->tester && !o->refines,
                                  .symmetry = o->symmetry,
                                  .forward = o->forward,
                                  .method = method_of(o),
                                  .preserve = o->no_check_state ? PRESERVE_DEADLOCKS : PRESERVE_SAFETY,
                                  .progress = wants_progress(o)};
    return open_model(o, reduction, why);
}

/* What a model's text switches on is known when it is open. */
static struct ts *open_as_wished(struct options *own, struct problem *why) {
    struct ts *ts = open_for_check(own, why);
    bool again = false, good = ts && wishes_heed(own, ts, &again, why);
    if (good && !again) return ts;
    if (ts) ts->ops->close(ts);
    return good ? open_for_check(own, why) : NULL;
}

static int check(struct run *r, struct problem *why) {
    const struct options *o = r->o;
    r->w = r->ts->ops->worker_new(r->ts);
    int status = o->ltl || o->assertion    ? check_formula(r, NULL, why)
                 : o->automaton            ? check_automaton(r, why)
                 : o->tester || o->refines ? check_tester(r, why)
                                           : check_properties(r, why);
    r->ts->ops->worker_free(r->w);
    r->ts->ops->close(r->ts);
    return status;
}

/* Last, since only one model is open at a time. */
static void hint(const struct run *r) {
    char *hint = suggest_reduction(r->o, r->checked, open_for_check);
    if (hint) printf("hint: %s\n", hint);
    free(hint);
}

int command_check(const struct options *given, struct problem *why) {
    struct options o;
    int status = EXIT_BAD_INPUT;
    if (!can_certify(given->certificate, why)) return (int)why->status;
    if (wishes_init(&o, given, why)) {
        struct run r = {.o = &o, .ts = open_as_wished(&o, why)};
        char *chosen = NULL;
        if (r.ts && o.reduce && !o.stubborn) chosen = choose_reduction(&o, &r.ts, asked(&o, r.ts), open_for_check, why);
        r.chosen = chosen;
        if (r.ts) status = check(&r, why);
        if (r.hints) hint(&r);
        free(chosen);
    }
    wishes_fini(&o);
    return why->status ? (int)why->status : status;
}
