# shellcheck shell=bash disable=SC2016,SC2034,SC2154 # a part of tests/lts/run, whose functions and files it uses
# Formats of files, the names of the invisible action, hiding and renaming, onager info.

# ---- Formats ----

onager lts "$root/examples/abp.fsp" -o abp.aut
onager lts abp.aut -o plain.aut
onager lts abp.aut -o plain.fsm
for name in abp.aut.gz abp.aut.zst abp.fsm abp.fsm.gz abp.fsm.zst abp.lts abp.lts.gz; do
    onager lts abp.aut -o $name
    expect "$name is written" 0 true '[[ ! -s $err ]]'
    onager compare abp.aut $name --eq strong
    expect "$name is the same" 0
    onager lts $name -o again.aut
    expect "$name is read again" 0 out "$(sed -n 's/des (0, \([0-9]*\), \([0-9]*\))/\2 states, \1 edges/p' abp.aut)"
done
if command -v gzip >/dev/null; then
    gzip -dc abp.aut.gz >unpacked.aut && gzip -dc abp.fsm.gz >unpacked.fsm
    status=$? tried="gzip -dc"
    expect "gzip unpacks it" 0 true 'cmp -s unpacked.aut plain.aut && cmp -s unpacked.fsm plain.fsm'
    gzip -c choice.aut >packed.aut.gz && gzip -c /dev/null >>packed.aut.gz
    onager minimize packed.aut.gz --eq strong
    expect "gzip has packed it, in two parts" 0 out "des (0, 4, 4)"
    timeout 300 "$ONAGER" info - <packed.aut.gz >"$out" 2>"$err"
    status=$? tried="onager info - <packed.aut.gz"
    expect "packed standard input" 0 out "standard input: 6 states, 7 edges"
fi
onager minimize choice.aut --eq strong --to fsm
expect "FSM to standard output" 0
written "FSM" <<'END'
---
---
1 2 "a"
2 3 "tau"
2 4 "c"
3 4 "b"
END
cp "$out" four.txt
timeout 300 "$ONAGER" minimize - --from fsm --eq strong --to fsm <four.txt >again.txt 2>"$err"
status=$? tried="onager minimize - --from fsm --to fsm"
expect "FSM from standard input" 0 true 'cmp -s four.txt again.txt'
onager minimize four.txt --from fsm --eq strong -o other.txt --to aut
expect "names that tell nothing" 0 true '[[ $(head -n 1 other.txt) == "des (0, 4, 4)" ]]'
onager minimize choice.aut --eq strong -o choice4.dot
expect "dot" 0 true 'grep -qF "s1 -> s2 [label=\"tau\"];" choice4.dot'
printf 'x(2) Nat "0" "7"\ny(0)\n---\n0\n1\n1\n---\n2 1 "a, (b)"\r\n1 2 "i"\n---\n2\n' >own.fsm
onager minimize own.fsm --eq strong --tau tau
expect "an FSM file with parameters and an initial state" 0
written "with parameters" <<'END'
des (0, 2, 2)
(0, "a, (b)", 1)
(1, "i", 0)
END
onager minimize own.fsm
expect "i is a visible action of .fsm, and .aut could not say so" 2 err "there is a visible action 'i'" err "--tau NAME"

onager minimize choice.txt
expect "no such file" 2 err "choice.txt"
cp choice.aut choice.txt
for command in check minimize "compare choice.aut --eq strong" draw info run; do
    # shellcheck disable=SC2086 # several words
    onager $command choice.txt
    expect "$command of an unknown suffix" 2 err "choice.txt: its name does not say what is in it" err ".fsp or .lts"
done
mkfifo fifo
for command in info minimize draw "compare choice.aut --eq strong"; do
    # shellcheck disable=SC2086 # several words
    onager $command fifo
    expect "$command: a pipe is not C" 2 err "fifo: its name does not say what is in it" err "--from FORMAT"
