/* asset.h: ASSET's language for models, which is C++ with state variables, for g++.
 *
 * It stands before the text of a model, which follows it in the namespace `model`, as in ASSET; asset_end.h comes last.
 * (A. Valmari: A State Space Tool for Models Expressed in C++.) doc/ASSET.md tells modellers what there is.
 *
 * The program has rewritten the declarations of state variables before this is compiled (src/model/asset):
 *     state_var C[n] = 2, x(3), y;
 * has become
 *     state_var C[n], onager_1 = onager::width("C", 2, ...), x, onager_2 = onager::width("x", 3, ...), ...
 * because C++ has no such initialiser of arrays, and because nothing else would know the names.
 */
#ifndef ONAGER_ASSET_H
#define ONAGER_ASSET_H

#ifdef ONAGER_OBSERVED
/* Nothing from outside can be called there (observe.h), so that no stream can be made. */
#define _GLIBCXX_IOSTREAM 1
#include <istream>
#include <ostream>
#else
#include <iostream>
#endif
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <type_traits>
#include <vector>

#include <onager/asset_calls.h>

#define ONAGER_UNWATCHED __attribute__((no_sanitize("thread")))
#define ONAGER_AT_ONCE inline __attribute__((always_inline)) /* so that faults are told by the model's own lines */

/* ---- The state that the model's functions are called for ---- */

#ifdef ONAGER_OBSERVED
/* There are no data that may change, and nobody outside who would need the register. */
register char *onager_values asm("r15");

class onager_entry {
    char *before;

  public:
    explicit onager_entry(void *state) : before(onager_values) { onager_values = static_cast<char *>(state); }
    ~onager_entry() { onager_values = before; }
};
#else
extern "C" {
#ifdef ONAGER_STRICT
__thread char *onager_values;
#else
__thread char *onager_values __attribute__((tls_model("initial-exec")));
#endif
}

class onager_entry {
  public:
    explicit onager_entry(void *state) { onager_values = static_cast<char *>(state); }
};
#endif

namespace onager {

/* What a function of a model is if there is none of this name. */
struct absent {};

/* Of the state variables so far. */
static unsigned created, named;
/* nr_transitions has been called: there are no more of them. */
static bool begun;

/* Something that model code must not do. The check ends there. */
#ifdef ONAGER_OBSERVED
inline void mistake(const char *text, ...) { onager_asset_raise(text); }
#else
__attribute__((cold, noinline, format(printf, 1, 2))) inline void mistake(const char *format, ...) {
    char *text = nullptr, *marked = nullptr;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0 || asprintf(&marked, ONAGER_MISTAKE "%s", text) < 0) abort();
    va_end(args);
    free(text);
    onager_asset_raise(marked);
}
#endif

struct width {
    width(const char *name, long long bits, size_t bytes, bool is_array, int line = __builtin_LINE(),
          const char *file = __builtin_FILE()) {
        if (begun) return; /* there is an error already */
        onager_asset_declare(name, bits, created - named, bytes, is_array, file, line);
        named = created;
    }
};

} // namespace onager

/* ---- State variables ---- */

class state_var {
    unsigned offset;

    typedef unsigned any __attribute__((may_alias));

    /* An array of them is followed by one more, which stands for what is behind it. Compilers check other indices. */
    static constexpr unsigned nowhere = ~0u;

    ONAGER_AT_ONCE any &value() const {
#ifdef ONAGER_CHECKED
        if (__builtin_expect(offset == nowhere, 0)) __builtin_trap();
#endif
        return *reinterpret_cast<any *>(onager_values + offset);
    }

  public:
    state_var() : offset(0) {
        if (onager::begun)
            onager::mistake("a state variable is made while the model runs: declare state variables outside functions");
        else offset = onager_asset_offset(onager::created++);
    }
    state_var(const state_var &) = delete; /* its value is a number: unsigned x = C[i]; */
    state_var(const onager::width &) : offset(0) {
#ifdef ONAGER_CHECKED
        offset = nowhere;
#else
        if (onager::created) offset = onager_asset_offset(onager::created - 1) + sizeof(unsigned);
#endif
    }

    ONAGER_AT_ONCE operator unsigned() const { return value(); }
    ONAGER_AT_ONCE unsigned operator=(unsigned x) { return value() = x; }
    ONAGER_AT_ONCE unsigned operator=(const state_var &x) { return value() = x.value(); }
    ONAGER_AT_ONCE unsigned operator+=(unsigned x) { return value() += x; }
    ONAGER_AT_ONCE unsigned operator-=(unsigned x) { return value() -= x; }
    ONAGER_AT_ONCE unsigned operator*=(unsigned x) { return value() *= x; }
    ONAGER_AT_ONCE unsigned operator/=(unsigned x) { return value() /= x; }
    ONAGER_AT_ONCE unsigned operator%=(unsigned x) { return value() %= x; }
    ONAGER_AT_ONCE unsigned operator&=(unsigned x) { return value() &= x; }
    ONAGER_AT_ONCE unsigned operator|=(unsigned x) { return value() |= x; }
    ONAGER_AT_ONCE unsigned operator^=(unsigned x) { return value() ^= x; }
    ONAGER_AT_ONCE unsigned operator<<=(unsigned x) { return value() <<= x; }
    ONAGER_AT_ONCE unsigned operator>>=(unsigned x) { return value() >>= x; }
    ONAGER_AT_ONCE unsigned operator++() { return ++value(); }
    ONAGER_AT_ONCE unsigned operator--() { return --value(); }
    ONAGER_AT_ONCE unsigned operator++(int) { return value()++; }
    ONAGER_AT_ONCE unsigned operator--(int) { return value()--; }

