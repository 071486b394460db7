# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Set-up that ./run and ./test share; to be sourced. Installs only what is missing, keeps
# everything but Debian packages inside build/, and knows from stamps what is already done.
#
#   setup_packages GROUP...         Debian packages of the groups build, page, test, bench, arm64
#   setup_node                      node and npm for the page of reports: those on PATH, or build/node
#   setup_venv                      build/venv with what the tests need of Python
#   setup_configure NAME OPTION...  configures build/NAME, if that is not done yet
#   setup_compile NAME TARGET...    compiles targets of build/NAME

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc)

packages_of() {
    case $1 in
    build) echo cmake ninja-build gcc g++ pkg-config libc6-dev libexpat1-dev libyaml-dev \
        libjansson-dev libsundials-dev zlib1g-dev ;;
    page) command -v npm >/dev/null || echo python3-venv ;;
    test) echo libcmocka-dev clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev llvm-19 \
        valgrind python3-venv python3-dev git make chromium doxygen firefox-esr fish zsh \
        lld-19 wasi-libc libclang-rt-19-dev-wasm32 ;;
    bench) echo libeigen3-dev g++ clang-19 ;;
    arm64) echo gcc-aarch64-linux-gnu qemu-user ;;
    *) fail "no package group $1" ;;
    esac
}

say() { printf '== %s\n' "$*"; }

