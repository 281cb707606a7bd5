/* Reading: what a stream of terms puts out, one after the other, is expected to be an LTS. */
#include "lts/mcrl2/mcrl2.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lts/mcrl2/mcrl2_print.h"
#include "lts/text_reader.h"

enum { BYTE = 8, PADDING = 8, MANY_STATES = 1 << 24 };

/* What comes next. */
enum place {
    HEAD,
    MARK, /* that it is an LTS */
    COUNT,
    PART, /* of MCRL2_PARTS */
    PARAMETERS,
    ACTIONS,
    ITEM, /* or the end */
    FROM,
    LABEL,
    TO,
    INITIAL_COUNT,
    INITIAL, /* or a probability before it */
    PROBABILITY,
    ENDED,
};

struct mcrl2 {
    enum place place;
    unsigned version;
    uint64_t bytes; /* that were read before those at hand */
    struct aterm_reader in;
    uint32_t transition; /* the symbol; 0: not yet known */
    uint32_t part;
    uint64_t left; /* terms of it */
    uint64_t from, labels_of_states;
    uint32_t label;
    bool initial;       /* it has been read */
    uint32_t *label_of; /* by list of actions, without a time: the label + 1 */
    size_t label_room;
    struct mcrl2_kept kept;
};

void mcrl2_kept_fini(struct mcrl2_kept *k) {
    if (k->there) aterms_fini(&k->terms);
    for (int i = 0; i < MCRL2_PARTS; i++) free(k->part[i].term);
    if (k->there) names_fini(&k->text);
    free(k->label.term);
    *k = (struct mcrl2_kept){0};
}

/* ---- Messages ---- */

static bool bad(struct text_reader *r, const char *what) {
    const struct mcrl2 *m = r->mine;
    return problem_set(r->why, EXIT_BAD_INPUT, "%s: about byte %llu: %s: is it damaged?", r->name,
                       (unsigned long long)m->bytes, what);
}

static bool unexpected(struct text_reader *r) {
    static const char *const wanted[] = {
        [MARK] = "'labelled_transition_system'",
        [COUNT] = "how many parts of the data specification follow",
        [PART] = "a part of the data specification",
        [PARAMETERS] = "the parameters of states",
        [ACTIONS] = "the actions",
        [ITEM] = "a transition, the label of a state, or the initial state",
        [FROM] = "the state that a transition leaves",
        [LABEL] = "the multi-action of a transition",
        [TO] = "the state that a transition goes to",
        [INITIAL_COUNT] = "how many initial states there are",
        [INITIAL] = "the initial state",
        [PROBABILITY] = "the initial state",
    };
    const struct mcrl2 *m = r->mine;
    char *what = text_format("expected %s", wanted[m->place]);
    bad(r, what);
    free(what);
    return false;
}

/* ---- Labels ---- */

static uint32_t *known_label(struct mcrl2 *m, uint32_t actions) {
    if (actions >= m->label_room) {
        size_t room = 2 * (size_t)actions + 64;
        m->label_of = memory_resize(m->label_of, room * sizeof *m->label_of);
        memset(m->label_of + m->label_room, 0, (room - m->label_room) * sizeof *m->label_of);
        m->label_room = room;
    }
    return &m->label_of[actions];
}

static void keep_label(struct mcrl2 *m, const char *text, uint32_t term) {
    if (names_add(&m->kept.text, text) < m->kept.label.count) return;
    MAKE_ROOM(m->kept.label.term, m->kept.label.count, m->kept.label.room);
    m->kept.label.term[m->kept.label.count++] = term;
}

/* Its text, and then its number. */
static bool read_new_label(struct text_reader *r, uint32_t term) {
    struct mcrl2 *m = r->mine;
    const struct aterms *t = &m->in.terms;
    const char *wrong;
    uint32_t actions = aterm_argument(t, term, 0), time = aterm_argument(t, term, 1);
    char *text = mcrl2_multi_action(t, actions, time, &wrong);
    bool good = text != NULL;
    if (!good) {
        char *what = text_format("the label of a transition %s", wrong);
        bad(r, what);
        free(what);
    } else if (aterm_is_empty(t, actions) && mcrl2_is_untimed(t, time)) {
        if (r->options) tau_met_note(r->options->met, "\"tau\"", strlen("\"tau\""));
        m->label = LTS_TAU;
    } else good = text_name(r, text, strlen(text), &m->label);
    if (good && m->label != LTS_TAU) keep_label(m, text, term);
    free(text);
    return good;
}

/* The same multi-action is mostly made of the same terms. */
static bool read_label(struct text_reader *r, uint32_t term) {
    struct mcrl2 *m = r->mine;
    struct aterms *t = &m->in.terms;
    if (!aterm_is(t, term, "TimedMultAct", 2)) return unexpected(r);
    uint32_t actions = aterm_argument(t, term, 0), *known = NULL;
    if (mcrl2_is_untimed(t, aterm_argument(t, term, 1))) known = known_label(m, actions);
    if (known && *known) m->label = *known - 1;
    else if (!read_new_label(r, term)) return false;
    if (!known || !*known) {
        if (known) *known = m->label + 1;
        return true; /* the term is kept */
    }
    aterms_drop_last(t);
    return true;
}

