# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The fuzzers, for ./test and tests/long/fuzz; to be sourced behind tools/setup.sh, with the
# repository as the current folder. New inputs go to build/corpus/NAME; what breaks a fuzzer stays
# in build/findings, its report in build/logs/fuzz-NAME.log.
#
#   fuzz_names               the fuzzers that there are
#   fuzz_build               builds all of them, in build/fuzz
#   fuzz_all SECONDS NAME... runs fuzzers for so long each, one a core; with FUZZ_SEED, always the same
#                            inputs in the same order
#   fuzz_log NAME            where the report of a fuzzer is

fuzz_names() { basename -s .c -a tests/fuzz/fuzz_*.c | sed 's/^fuzz_//'; }

fuzz_log() { echo "build/logs/fuzz-$1.log"; }

fuzz_build() {
    # shellcheck disable=SC2046
    setup_configure fuzz $(sanitized_options) -DATEMI_FUZZ=ON -DATEMI_TESTS=OFF -DATEMI_CLI=OFF &&
        setup_compile fuzz all
}

fuzz_one() {
    local seconds=$1 name=$2 log
    log=$(fuzz_log "$name")
    # Slow is no finding, a hang is: `jobs` and `counts` run what they read, 30 times slower than a release.
    local -a options=(-max_total_time="$seconds" -timeout=120 -rss_limit_mb=2048
        -print_final_stats=1 -artifact_prefix="build/findings/$name-" "build/corpus/$name")
    [[ -n ${FUZZ_SEED:-} ]] && options+=(-seed="$FUZZ_SEED")
    [[ -f tests/fuzz/$name.dict ]] && options+=(-dict="tests/fuzz/$name.dict")
    [[ -d tests/fuzz/corpus/$name ]] && options+=("tests/fuzz/corpus/$name")
    mkdir -p "build/corpus/$name" build/findings build/logs
    if "build/fuzz/fuzz/fuzz_$name" "${options[@]}" >"$log" 2>&1; then
        echo "fuzz ok: $name, $(sed -n 's/^stat::number_of_executed_units: */runs /p' "$log")"
    else
        tail -n 40 "$log"
        echo "fuzz FAILED: $name; the input stands in build/findings, the report in $log"
    fi
}

fuzz_all() {
    local seconds=$1 started=0 name
    shift
    for name in "$@"; do
        ((started++ >= jobs)) && wait -n
        fuzz_one "$seconds" "$name" &
    done
    wait
}