done
onager check choice.AUT
expect "capitals" 2 err "choice.AUT"
onager info choice4.dot
expect "dot is not read" 2 err "is that of a picture, which onager writes but does not read"
onager minimize choice.aut -o small
expect "an output without a suffix" 2 err "-o small: its name does not say" err "--to FORMAT" true '[[ ! -e small ]]'
onager lts "$root/examples/token_ring.c" -p n=40 -o nowhere/x.aut
expect "a place that is not there, before the work" 2 err "cannot write nowhere/x.aut: No such file"
onager minimize choice.aut -o unwritten.aut --json nowhere/x.json
expect "and one for the document" 2 err "cannot write nowhere/x.json: No such file" true '[[ ! -e unwritten.aut ]]'
onager minimize choice.aut -o small.aut.bz2
expect "an unknown packing" 2 err "-o small.aut.bz2: its name does not say"
onager minimize choice.aut -o small.c.gz
expect "only LTSs are packed" 2 err "-o small.c.gz: its name does not say"
onager minimize choice.aut -o small.aut --to fsm
expect "two formats" 2 err "its name and --to say different formats"
onager minimize choice.aut --from fsm
expect "--from of a name that tells" 2 err "--from is for standard input"
onager minimize choice.aut:P
expect "a process of an LTS" 2 err "choice.aut is one LTS; there is no process P in it"
timeout 300 "$ONAGER" lts choice.aut --to fsm -o - >said.fsm 2>"$err"
status=$? tried="onager lts choice.aut --to fsm -o -"
expect "FSM to -o -" 0 true 'head -n 1 said.fsm | grep -qx -e ---'
timeout 300 "$ONAGER" minimize choice.aut --eq strong --to dot -o - >said.dot 2>"$err"
status=$? tried="onager minimize choice.aut --to dot -o -"
expect "Graphviz to -o -" 0 true 'head -n 1 said.dot | grep -q digraph'
onager lts choice.aut --to fsm
expect "--to of nothing" 2 err "give -o FILE"

# ---- The binary format of mCRL2 ----

printf 'des (0, 4, 4)\n(0, "put(1, [true])", 1)\n(1, tau, 2)\n(2, "a|b", 0)\n(3, "never", 3)\n' >data.aut
onager lts data.aut -o data.lts
expect "written" 0 true '[[ $(head -c 5 data.lts | od -An -tx1) == " 00 8b af 83 08" ]]'
onager compare data.aut data.lts --eq strong
expect "and read" 0
onager minimize data.lts --eq strong
expect "labels, and the invisible action of mCRL2" 0 out '(0, "put(1, [true])", 1)' out '(1, "tau", 2)' out '(2, "a|b", 0)'
onager lts data.lts -o packed.lts.gz
onager info packed.lts.gz
expect "packed" 0 out "packed.lts.gz: 3 states, 3 edges" out "spelt \"tau\""
timeout 300 "$ONAGER" minimize - --eq strong --to lts <data.lts >again.lts 2>"$err"
status=$? tried="onager minimize - --to lts <data.lts >again.lts"
expect "standard input is known by its first bytes" 0 true '"$ONAGER" compare data.aut again.lts --eq strong >$out'
cp data.lts data.txt
onager info data.txt --from lts
expect "a name that tells nothing" 0
cp data.lts other.aut
onager info other.aut
expect "another name" 2 err "other.aut is in the binary format of mCRL2: its name must end with .lts"
timeout 300 "$ONAGER" info - --from aut <data.lts >"$out" 2>"$err"
status=$? tried="onager info - --from aut <data.lts"
expect "another format than was said" 2 err "standard input is in the binary format of mCRL2: say --from lts"
printf 'P = (a -> P).\n' >model.lts
onager lts model.lts -o model.lts
expect "no model is overwritten" 2 err "is not an LTS of mCRL2 but perhaps a model" true 'grep -q P model.lts'
onager info model.lts
expect "FSP files are called .lts, too" 0 out "model.lts: 1 state, 1 edge"
onager info model.lts --from lts
expect "--from of FSP" 2 err "--from is for standard input"
timeout 300 "$ONAGER" info - --from lts <model.lts >"$out" 2>"$err"
status=$? tried="onager info - --from lts <model.lts"
expect "no stream of terms" 2 err "standard input is no file of mCRL2: it does not begin as these do"
printf 'import P = "model.lts".\n||S = P.\n' >fsp_import.fsp
onager info fsp_import.fsp
expect "FSP is not imported" 2 err "model.lts is no file of mCRL2"
printf '\x00\x8b\xaf\x83\x05more' >old.lts
onager info old.lts
expect "an older version" 2 err "old.lts was saved by another version of mCRL2" err "ltsconvert old.lts FILE.aut"
head -c 100 data.lts >cut.lts
onager info cut.lts
expect "cut off" 2 err "cut.lts is cut off"
(head -c 60 data.lts && head -c 200 /dev/zero | tr '\0' '\377') >bad.lts
onager info bad.lts
expect "damaged" 2 err "bad.lts: about byte"

printf 'import P = "plain.fsm".\nimport Q = "abp.aut.gz".\nimport R = "abp.lts.gz".\n||S = (P || Q || R).\n' >imports.fsp
onager compare imports.fsp abp.aut --eq trace
expect "FSP imports all formats" 0
timeout 300 "$ONAGER" check - <choice.aut >"$out" 2>"$err"
status=$? tried="onager check - <choice.aut"
expect "check reads standard input" 1 out "6 states, 7 edges"