/* ---- Items ---- */

static bool is_state(struct text_reader *r, uint64_t n) {
    return n < UINT32_MAX - 1 || bad(r, "the number of a state is too large");
}

static bool begin_part(struct mcrl2 *m, uint64_t count) {
    m->left = count;
    m->place = PART;
    while (m->place == PART && m->left == 0) {
        m->part++;
        m->place = m->part < MCRL2_PARTS ? COUNT : PARAMETERS;
    }
    return true;
}

static bool take_number(struct text_reader *r, uint64_t n) {
    struct mcrl2 *m = r->mine;
    switch (m->place) {
    case COUNT: return begin_part(m, n);
    case FROM: m->from = n, m->place = LABEL; return is_state(r, n);
    case TO:
        m->place = ITEM;
        if (!is_state(r, n)) return false;
        lts_build_edge(&r->build, (uint32_t)m->from, m->label, (uint32_t)n);
        return true;
    case INITIAL_COUNT:
        m->place = INITIAL;
        return n == 1 ||
               problem_set(r->why, EXIT_BAD_INPUT,
                           "%s: there are probabilities in it (of the initial state), which onager does not know",
                           r->name);
    case INITIAL:
    case PROBABILITY:
        m->place = ITEM;
        if (m->initial) return bad(r, "there is a second initial state");
        m->initial = true;
        r->build.initial = (uint32_t)n;
        return is_state(r, n);
    default: return unexpected(r);
    }
}

static bool take_part(struct mcrl2 *m, uint32_t term) {
    struct mcrl2_part *p = &m->kept.part[m->part];
    MAKE_ROOM(p->term, p->count, p->room);
    p->term[p->count++] = term;
    if (--m->left == 0) begin_part(m, 0);
    return true;
}

static bool take_item(struct text_reader *r, uint32_t term) {
    struct mcrl2 *m = r->mine;
    struct aterms *t = &m->in.terms;
    uint32_t symbol = aterm_symbol(t, term);
    bool good = true;
    if (m->transition == 0 && aterm_is(t, term, "transition", 0)) m->transition = symbol;
    if (symbol != ATERM_NUMBER && symbol == m->transition) m->place = FROM;
    else if (aterm_is(t, term, "initial_state", 0)) m->place = INITIAL_COUNT;
    else if (aterm_is_pair(t, term) || aterm_is_empty(t, term)) m->labels_of_states++;
    else if (aterm_is(t, term, "probabilistic_transition", 0))
        good = problem_set(r->why, EXIT_BAD_INPUT, "%s: there are probabilities in it, which onager does not know",
                           r->name);
    else good = unexpected(r);
    aterms_drop_last(t);
    return good;
}

static bool take_term(struct text_reader *r, uint32_t term) {
    struct mcrl2 *m = r->mine;
    const struct aterms *t = &m->in.terms;
    switch (m->place) {
    case MARK:
        m->place = COUNT;
        return aterm_is(t, term, "labelled_transition_system", 0) ||
               problem_set(r->why, EXIT_BAD_INPUT, "%s is a file of mCRL2, but there is no LTS in it", r->name);
    case PART: return take_part(m, term);
    case PARAMETERS:
    case ACTIONS:
        m->kept.actions = term; /* of the two, the later one */
        m->place++;
        return aterm_is_pair(t, term) || aterm_is_empty(t, term) || (m->place--, unexpected(r));
    case ITEM: return take_item(r, term);
    case LABEL: m->place = TO; return read_label(r, term) || (m->place = LABEL, false);
    case INITIAL: m->place = PROBABILITY; return true; /* which is one */
    default: return unexpected(r);
    }
}

/* ---- The stream ---- */

static bool read_head(struct text_reader *r, const unsigned char *bytes, size_t size) {
    struct mcrl2 *m = r->mine;
    if (!aterm_begins(bytes, size) || size < ATERM_HEAD)
        return problem_set(r->why, EXIT_BAD_INPUT, "%s is %s: it does not begin as these do", r->name,
                           size == 0 ? "empty, and no file of mCRL2" : "no file of mCRL2");
    m->version = (unsigned)bytes[ATERM_MAGIC] << BYTE | bytes[ATERM_MAGIC + 1];
    aterm_reader_init(&m->in);
    names_init(&m->kept.text);
    m->place = MARK;
    return (m->version >= MCRL2_OLDEST && m->version <= MCRL2_NEWEST) ||
           problem_set(r->why, EXIT_BAD_INPUT,
                       "%s was saved by another version of mCRL2: its format is 0x%04x, and onager reads 0x%04x to "
                       "0x%04x, of mCRL2 202006 and later\nConvert it with the tools of that version: ltsconvert %s "
                       "FILE.aut",
                       r->name, m->version, MCRL2_OLDEST, MCRL2_NEWEST, r->name);
}

