"""Which names are never walked into or read: the data tables of discovery.

Names are compared in lower case. Three strengths: a folder that never holds a user's own writing is
pruned always; a folder whose name is an ordinary word (`build`, `bin`, `packages`) is pruned only
beside a file that marks a software project, because the same word may name a folder of notes; a
secret is never read, whatever the settings say.
"""

import re

PRUNED_FOLDERS = frozenset(
    {
        # version control
        ".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", "cvs",
        # virtual environments and installed packages
        ".venv", "venv", "virtualenv", ".virtualenv", ".conda", ".pixi", "site-packages",
        "__pypackages__", "node_modules", "bower_components", "jspm_packages", ".pnpm-store",
        ".yarn", ".npm", ".cargo", ".rustup", ".m2", ".ivy2", ".nuget", ".gem", ".bundle", "pods",
        "carthage", "deriveddata",
        # caches
        "__pycache__", ".cache", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis",
        ".tox", ".nox", ".eggs", ".ipynb_checkpoints", ".parcel-cache", ".sass-cache", ".turbo",
        ".nx", ".terraform", ".serverless", ".gradle", ".mvn", ".ccls-cache", ".clangd",
        ".dart_tool",
        # build output with a name of its own
        ".next", ".nuxt", ".svelte-kit", ".astro", ".output", ".vercel", ".netlify",
        ".docusaurus", ".vuepress", "_site", ".jekyll-cache", "cmake-build-debug",
        "cmake-build-release", "htmlcov", ".nyc_output", ".stack-work", "dist-newstyle",
        ".elixir_ls",
        # editors and operating systems
        ".idea", ".vscode", ".vs", ".fleet", ".settings", ".obsidian", ".logseq", ".trash",
        ".trashes", ".spotlight-v100", ".fseventsd", "$recycle.bin", "system volume information",
        "__macosx",
        # keys and credentials
        ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store",
        # our own index
        ".dowse",
    }
)  # fmt: skip

BUILD_FOLDERS = frozenset(
    {
        "build", "dist", "target", "out", "bin", "obj", "packages", "vendor", "third_party",
        "coverage", "logs", "tmp", "temp", "env", "deps", "_build", "debug", "release",
        "generated",
    }
)  # fmt: skip

PROJECT_MARKERS = frozenset(
    {
        ".git", ".hg", ".svn", "package.json", "pyproject.toml", "setup.py", "setup.cfg",
        "cargo.toml", "go.mod", "pom.xml", "build.gradle", "build.gradle.kts", "build.sbt",
        "cmakelists.txt", "makefile", "meson.build", "gemfile", "composer.json", "mix.exs",
        "pubspec.yaml", "package.swift", "deno.json", "dune-project", "stack.yaml", "project.clj",
        "rebar.config", "configure.ac", "build.zig",
    }
)  # fmt: skip

EXCLUDED_NAMES = frozenset(
    {
        # lock files: long, generated, and full of words nobody wrote
        "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock",
        "poetry.lock", "pipfile.lock", "pdm.lock", "uv.lock", "cargo.lock", "gemfile.lock",
        "composer.lock", "go.sum", "flake.lock", "mix.lock", "pubspec.lock", "podfile.lock",
        "packages.lock.json", "conda-lock.yml",
        # left by operating systems and editors
        ".ds_store", "thumbs.db", "desktop.ini", "icon\r", "ehthumbs.db", ".localized",
        ".directory",
    }
)  # fmt: skip

SECRET_NAMES = re.compile(
    "|".join(
        (
            # environment files
            r"\.env(\..*|rc)?",
            r".*\.env",
            # keys and key stores
            r"id_(rsa|dsa|ecdsa|ed25519)(_sk)?(\..*)?",
            r".*\.(pem|key|p12|pfx|pkcs12|jks|keystore|kdbx?|ppk|gpg|ovpn)",
            # where programs keep passwords and tokens
            r"\.?(netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials|vault[-_]pass|boto|s3cfg)(\.txt)?",
            r"\.?(credentials|passwords?)(\.(txt|text|log|json|ya?ml|toml|ini|cfg|csv|xml))?",
            r"secrets?\.(txt|text|json|ya?ml|toml|ini|cfg)",
            r"(service[-_]account|client_secret).*\.json",
            r".*recovery[-_ ]codes?.*\.(txt|text)",
        )
    ),
    re.DOTALL,
)


def is_secret_name(name: str) -> bool:
    """Says whether a file of this name is likely to hold keys or passwords."""
    return SECRET_NAMES.fullmatch(name.lower()) is not None


def is_excluded_name(name: str) -> bool:
    """Says whether a file of this name is generated or system junk."""
    return name.startswith(("._", "~$")) or name.lower() in EXCLUDED_NAMES
