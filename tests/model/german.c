/* German's cache coherence protocol: clients ask a home node for shared or exclusive access by three channels of one
 * place each. Home serves one request at a time: it takes away what is in the way, and grants. A client may stop asking.
 *
 * $ onager check german.c -p n=2
 *   holds, 2688 states, 7614 edges
 * $ onager check german.c
 *   holds, 68608 states, 294720 edges
 */
#include <onager.h>

PARAM(n, 3, 2, 16)

ENUM(cache, invalid, shared, exclusive)
ENUM(request, no_request, ask_shared, ask_exclusive)
ENUM(grant, no_message, invalidate, grant_shared, grant_exclusive)

#define STATE(var, array)                                                                                              \
    array(request, asks, n) array(grant, told, n) array(1, acknowledges, n) array(cache, has, n)                       \
    array(1, to_invalidate, n) array(1, shares, n) array(1, done, n)                                                   \
    var(1, exclusive_given) var(request, command) var(UPTO(n - 1), client)
DEFINE_STATE(STATE)

enum { by_home = 10 * n }; /* the last two transitions */

static bool ask(state *s, unsigned i, enum request what) {
    bool enough = s->has[i] == exclusive || (what == ask_shared && s->has[i] == shared);
    if (s->asks[i] != no_request || enough || s->done[i]) return false;
    s->asks[i] = what;
    return true;
}

static bool take_request(state *s, unsigned i, enum request what) {
    if (s->command != no_request || s->asks[i] != what) return false;
    s->command = what;
    s->client = i;
    s->asks[i] = no_request;
    for (unsigned j = 0; j < n; j++) s->to_invalidate[j] = s->shares[j];
    return true;
}

static bool send_invalidate(state *s, unsigned i) {
    if (s->told[i] != no_message || !s->to_invalidate[i]) return false;
    if (s->command != ask_exclusive && !(s->command == ask_shared && s->exclusive_given)) return false;
    s->told[i] = invalidate;
    s->to_invalidate[i] = 0;
    return true;
}

static bool obey(state *s, unsigned i) {
    if (s->told[i] != invalidate || s->acknowledges[i]) return false;
    s->told[i] = no_message;
    s->acknowledges[i] = 1;
    s->has[i] = invalid;
    return true;
}

static bool take_acknowledgement(state *s, unsigned i) {
    if (!s->acknowledges[i] || s->command == no_request) return false;
    s->acknowledges[i] = 0;
    s->shares[i] = 0;
    if (s->exclusive_given) s->exclusive_given = 0;
    return true;
}

static bool receive(state *s, unsigned i, enum grant what, enum cache now) {
    if (s->told[i] != what) return false;
    s->told[i] = no_message;
    s->has[i] = now;
    return true;
}

static bool stop(state *s, unsigned i) {
    if (s->done[i] || s->asks[i] != no_request) return false;
    s->done[i] = 1;
    return true;
}

static bool give(state *s, enum request what) {
    if (s->command != what) return false;
    unsigned i = s->client;
    if (s->told[i] != no_message || s->exclusive_given) return false;
    for (unsigned j = 0; j < n; j++)
        if (what == ask_exclusive && s->shares[j]) return false;
    s->told[i] = what == ask_exclusive ? grant_exclusive : grant_shared;
    s->shares[i] = 1;
    if (what == ask_exclusive) s->exclusive_given = 1;
    s->command = no_request;
    return true;
}

static bool fire(state *s, unsigned t) {
    if (t >= by_home) return give(s, t == by_home ? ask_shared : ask_exclusive);
    unsigned i = t % n;
    switch (t / n) {
    case 0: return ask(s, i, ask_shared);
    case 1: return ask(s, i, ask_exclusive);
    case 2: return take_request(s, i, ask_shared);
    case 3: return take_request(s, i, ask_exclusive);
    case 4: return send_invalidate(s, i);
    case 5: return obey(s, i);
    case 6: return take_acknowledgement(s, i);
    case 7: return receive(s, i, grant_shared, shared);
    case 8: return receive(s, i, grant_exclusive, exclusive);
    default: return stop(s, i);
    }
}

static const char *check_state(const state *s) {
    unsigned owners = 0, sharers = 0;
    for (unsigned i = 0; i < n; i++) {
        owners += s->has[i] == exclusive;
        sharers += s->has[i] == shared;
        if (owners > 1 || (owners > 0 && sharers > 0)) return "an exclusive copy is not the only one";
    }
    return NULL;
}

static const char *transition_name(unsigned t) {
    static const char *const names[] = {"ask shared",      "ask exclusive", "take shared",      "take exclusive",
                                        "send invalidate", "invalidate",    "take acknowledge", "receive shared",
                                        "receive exclusive", "stop"};
    if (t >= by_home) return t == by_home ? "grant shared" : "grant exclusive";
    return format("%s %u", names[t / n], t % n);
}

MODEL(.transitions = 10 * n + 2, .fire = fire, .check_state = check_state, .transition_name = transition_name)