static bool take_end(struct text_reader *r) {
    struct mcrl2 *m = r->mine;
    if (m->place != ITEM) return unexpected(r);
    m->place = ENDED;
    return true;
}

static bool cut_off(struct text_reader *r) {
    return problem_set(r->why, EXIT_BAD_INPUT, "%s is cut off: the stream of terms does not go to its end", r->name);
}

/* Whole packets, as text readers take whole lines. */
static bool parse_packets(struct text_reader *r, const unsigned char *bytes, size_t size, bool last, uint64_t *at) {
    struct mcrl2 *m = r->mine;
    while (m->place != ENDED) {
        union aterm_found found;
        bool good = true;
        switch (aterm_read(&m->in, bytes, size, at, &found)) {
        case ATERM_KEPT: break;
        case ATERM_TERM: good = take_term(r, found.term); break;
        case ATERM_PLAIN_NUMBER: good = take_number(r, found.number); break;
        case ATERM_END: good = take_end(r); break;
        case ATERM_MORE: return !last || cut_off(r);
        case ATERM_BAD: good = bad(r, found.wrong); break;
        }
        if (!good) return false;
    }
    return true;
}

static bool parse_piece(struct text_reader *r, const char *text, size_t size, bool last, size_t *done) {
    struct mcrl2 *m = r->mine;
    const unsigned char *bytes = (const unsigned char *)text;
    uint64_t at = m->in.bit;
    *done = 0;
    if (m->place == HEAD) {
        if (size < ATERM_HEAD && !last) return true;
        if (!read_head(r, bytes, size)) return false;
        at = (uint64_t)ATERM_HEAD * BYTE;
    }
    if (!parse_packets(r, bytes, size, last, &at)) return false;
    *done = (size_t)(at / BYTE);
    m->in.bit = (unsigned)(at % BYTE);
    if (m->place == ENDED) {
        if (size - *done > PADDING) return bad(r, "something follows the end of the stream");
        if (last) *done = size;
    }
    m->bytes += *done;
    return true;
}

/* ---- The end ---- */

static uint32_t *all_terms(struct mcrl2_kept *k, size_t *count) {
    size_t n = 1 + k->label.count;
    for (int i = 0; i < MCRL2_PARTS; i++) n += k->part[i].count;
    uint32_t *all = memory_get(n * sizeof *all);
    *count = n;
    return all;
}

/* To or from one array. */
static void move_terms(struct mcrl2_kept *k, uint32_t *all, bool back) {
    struct mcrl2_part *part[MCRL2_PARTS + 1] = {&k->label};
    for (int i = 0; i < MCRL2_PARTS; i++) part[i + 1] = &k->part[i];
    for (int i = 0; i <= MCRL2_PARTS; i++)
        for (size_t j = 0; j < part[i]->count; j++, all++)
            if (back) part[i]->term[j] = *all;
            else *all = part[i]->term[j];
    if (back) k->actions = *all;
    else *all = k->actions;
}

/* Only what is needed to write the LTS again, and only if that version is written. */
static void keep(struct mcrl2 *m, struct mcrl2_kept *to) {
    size_t count;
    if (m->version != MCRL2_NEWEST) return;
    uint32_t *all = all_terms(&m->kept, &count);
    move_terms(&m->kept, all, false);
    aterms_init(&m->kept.terms);
    aterms_copy(&m->kept.terms, &m->in.terms, all, count);
    move_terms(&m->kept, all, true);
    free(all);
    *to = m->kept;
    to->there = true;
    m->kept = (struct mcrl2_kept){0};
    names_init(&m->kept.text);
}

static bool complete(struct text_reader *r) {
    struct mcrl2 *m = r->mine;
    struct lts_builder *b = &r->build;
    struct mcrl2_kept *to = r->options ? r->options->kept : NULL;
    if (m->place != ENDED) return cut_off(r);
    if (!m->initial) return bad(r, "there is no initial state");
    if (m->labels_of_states >= UINT32_MAX) return bad(r, "there are too many states");
    if (m->labels_of_states > b->states) b->states = (uint32_t)m->labels_of_states;
    if (b->initial >= b->states) b->states = b->initial + 1;
    if (b->states > MANY_STATES && b->states > m->labels_of_states && b->states > 2 * b->count + 1)
        return problem_set(r->why, EXIT_BAD_INPUT,
                           "%s: the highest number of a state is %u, but there are so few transitions (%llu) that most "
                           "states can have none",
                           r->name, b->states - 1, (unsigned long long)b->count);
    if (to && !to->there) keep(m, to);
    return true;
}

static void end(struct text_reader *r) {
    struct mcrl2 *m = r->mine;
    if (m->place == HEAD) return;
    aterm_reader_fini(&m->in);
    free(m->label_of);
    names_fini(&m->kept.text);
    mcrl2_kept_fini(&m->kept);
}

const struct text_format mcrl2_format = {
    .kind = FILE_MCRL2, .size = sizeof(struct mcrl2), .piece = parse_piece, .complete = complete, .end = end};
