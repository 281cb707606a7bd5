# shellcheck shell=sh disable=SC2034 # what is set here is used by the others
# What the scripts of bench/ share; they source it after `set -eu`. It goes to the top of the source tree, and sets
# onager, cc, quick (yes or empty) and dir (where build products go).
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.." || exit
onager=${ONAGER:-build/onager}
cc=${CC:-gcc}
dir=${BENCH_DIR:-build/bench}

die() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# calc EXPRESSION: awk arithmetic
calc() { awk "BEGIN { printf \"%.12g\", ($*) }"; }

# in_millions NUMBER
in_millions() { awk "BEGIN { printf \"%.1f M\", $1 / 1e6 }"; }

# with_digits DIGITS NUMBER
with_digits() { awk "BEGIN { printf \"%.$1f\", $2 }"; }

least() { awk "BEGIN { printf \"%.12g\", ($1 == 0 || $2 < $1) ? $2 : $1 }"; }
greatest() { awk "BEGIN { printf \"%.12g\", ($2 > $1) ? $2 : $1 }"; }

# must_be WHO GOT_STATES GOT_EDGES STATES EDGES
must_be() {
    [ "$2 $3" = "$4 $5" ] || die "$1 found $2 states and $3 edges instead of $4 and $5"
}

# explore ARGUMENT...: onager check; set states, edges, time_s and peak_bytes. A reduction of memory that forgets states
# may be inconclusive (3).
explore() {
    status=0
    "$onager" check "$@" --json - >$dir/answer.json || status=$?
    case $status in
    0 | 3) ;;
    *) die "exit status $status of: $onager check $* --json -" ;;
    esac
    states=$(json states)
    edges=$(json edges)
    time_s=$(json time_s)
    peak_bytes=$(json peak_bytes)
}

# check STATES EDGES ARGUMENT...: the same, which must find so many and hold
check() {
    expected_states=$1
    expected_edges=$2
    shift 2
    explore "$@"
    [ $status = 0 ] || die "inconclusive: $onager check $*"
    must_be "$onager check $*" "$states" "$edges" "$expected_states" "$expected_edges"
}

# json KEY: the number at the first occurrence of KEY in the last answer
json() { sed -n 's/.*"'"$1"'": *\([0-9][-+.0-9eE]*\).*/\1/p' $dir/answer.json | head -n 1; }

[ -x "$onager" ] || die "there is no $onager: run make"
mkdir -p "$dir"