    static bool is_initial() { return onager_asset_is_initial(onager_values); }
    static bool is_zero() { return onager_asset_is_zero(onager_values); }
};

/* ---- Errors of the model ---- */

class onager_message {
  public:
    /* The section tells that the model may raise errors, if it is not left out because nothing calls this. */
    __attribute__((noinline)) const char *operator=(const char *text) const {
        __asm__ volatile(".pushsection onager_raises,\"a\"\n\t.byte 1\n\t.popsection");
#ifndef ONAGER_OBSERVED
        if (text) text = strdup(text); /* what the model has made may be gone soon */
#endif
        if (text) onager_asset_raise(text);
        return text;
    }
    operator const char *() const { return onager_asset_raised(); }
};
static const onager_message err_msg __attribute__((unused)) = {};

/* ---- Stubborn sets ---- */

template <class... T> inline void stb(const T &...transitions) {
    const unsigned list[] = {0, static_cast<unsigned>(transitions)...};
    onager_asset_oblige(list + 1, sizeof...(transitions));
}
inline void stb_all() { onager_asset_oblige_all(); }

/* ---- Printing: std::cout is another stream, which print_state and nr_transitions may use ---- */

#ifdef ONAGER_OBSERVED
namespace onager {
struct silence {
    template <class T> const silence &operator<<(const T &) const { return *this; }
    const silence &operator<<(std::ostream &(*)(std::ostream &)) const { return *this; }
    const silence &operator<<(std::ios_base &(*)(std::ios_base &)) const { return *this; }
    template <class T> const silence &put(T) const { return *this; }
    template <class T> const silence &write(T, std::streamsize) const { return *this; }
    const silence &flush() const { return *this; }
    template <class... T> int width(T...) const { return 0; }
    template <class... T> int precision(T...) const { return 0; }
    template <class... T> char fill(T...) const { return ' '; }
    template <class... T> int setf(T...) const { return 0; }
    template <class... T> void unsetf(T...) const {}
};
} // namespace onager
namespace std {
static const onager::silence onager_cout __attribute__((unused)) = {};
}
inline int onager_printf(const char *, ...) { return 0; }
inline int onager_puts(const char *) { return 0; }
inline int onager_putchar(int) { return 0; }
#else
namespace onager {

/* Where what is printed goes: to a file, or if there is none, it is kept. Who prints is one thread at a time; one that
 * was stopped while it printed may begin again. */
class paper : public std::streambuf {
    const void *writer = nullptr;
    FILE *to = nullptr;

    static const void *self() { return &onager_values; }

    int overflow(int c) override {
        char one = static_cast<char>(c);
        return c == traits_type::eof() ? 0 : xsputn(&one, 1) == 1 ? c : traits_type::eof();
    }

    ONAGER_UNWATCHED std::streamsize xsputn(const char *text, std::streamsize size) override {
        if (__atomic_load_n(&writer, __ATOMIC_RELAXED) != self())
            mistake("it prints to standard output, which only print_state and nr_transitions may do: to look on, print "
                    "to std::cerr");
        else if (to) fwrite(text, 1, static_cast<size_t>(size), to);
        else kept.append(text, static_cast<size_t>(size));
        return size;
    }

  public:
    std::string kept;

    ONAGER_UNWATCHED void begin(FILE *file) {
        for (const void *none = nullptr;
             !__atomic_compare_exchange_n(&writer, &none, self(), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) &&
             none != self();
             none = nullptr) {}
        to = file;
    }

    ONAGER_UNWATCHED void end() { __atomic_store_n(&writer, static_cast<const void *>(nullptr), __ATOMIC_RELEASE); }
};

/* All that changes is on the heap: the memory of the model itself can only be read while it runs. */
struct printing {
    paper sheet;
    std::ostream stream{&sheet};
    const std::ios plain{nullptr};
    const char *threw = nullptr; /* in nr_transitions */

    void begin(FILE *to) {
        sheet.begin(to);
        stream.clear();
        stream.copyfmt(plain); /* every state is printed as if it were the first */
    }
};

static printing &desk = *new printing;

} // namespace onager
namespace std {
static ostream &onager_cout __attribute__((unused)) = onager::desk.stream;
}

__attribute__((format(printf, 1, 2))) inline int onager_printf(const char *format, ...) {
    char *text = nullptr;
    va_list args;
    va_start(args, format);
    int size = vasprintf(&text, format, args);
    va_end(args);
    if (size >= 0) onager::desk.stream.write(text, size);
    if (size >= 0) free(text);
    return size;
}
inline int onager_puts(const char *text) { return onager_printf("%s\n", text); }
inline int onager_putchar(int c) { return onager_printf("%c", c), c; }
#endif
namespace std {
using ::onager_printf;
using ::onager_putchar;
using ::onager_puts;
} // namespace std
#define cout onager_cout
#define printf onager_printf
#undef puts
#define puts onager_puts
#undef putchar
#define putchar onager_putchar

/* ---- What is there? The model's own functions are taken before these ---- */

namespace model {
template <int = 0> onager::absent nr_transitions(...) { return {}; }
template <int = 0> onager::absent fire_transition(...) { return {}; }
template <int = 0> onager::absent print_state(...) { return {}; }
template <int = 0> onager::absent check_state(...) { return {}; }
template <int = 0> onager::absent check_deadlock(...) { return {}; }
template <int = 0> onager::absent is_may_progress(...) { return {}; }
template <int = 0> onager::absent is_must_progress(...) { return {}; }
template <int = 0> onager::absent next_stubborn(...) { return {}; }
template <int = 0> onager::absent symmetry_representative(...) { return {}; }
} // namespace model

#endif
