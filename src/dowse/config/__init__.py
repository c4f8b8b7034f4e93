"""Which settings hold here, and who said so?

Reads the user's file and the `.dowse.toml` files from a folder upwards, the environment and the flags, checks
every key and value against one table of options, and gives out frozen settings in which each value knows
where it comes from.

May import: `ingest`, `analysis` and `embedding` (their settings), `planning` (synonym rules), `schema`,
`errors`, `remedy`, the standard library; tomlkit inside `writing` only, when a file is changed;
platformdirs inside `files` only, where it is needed.

Main types: `options.Option` and `OPTIONS` (the table) · `files.ConfigFile` · `merging.Effective` (values with
their origins) · `settings.Settings`, `settings.TreeConfig`, `settings.FolderSettings`.

Reading order: `options` · `values` (is this a legal value?) · `toml_lines` (on which line is a key?) ·
`files` (find and check them) · `merging` (nearer wins) · `trust` · `settings` · `request_defaults` ·
`embedding_settings` ·
`loading` (all of it) · `writing` (keep the comments) · `json_schema`.

Invariants:
1. Defaults < the user's file < project files, nearer wins < environment < flags. `root = true` stops: files
   above it and the user's file do not count, except for whom the user trusts.
2. A tree is replaced whole by a nearer tree of the same name; a list is replaced by a nearer list.
3. Paths are relative to the file that says them. A tree's patterns are relative to the tree; other patterns
   to the file's folder, and the user's to each tree.
4. No option runs a command. A project's file reaches nothing outside its own folder, links resolved, unless
   the user's own file lists that folder under `trusted`; options of scope ``user`` are the user's alone.
5. A wrong key, type or value is a `ConfigError` with file, line and the nearest known key.
6. Nothing here reads the environment or the current folder: faces pass them in.

Not for: what a setting does (its owner's `…Settings` says that).
"""
