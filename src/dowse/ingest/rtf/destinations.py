"""What the groups of rich text are for."""

SKIPPED = frozenset(
    {
        "colortbl", "pict", "objdata", "objclass", "objname", "objalias", "themedata",
        "colorschememapping", "latentstyles", "datastore", "listtable", "listoverridetable", "rsidtbl",
        "generator", "xmlnstbl", "mmathPr", "nonshppict", "shprslt", "shppict", "sp", "nonesttables",
        "nesttableprops", "pn", "pnseclvl", "pntxta", "pntxtb", "bkmkstart", "bkmkend", "filetbl",
        "revtbl", "private", "comment", "printim", "buptim", "xe", "tc", "rxe", "txe", "template",
        "operator", "manager", "company", "category", "hlinkbase", "atnid", "atnref", "atndate",
        "atntime", "atrfstart", "atrfend", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn",
        "passwordhash", "userprops", "docvar", "pgptbl", "mhtmltag", "htmltag", "background", "panose",
        "falt", "fontemb", "fontfile", "wgrffmtfilter", "blipuid", "picprop", "protusertbl",
        "writereservhash", "datafield", "formfield", "ffname", "ffdeftext", "xform", "oldcprops",
        "oldpprops", "oldsprops", "oldtprops", "defchp", "defpap", "fchars", "lchars",
    }
)  # fmt: skip
"""Not text that anybody reads, or the older of two ways to say the same."""

KEPT_THOUGH_MARKED = frozenset({"shpinst", "ud", "do", "shptxt"})
"""Marked as to be skipped by whoever does not know them; we do."""

ASIDES = frozenset({"footnote", "annotation", "shptxt", "dptxbxtext"})
"""Beside the text: placed after the paragraph they belong to."""

EDGES = frozenset({"header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"})
"""Repeated on each page."""

INFO = frozenset({"title", "author", "subject", "keywords", "doccomm", "creatim", "revtim"})
"""What the document says of itself."""

SYMBOLS = {
    "tab": "\t", "line": "\n", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "emdash": "—", "endash": "–", "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ",
    "softline": "\n", "lbr": "\n", "zwnj": "\u200c", "zwj": "\u200d",
}  # fmt: skip
PARAGRAPH_ENDS = frozenset({"par", "page", "sect", "column"})
