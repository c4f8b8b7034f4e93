"""Which names are never walked into or read: the data tables of discovery.

Names are compared in lower case. Three strengths: a folder that never holds a user's own writing is
pruned always; a folder whose name is an ordinary word (`build`, `bin`, `packages`) is pruned only
beside a file that marks a software project, because the same word may name a folder of notes; a
secret is never read, whatever the settings say. A file whose extension nobody knows is read all the
same: its first bytes tell whether it is text.
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
        "cmakelists.txt", "makefile", "meson.build", "gemfile", "builder.json", "mix.exs",
        "pubspec.yaml", "package.swift", "deno.json", "dune-project", "stack.yaml", "project.clj",
        "rebar.config", "configure.ac", "build.zig",
    }
)  # fmt: skip

EXCLUDED_NAMES = frozenset(
    {
        # lock files: long, generated, and full of words nobody wrote
        "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock",
        "poetry.lock", "pipfile.lock", "pdm.lock", "uv.lock", "cargo.lock", "gemfile.lock",
        "builder.lock", "go.sum", "flake.lock", "mix.lock", "pubspec.lock", "podfile.lock",
        "packages.lock.json", "conda-lock.yml",
        # left by operating systems and editors
        ".ds_store", "thumbs.db", "desktop.ini", "icon\r", "ehthumbs.db", ".localized",
        ".directory",
    }
)  # fmt: skip

GENERATED_ENDINGS = (".min.js", ".min.css", ".min.mjs", ".js.map", ".css.map", ".mjs.map", ".d.ts.map")
"""What tools write for machines: one line of a megabyte, made from files that are read already."""

BINARY_EXTENSIONS = frozenset(
    {
        # images
        "png", "apng", "jpg", "jpeg", "jpe", "jfif", "gif", "bmp", "dib", "tif", "tiff", "webp",
        "avif", "heic", "heif", "ico", "icns", "cur", "jp2", "j2k", "jxl", "jxr", "tga", "pcx",
        "ppm", "pgm", "pbm", "pnm", "exr", "hdr", "dds", "xcf", "psd", "psb", "ai", "eps", "indd",
        "sketch", "fig", "xd", "kra", "clip", "procreate", "cr2", "cr3", "nef", "arw", "orf", "rw2",
        "dng", "raf", "wmf", "emf", "djvu", "djv",
        # sound
        "mp3", "wav", "flac", "ogg", "oga", "opus", "m4a", "m4b", "aac", "wma", "aif", "aiff",
        "ape", "amr", "mid", "midi", "caf", "ra", "wv", "mka", "au", "dsf", "flp", "als", "sf2",
        # film
        "mp4", "m4v", "mov", "avi", "mkv", "webm", "wmv", "flv", "f4v", "mpg", "mpeg", "m2ts",
        "mts", "vob", "3gp", "3g2", "ogv", "rm", "rmvb", "swf", "prproj", "aep",
        # programs and what compilers write
        "exe", "dll", "so", "dylib", "msi", "msix", "app", "deb", "rpm", "apk", "aab", "ipa",
        "appimage", "snap", "flatpak", "pyc", "pyo", "pyd", "class", "jar", "war", "ear", "dex",
        "o", "obj", "a", "ko", "pdb", "ilk", "pch", "gch", "wasm", "elc", "beam", "rlib", "rmeta",
        "nupkg", "whl", "egg", "gem", "crx", "xpi", "vsix", "mo", "gresource", "sys", "drv", "efi",
        "rom",
        # fonts
        "ttf", "otf", "ttc", "woff", "woff2", "eot", "pfb", "pfm", "pcf",
        # archives and disks that are not read
        "7z", "rar", "zst", "lz", "lz4", "lzma", "lzo", "cab", "arj", "ace", "lzh", "sit", "sitx",
        "cpio", "iso", "img", "dmg", "vhd", "vhdx", "vmdk", "vdi", "qcow2", "ova", "wim", "xar",
        "pkg", "squashfs", "bak", "backup",
        # databases and columns of numbers
        "db", "db3", "sqlite", "sqlite3", "sqlite-wal", "sqlite-shm", "db-wal", "db-shm",
        "db-journal", "mdb", "accdb", "dbf", "frm", "ibd", "myd", "myi", "ldb", "sst", "realm",
        "duckdb", "parquet", "feather", "arrow", "avro", "orc", "mat", "rdata", "rds", "rda",
        "sas7bdat", "sav", "dta", "hdf", "h5", "hdf5", "lmdb", "mmdb", "pst", "ost", "edb",
        # models and tensors
        "safetensors", "gguf", "ggml", "ggjt", "onnx", "pt", "pth", "ckpt", "tflite", "pb", "npy",
        "npz", "pkl", "pickle", "joblib", "keras", "caffemodel", "mlmodel", "weights", "tfrecord",
        "tfrecords", "spm", "bin",
        # models of things
        "blend", "blend1", "fbx", "glb", "3ds", "max", "mb", "stl", "usdz", "usdc", "dwg", "skp",
        "sldprt", "sldasm", "f3d", "unitypackage", "uasset", "umap", "pak", "vpk",
        # office formats that nothing here reads, and what offices leave behind
        "pages", "numbers", "one", "onetoc2", "pub", "vsd", "vsdx", "mpp", "odg", "odb", "accde",
        "xla", "oft", "lnk", "torrent", "crdownload", "partial", "download", "tmp", "swp", "swo",
        "pid", "lock", "cache", "idx", "pack", "dmp", "mdmp", "hprof", "etl", "evtx", "pcap",
        "pcapng", "profraw", "gcda", "gcno", "nib", "xcuserstate", "dsym", "suo", "cer", "der",
        "crt", "p7b", "p7s", "sig",
    }
)  # fmt: skip
"""Extensions of files that hold no text, or none that people wrote; an extractor that reads one wins."""

LARGE_EXTENSIONS = frozenset(
    {
        "mbox", "mbx", "eml", "emlx", "mht", "mhtml", "ipynb", "rtf", "fodt", "fods", "fodp", "zip", "tar",
        "tgz", "tbz2", "txz", "gz", "bz2", "xz",
    }
)  # fmt: skip
"""Extensions of files that are large for little text, because of what is packed or pasted into them."""

SECRET_NAMES = re.compile(
    "|".join(
        (
            # environment files
            r"\.env(\..*|rc)?",
            r".*\.env",
            # keys and key stores
            r"id_(rsa|dsa|ecdsa|ed25519)(_sk)?(\..*)?",
            r".*\.(pem|key|p12|pfx|pkcs12|jks|keystore|kdbx?|ppk|gpg|ovpn|keytab|pk8|agekey|age)",
            r"(private|secret|secring|priv)[-_.]?(key)?\.(asc|txt|gpg)",
            # where programs keep passwords and tokens
            r"\.?(netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials|vault[-_]pass|boto|s3cfg)(\.txt)?",
            r"\.?(credentials|passwords?)(\.(txt|text|log|json|ya?ml|toml|ini|cfg|csv|xml))?",
            r"secrets?\.(txt|text|json|ya?ml|toml|ini|cfg)",
            r"(service[-_]account|client_secret).*\.json",
            r".*[-_.](credentials|secrets?)\.(json|ya?ml|toml|ini|cfg|txt)",
            r"\.(dockercfg|dockerconfigjson|my\.cnf|mylogin\.cnf|htdigest|msmtprc|fetchmailrc|mbsyncrc)",
            r"(kubeconfig|.*\.kubeconfig|wallet\.dat|.*\.tfstate(\.backup)?|.*\.tfvars(\.json)?)",
            # tokens of services
            r"(.*[-_.])?(access|api|auth|bearer|bot|gh|github|gitlab|hf|npm|pypi|refresh|session|slack|vault)"
            r"[-_]?(tokens?|keys?)(\.(txt|text|json|ya?ml|toml|ini|cfg))?",
            r"\.?tokens?(\.(txt|text|json))?",
            r".*\.token",
            # what was typed and where one is logged in
            r"\.[a-z]*_?history",
            r"cookies?\.(txt|json)",
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
    lowered = name.lower()
    return (
        name.startswith(("._", "~$")) or lowered in EXCLUDED_NAMES or lowered.endswith(GENERATED_ENDINGS)
    )


def extension_of(name: str) -> str:
    """Returns what follows the last dot of a name, in lower case; empty for `README` and `.profile`."""
    stem, dot, extension = name.rpartition(".")
    return extension.lower() if dot and stem else ""