fail() {
    printf 'error: %s\n' "$1" >&2
    [[ $# -eq 1 ]] || printf '%s\n' "${@:2}" >&2
    exit 1
}

# The arguments that are not installed as Debian packages.
missing_packages() {
    local package
    for package in "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
            printf '%s ' "$package"
    done
}

# Runs a command as root: as it is, or through sudo, which may ask where a person can answer.
as_root() {
    if [[ $EUID -eq 0 ]]; then
        "$@"
    elif [[ -t 0 ]]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

setup_packages() {
    local -a wanted=() missing=()
    local group cure
    for group in "$@"; do
        read -ra missing <<<"$(packages_of "$group")"
        wanted+=("${missing[@]}")
    done
    if ! command -v dpkg-query >/dev/null; then
        say "no dpkg here; I take it that you have what these Debian packages bring: ${wanted[*]}"
        return
    fi
    read -ra missing <<<"$(missing_packages "${wanted[@]}")"
    [[ ${#missing[@]} -eq 0 ]] && return
    cure="apt-get update && apt-get install --no-install-recommends ${missing[*]}"

    [[ $EUID -eq 0 ]] || command -v sudo >/dev/null ||
        fail "these Debian packages are missing: ${missing[*]}" \
            "Installing them needs root, and there is no sudo here. As root, run" "    $cure"
    say "installing Debian packages: ${missing[*]}"
    mkdir -p "$root/build/logs"
    {
        as_root apt-get -o DPkg::Lock::Timeout=120 update &&
            as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 \
                install -y --no-install-recommends "${missing[@]}"
    } >"$root/build/logs/packages.log" 2>&1 || {
        tail -n 15 "$root/build/logs/packages.log" >&2
        fail "these Debian packages did not install: ${missing[*]}" \
            "The reason stands above. When it is cured (network? rights?), run as root" "    $cure"
    }
}

# A python3 that can make environments; Debian's own first, whatever else is on PATH.
system_python() {
    local candidate
    for candidate in /usr/bin/python3 "$(command -v python3 || true)"; do
        [[ -x $candidate ]] && "$candidate" -c 'import venv, ensurepip' 2>/dev/null &&
            echo "$candidate" && return
    done
    fail "no python3 with the module venv; as root, run" "    apt-get install python3-venv"
}

# install_pinned PYTHON NAME: the Python packages of tools/NAME.txt, each by its version and hash. Those
# are of Debian 12's Python 3.11; any other one gets the newest of tools/NAME.in.
install_pinned() {
    local -a pip=("$1" -m pip install --disable-pip-version-check)
    if "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
        "${pip[@]}" --require-hashes --only-binary=:all: -r "$root/tools/$2.txt"
    else
        echo "This is not Python 3.11, for which tools/$2.txt is made: packages come as they are"
        "${pip[@]}" -r "$root/tools/$2.in"
    fi
}

# make_venv NAME REQUIREMENTS [OPTIONAL]: build/NAME with the Python packages of tools/REQUIREMENTS.txt,
# and with those of the other where they install; nothing, where that is done.
make_venv() {
    local venv=$root/build/$1 log=$root/build/logs/$1.log python key
    local -a names=("${@:2}") files=("${@/#/"$root"/tools/}")
    files=("${files[@]:1}")
    python=$(system_python) || exit 1
    key=$({
        echo "$venv" "$("$python" -VV)"
        cat "${files[@]/%/.in}" "${files[@]/%/.txt}"
    } | sha256sum)
    [[ -f $venv/.stamp && $(<"$venv/.stamp") == "$key" ]] && return

    say "installing Python packages into build/$1: $(grep -hv '^#' "${files[@]/%/.in}" | paste -sd ' ')"
    mkdir -p "$root/build/logs"
    rm -rf "$venv"
    { "$python" -m venv "$venv" && install_pinned "$venv/bin/python" "${names[0]}"; } >"$log" 2>&1 || {
        tail -n 15 "$log" >&2
        fail "the Python packages of tools/${names[0]}.txt did not install" \
            "The reason stands above. When it is cured (network?), run this again"
    }
    [[ ${#names[@]} -eq 1 ]] || install_pinned "$venv/bin/python" "${names[1]}" >>"$log" 2>&1 ||
        say "optional packages did not install (build/logs/$1.log); their tests will be skipped"
    echo "$key" >"$venv/.stamp"
}

setup_venv() { make_venv venv requirements requirements-optional; }

# Debian's npm takes 350 packages and minutes to install, the wheel one file and seconds.
setup_node() {
    ! command -v npm >/dev/null || return 0
    make_venv node requirements-node
    export PATH=$root/build/node/bin:$PATH NODE_USE_SYSTEM_CA=1
}

# What a build folder is good for. Compiled for one processor (-march=native), it is of no use on
# another one, and CMake cannot notice that by itself.
machine_key() {
    echo "$root"
    grep -m1 -E '^(flags|Features)' /proc/cpuinfo || uname -m
    "${CC:-cc}" --version
    cmake --version
}

# Configures build/NAME with the options, anew when it comes from another machine or place.
setup_configure() {
    local folder=$root/build/$1 machine options
    shift
    machine=$(machine_key | sha256sum)
    options="$machine $*"
    [[ -f $folder/.stamp && $(<"$folder/.stamp") == "$options" ]] && return
    if [[ -f $folder/.stamp && $(<"$folder/.stamp") != "$machine "* ]]; then
        echo "$folder comes from another machine, compiler or place: made anew"
        rm -rf "$folder"
    fi
    cmake -S "$root" -B "$folder" -G Ninja --log-level=NOTICE "$@" || return
    echo "$options" >"$folder/.stamp"
}

setup_compile() {
    cmake --build "$root/build/$1" --parallel "$jobs" --target "${@:2}" -- --quiet
}

# The build that people use. ./run does without the tests' packages, but keeps the tests of ./test.
release_options() {
    local tests=OFF
    pkg-config --exists cmocka && tests=ON
    echo -DCMAKE_BUILD_TYPE=Release -DATEMI_NATIVE=ON -DATEMI_WERROR=ON -DATEMI_TESTS=$tests
}

# The build that finds what is undefined, leaks or overruns.
sanitized_options() {
    echo -DCMAKE_C_COMPILER=clang-19 -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 \
        -DATEMI_SANITIZE=address,undefined -DATEMI_WERROR=ON -DATEMI_VIEWER=OFF
}