# broken NAME MESSAGE: info of the file on standard input, called NAME, tells MESSAGE
broken() {
    cat >"$1"
    onager info "$1"
    expect "$1: $2" 2 err "$2"
}
broken cut.aut.gz "cut.aut.gz is cut off: what gzip has packed does not go to its end" < <(head -c 60 abp.aut.gz)
broken cut.aut.zst "cut.aut.zst is cut off: what zstd has packed does not go to its end" < <(head -c 60 abp.aut.zst)
broken bad.aut.gz "bad.aut.gz: what gzip has packed is damaged" < <(head -c 60 abp.aut.gz && head -c 200 abp.aut.zst)
broken bad.aut.zst "bad.aut.zst: what zstd has packed is damaged" < <(cat abp.aut.zst && echo more)
broken more.aut.gz "more.aut.gz: what gzip has packed is damaged" < <(cat abp.aut.gz && echo more)
broken plain.aut.gz "its name says that it is packed by gzip, but it is not" <choice.aut
broken none.aut.zst "its name says that it is packed by zstd, but it is empty" </dev/null
broken packed.aut "packed.aut is packed by gzip: call it packed.aut.gz" <abp.aut.gz
broken wrong.aut "expected the header" <abp.fsm
broken wrong.fsm "wrong.fsm:1: expected a parameter" <abp.aut
broken empty.fsm "empty.fsm: it is empty" </dev/null
broken f1.fsm "f1.fsm:1: expected a parameter 'NAME(NUMBER) SORT \"VALUE\"...', or '---', found 'x 1'" <<<"x 1"
broken f2.fsm "f2.fsm:1: the file ends in its first section" <<<'x(1) Nat "0"'
broken f3.fsm "f3.fsm:2: this state has 1 value, but there are 0 parameters" <<<$'---\n0'
broken f4.fsm "f4.fsm:3: expected the label in quotes at the end of the line" <<<$'---\n---\n1 2'
broken f5.fsm "f5.fsm:3: the states of an .fsm file are 1, 2, ...; there is no state 0" <<<$'---\n---\n0 1 "a"'
broken f6.fsm "f6.fsm:5: there is no state 2: the second section has 1 state" <<<$'x(1)\n---\n0\n---\n1 2 "a"'
broken f7.fsm "f7.fsm:3: there are probabilities here" <<<$'---\n---\n1 [1 1/2 2 1/2] "a"'
broken f8.fsm "f8.fsm:3: the label begins with '\"' but does not end with one" <<<$'---\n---\n1 1 "a'
broken f9.fsm "the highest number of a state is 4000000000, but there are so few transitions (1)" <<<$'---\n---\n1 4000000000 "a"'

# ---- The invisible action ----

cat >both.aut <<'END'
des (0, 3, 2)
(0, "tau", 1)
(0, i, 1)
(1, a, 0)
END
onager minimize both.aut --eq strong
expect "two names for it" 0 out '(0, "tau", 1)' err 'note: the invisible action is called "tau" and i' err "--tau NAME"
onager minimize both.aut --eq strong --tau tau
expect "one of them is visible" 0 out '(0, "i", 1)' out '(0, tau, 1)' true '! grep -q note $err'
onager minimize both.aut --eq strong --tau i,tau
expect "the first of the list is written" 0 out '(0, i, 1)' true '! grep -q note $err'
onager minimize both.aut --eq strong --tau '"inner, step",tau,i,a'
expect "several, and one with a comma" 0 out '(0, "inner, step", 0)'
onager lts both.aut --tau tau,i -o -
expect "onager lts" 0 out '(0, tau, 1)'
for list in "" "," "a,"; do
    onager minimize both.aut --tau "$list"
    expect "no names for it" 2 err "--tau needs names"
done

# ---- Hiding and renaming ----

onager minimize choice.aut --eq strong --hide b,c
expect "hide" 0 out '(0, "a", 1)' true '! grep -q "\"[bc]\"" $out'
onager minimize choice.aut --eq strong --show a
expect "show" 0 true '[[ $(sort $out) == $(sort <("$ONAGER" minimize choice.aut --eq strong --hide b,c 2>/dev/null)) ]]'
onager minimize choice.aut --eq strong --rename 'a=first,*=x*'
expect "rename" 0 out '"first"' out '"xb"' out '"xc"' true '! grep -q "\"[abc]\"" $out'
onager lts choice.aut --hide 'b*' -o -
expect "lts" 0 err "2 visible labels" out ', i, 4)'
onager draw choice.aut --rename c=shown
expect "draw" 0 out shown
onager compare choice.aut choice.aut --eq weak --hide a
expect "compare" 0
onager compare choice.aut choice.aut --eq strong --rename 'c=b,zzz=b'
expect "compare, and what is not there" 0 err "note: --rename zzz: there is no such action"
onager minimize choice.aut --eq strong --hide ' b , c ' --rename ' a = x y '
expect "blanks around names" 0 out '"x y"' true '! grep -q "\"[bc]\"" $out && [[ $(grep -c note $err) == 0 ]]'
onager minimize choice.aut --eq strong --hide tau --rename i=a
expect "the invisible action is there" 0 err "note: --hide tau: that is the invisible action already" \
    err "note: --rename i: that is the invisible action, which has no other name"
