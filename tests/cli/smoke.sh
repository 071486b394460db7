#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# smoke.sh ATEMI: every way out of the command once, for the sanitizers (a leak changes the exit
# code). What the answers say is for test_*.py.

set -uo pipefail

atemi=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect CODE ARGUMENT...: runs the command on the standard input that is there.
expect() {
    local wanted=$1 code=0
    shift
    "$atemi" "$@" >"$work/out" 2>"$work/err" || code=$?
    if [[ $code -ne $wanted ]] || grep -q 'Sanitizer\|runtime error' "$work/err"; then
        printf 'atemi %s: exit code %d, expected %d\n' "$*" "$code" "$wanted"
        head -n 40 "$work/err"
        failures=$((failures + 1))
    fi
}

echo '{"q": "neutral"}' >"$work/good.json"
echo '{"q": [1, 2, 3' >"$work/syntax.json"
echo '{"q": "neutral", "v": {"nobody": 1}}' >"$work/schema.json"
echo '{"q": {"base": [0, 0, 0, 0, 0, 0, 0]}}' >"$work/quaternion.json"
echo '<robot name="r"><link name="a"></robot>' >"$work/bad.urdf"

expect 2
expect 0 --help
expect 0 --version
expect 0 help eval
expect 2 nothing
expect 0 robots
expect 0 robots --json
for robot in two_link three_link humanoid17 hrp2_like r2_like; do
    expect 0 info "$robot"
    expect 0 info "$robot" --json --base fixed
    expect 0 eval "$robot" --state "$work/good.json"
done
expect 0 eval hrp2_like --state - --link head --link waist <"$work/good.json"
expect 1 info two_link --base floating
expect 2 info two_link --base floting
expect 2 info hrp2_like --posture nothing
expect 2 info "$work/bad.urdf"
expect 2 info - <"$work/bad.urdf"
expect 2 eval two_link --state "$work/syntax.json" --link tip
expect 2 eval two_link --state "$work/schema.json"
expect 2 eval hrp2_like --state "$work/quaternion.json"
expect 2 eval two_link --state "$work/none.json"
expect 2 eval two_link --link nothing --state "$work/good.json"
expect 2 eval two_link --link tip --link
expect 0 reproduce --list
expect 0 reproduce ene --json
expect 2 reproduce enr
expect 0 simulate --explain
expect 2 simulate
expect 2 simulate "$work/none.yaml"
printf 'robot: two_link\nduration: 10 ms\n' >"$work/short.yaml"
printf 'robot: two_link\nduraton: 10 ms\n' >"$work/typo.yaml"
expect 0 simulate "$work/short.yaml" --out "$work/recording" --json
expect 0 simulate "$work/short.yaml" --explain
expect 2 simulate "$work/typo.yaml"
expect 2 strike "$work/short.yaml"
expect 2 info "$work/short.yaml"
expect 2 "$work/short.yaml"
expect 0 simulate "$work/short.yaml" --figures "$work/figures"
expect 2 simulate "$work/short.yaml" --figures "$work/none/figures"
expect 2 simulate --explain --json
expect 0 walk --states --svg
expect 2 walk --states --json
expect 0 report "$work/recording" --figures "$work/figures"
expect 0 report "$work/recording" --figures "$work/figures" --json
expect 2 report "$work/none"
expect 2 report
expect 2 view "$work/none"
if "$atemi" report "$work/recording" >/dev/null 2>&1; then # built with the page
    expect 0 report "$work/recording" -o "$work/page.html"
    expect 0 simulate "$work/short.yaml" --report "$work/page.html"
    expect 2 simulate "$work/short.yaml" --report "$work/none/page.html"
    DISPLAY='' WAYLAND_DISPLAY='' expect 0 view "$work/recording"
    DISPLAY='' WAYLAND_DISPLAY='' expect 0 view "$work/page.html"
else
    expect 2 report "$work/recording"
    expect 2 simulate "$work/short.yaml" --report "$work/page.html"
fi
[[ $failures -eq 0 ]]
