# Sourced by ./dowse, ./test: makes .venv beside them and installs Dowse into it, when needed.
#
# Expects: root (the repository's folder). Offers: ensure_environment EXTRAS, where EXTRAS is "" or "test".
# Quick when there is nothing to do: one cksum of the files that decide what is installed.

venv="$root/.venv"

fail() {
    printf 'dowse: %s\n' "$1" >&2
    shift
    for hint in "$@"; do printf 'hint: %s\n' "$hint" >&2; done
    exit 2
}

# What is installed depends on these files, and on where we are: a .venv cannot be moved.
fingerprint() {
    shopt -s nullglob
    local files=("$root/pyproject.toml" "$root"/setup.py "$root"/src/dowse/*/*.pyx)
    shopt -u nullglob
    cksum "${files[@]}"
}

is_installed() { # EXTRAS FINGERPRINT
    local stamp="$venv/installed-${1:-plain}"
    [[ -x $venv/bin/python && -x $venv/bin/dowse && -f $stamp && $(<"$stamp") == "$2" ]]
}

find_python() {
    local candidate
    for candidate in "${PYTHON:-python3}" python3 python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    fail "Dowse needs Python 3.11 or newer, and found $(python3 --version 2>/dev/null || echo none)" \
        "install it, or name it: PYTHON=/path/to/python3.12 ./dowse"
}

has_venv() { [[ -x $venv/bin/python ]] && "$venv/bin/python" -c 'import pip' 2>/dev/null; }

make_venv() { # PYTHON
    find "$venv" -mindepth 1 -maxdepth 1 ! -name 'lock' -exec rm -rf {} +
    "$1" -m venv "$venv" || fail "could not make $venv" "see the message above"
}

install_package() { # EXTRAS PYTHON
    local log="$venv/install.log" target="$root" started=$SECONDS python=$2
    [[ -n $1 ]] && target="$root[$1]"
    has_venv || "$python" -c 'import venv, ensurepip' 2>/dev/null ||
        fail "this Python cannot make virtual environments" \
            "on Debian and Ubuntu: sudo apt install python3-venv"
    printf 'dowse: installing into %s (once; about a minute)… ' "$venv" >&2
    has_venv || make_venv "$python"
    if ! "$venv/bin/python" -m pip install --disable-pip-version-check --editable "$target" \
        >"$log" 2>&1 </dev/null; then
        printf 'failed\n' >&2
        tail -n 15 "$log" >&2
        fail "the installation failed" "the whole log is in $log"
    fi
    # So that no run compiles Dowse's own files, even where Python may not write beside them.
    "$venv/bin/python" -m compileall -q "$root/src/dowse" >>"$log" 2>&1
    printf 'done in %s s\n' "$((SECONDS - started))" >&2
}

ensure_environment() { # EXTRAS
    local current
    current="$root $(fingerprint)" || fail "$root is not Dowse's folder: pyproject.toml is missing"
    is_installed "$1" "$current" && return
    mkdir -p "$venv" || fail "cannot write to $root" "copy the repository to a folder of yours"
    # One installs, the others wait; the lock goes with the process that holds descriptor 9.
    exec 9>"$venv/lock"
    local python
    python=$(find_python) || exit 2
    "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
    if ! is_installed "$1" "$current"; then
        install_package "$1" "$python"
        printf '%s\n' "$current" >"$venv/installed-plain"
        [[ -z $1 ]] || printf '%s\n' "$current" >"$venv/installed-$1"
    fi
    exec 9>&-
}