onager minimize choice.aut --hide a --hide b
expect "one list, not two" 2 err "--hide is given twice: write one list, --hide a,b"
# What is reduced first and hidden then is what is hidden of the whole.
for what in traces:trace fair-testing:fair-testing tree-failures:tree-failures; do
    for change in "--hide=*.0" "--rename=*.0=x*,*.1=x*"; do
        "$ONAGER" lts "$root/examples/abp.fsp" --preserve "${what%:*}" "$change" -o reduced.aut >"$out" 2>"$err"
        "$ONAGER" lts "$root/examples/abp.fsp" "$change" -o full.aut >/dev/null 2>&1
        onager compare reduced.aut full.aut --eq "${what#*:}"
        expect "--preserve ${what%:*} $change" 0
    done
done
onager minimize choice.aut --hide a --show b
expect "hide and show" 2 err "leave one of them out"
onager minimize choice.aut --rename a
expect "rename to nothing" 2 err "--rename a: write OLD=NEW"
onager minimize choice.aut --rename a=tau
expect "rename to tau" 2 err "--hide 'a'"
onager minimize choice.aut --rename a=b*
expect "a star too many" 2 err "--rename a=b*"
onager minimize choice.aut --hide a,,b
expect "an empty name" 2 err "one is empty"

# ---- Info ----

onager info choice.aut
expect "info" 0 out "choice.aut: 6 states, 7 edges; initial state 0" \
    out "deterministic: no: state 0 has edges 'a' to 1 and to 2; 2 states have invisible edges (1, 2)" \
    out "deadlocks: 2 states (4, 5)" out "on invisible cycles: none" out "alphabet: 3 visible labels" out "2  tau (invisible, spelt i)"
cat >stuck.aut <<'END'
des (0, 5, 3)
(0, a, 1)
(0, i, 1)
(1, i, 2)
(2, i, 1)
(0, b, 0)
END
onager info stuck.aut
expect "progress is lost" 0 out "always may-progressing: no: from 2 states (1, 2), nothing visible and no deadlock can be" \
    out "always may-stabilizing: no: from 3 states (0, 1, 2), no state without invisible edges can be reached"
onager info stuck.aut --json -
expect "progress is lost, in JSON" 0 \
    true '[[ $(jq -c "[.not_progressing, .not_stabilizing.count]" "$out") == "[{\"count\":2,\"first\":[1,2]},3]" ]]'
onager info choice.aut
expect "progress is never lost" 0 out "always may-progressing: yes" out "always may-stabilizing: yes"
onager lts stuck.aut -o again.aut --json -
expect "of an LTS that is not reduced" 0 \
    true '[[ $(jq -c "[.always_may_progressing, .always_may_stabilizing]" "$out") == "[false,false]" ]]'
onager lts "$root/examples/abp.fsp" -o again.aut --json -
expect "the protocol can always come to rest" 0 \
    true '[[ $(jq -c "[.always_may_progressing, .always_may_stabilizing]" "$out") == "[true,true]" ]]'
onager info loop.aut --json -
expect "info as JSON" 0 out '"tau_cycles": {' out '"deterministic": false' out '"components": 3' true '! grep -q alphabet: $out'
printf 'des (1, 1, 3)\n(1, a, 1)\n' >one.aut
onager info one.aut
expect "singular" 0 out "one.aut: 3 states, 1 edge; initial state 1" out "reachable: 1 state, 1 edge;" \
    out "deterministic: yes" out "strong components: 1; bottom ones: 1, with 1 state, 1 in the largest (1)" \
    out "alphabet: 1 visible label;"
onager minimize one.aut
expect "singular when minimising" 0 err "3 states, 1 edge -> 1 state, 1 edge;"
onager info "$root/examples/abp.fsp"
expect "info about a model" 0 out "strong components: "
printf 'des (0, 1, 1)\n(0, i, 0)\n' >silent.aut
onager info silent.aut
expect "no labels" 0 out "alphabet: no visible labels" out "1  tau (invisible, spelt i)" out "on invisible cycles: 1 state (0)"
onager info
expect "info about nothing" 2 err "onager info needs an LTS"
