"""The walk over a page: from elements to the parts of a document."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dowse.ingest.html.encoding import decode_html
from dowse.ingest.html.metadata import HtmlMetadata, read_metadata
from dowse.ingest.html.nesting import limit_nesting
from dowse.ingest.html.tables import Links, Table
from dowse.ingest.text_builder import TextBuilder

_UNSEEN = frozenset(
    {
        "head", "script", "style", "template", "noscript", "iframe", "object", "embed", "canvas", "audio",
        "video", "datalist", "noframes", "-comment", "-doctype", "!doctype", "-processing-instruction",
    }
)  # fmt: skip
_BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "dir",
        "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr",
        "legend", "main", "menu", "nav", "ol", "optgroup", "p", "search", "section", "select", "summary",
        "ul", "caption", "html",
    }
)  # fmt: skip
# Side by side on the screen: words in them never run together with their neighbours.
_APART = frozenset({"button", "option", "label", "input", "textarea", "text", "tspan", "rt", "rp", "mtd"})
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_LISTS = frozenset({"ul", "ol", "menu", "dir", "dl"})
_ITEMS = frozenset({"li", "dt", "dd"})
_CODE = frozenset({"pre", "listing", "xmp", "plaintext"})
_CELLS = frozenset({"td", "th"})
_BREAK = "\0"  # No text holds it: the parser replaces it.
_INVISIBLE = {0xAD: None, 0x200B: None, 0x2060: None, 0xFEFF: None}


def compose_html(
    builder: TextBuilder, data: bytes | str, *, depth_offset: int = 0, path: str, declared: str = ""
) -> HtmlMetadata:
    """Adds the visible text of a page.

    Args:
        builder: Where it goes.
        data: The page, or any piece of HTML.
        depth_offset: Added to the depth of each heading, for a page that is a part of something.
        path: Of the page; named in problems.
        declared: The encoding when something outside the page names it.

    Returns:
        What the page says of itself.
    """
    if isinstance(data, bytes):
        data, guessed = decode_html(data, declared)
        if guessed:
            message = f"“{path}” does not name its encoding; it was read as {guessed}"
            builder.problem("not-utf8", message, "save it as UTF-8 if letters look wrong")
    page = LexborHTMLParser(limit_nesting(data))
    facts = read_metadata(page)
    root = page.root
    if root is None:
        return facts
    has_text = _Walk(builder, depth_offset, with_navigation=False).run(root)
    # A page of nothing but links, such as a table of contents, is read for them.
    has_text = has_text or _Walk(builder, depth_offset, with_navigation=True).run(root)
    return facts._replace(has_text=has_text)


class _Walk:
    """One pass over a page, down and up again by its own pointers."""

    def __init__(self, builder: TextBuilder, depth_offset: int, *, with_navigation: bool) -> None:
        self._composer = builder
        self._depth_offset = depth_offset
        self._with_navigation = with_navigation
        self._has_text = False
        self._parts: list[str] = []
        self._links: Links = []
        self._link_start: int | None = None
        self._link_texts: list[str] = []
        self._heading_depth = 0
        self._code_depth = 0
        self._list_counts: list[int | None] = []
        self._marker = ""
        self._in_list_run = False
        self._tables: list[Table] = []

    def run(self, root: LexborNode) -> bool:
        """Walks the page and says whether there was any text."""
        node: LexborNode | None = root
        level = 0
        while node is not None:
            child = node.child if self._open(node) else None
            if child is not None:
                node = child
                level += 1
                continue
            while True:
                following = None if level == 0 else node.next
                if following is not None:
                    node = following
                    break
                if level == 0:
                    self._flush()
                    return self._has_text
                node = node.parent
                level -= 1
                assert node is not None, "a child has a parent"
                self._close(node)
        return self._has_text

    def _open(self, node: LexborNode) -> bool:
        """Begins a node and says whether to go into it; only what is gone into is closed."""
        tag = node.tag or ""
        if tag == "-text":
            self._parts.append(node.text_content or "")
            return False
        if tag in _UNSEEN or self._composer.is_full or self._is_hidden(tag, node):
            return False
        if node.child is None:
            self._leaf(tag, node)
            return False
        self._begin(tag, node)
        return True

    def _is_hidden(self, tag: str, node: LexborNode) -> bool:
        attributes = node.attributes
        if not attributes:
            return tag == "dialog" or (tag == "nav" and not self._with_navigation)
        if not self._with_navigation and (tag == "nav" or attributes.get("role") == "navigation"):
            return True
        if "hidden" in attributes or (tag == "dialog" and "open" not in attributes):
            return True
        style = attributes.get("style")
        if not style:
            return False
        style = style.lower().replace(" ", "")
        return "display:none" in style or "visibility:hidden" in style

    def _leaf(self, tag: str, node: LexborNode) -> None:
        """Reads an element without content: a break, an image, an empty cell."""
        if tag == "br":
            self._parts.append("\n" if self._code_depth else _BREAK)
        elif tag == "img":
            self._image(node)
        elif tag == "wbr":
            pass
        else:
            self._begin(tag, node)
            self._close(node)

    def _image(self, node: LexborNode) -> None:
        attributes = node.attributes
        text = (attributes.get("alt") or "").strip()
        source = attributes.get("src") or ""
        if text:
            self._parts.append(f" {text} ")
        if source and not source.startswith("data:"):
            self._links.append((source, text, "image"))

    def _begin(self, tag: str, node: LexborNode) -> None:
        if self._code_depth:
            self._code_depth += tag in _CODE
        elif tag in _HEADINGS:
            self._leave_table()
            self._emit()
            self._heading_depth = _HEADINGS[tag]
        elif tag in _CODE:
            self._leave_table()
            self._emit()
            self._code_depth = 1
        elif tag == "a":
            self._link_start, self._link_texts = len(self._parts), []
        elif tag == "table" or tag == "tr" or tag in _CELLS:
            self._begin_table_part(tag, node)
        elif tag in _ITEMS or tag in _LISTS:
            self._flush()
            self._begin_list_part(tag)
        elif tag in _BLOCKS:
            self._flush()
        elif tag in _APART or "-" in tag:
            self._parts.append(" ")

    def _close(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if self._code_depth:
            if tag in _CODE:
                self._code_depth -= 1
                if not self._code_depth:
                    self._add_code()
            elif tag in _BLOCKS:
                self._parts.append("\n")
            return
        if tag in _HEADINGS:
            self._emit()
            self._heading_depth = 0
        elif tag == "a":
            self._end_link(node)
        elif tag == "table" or tag in _CELLS:
            self._end_table_part(tag, node)
        elif tag in _LISTS:
            self._flush()
            if self._list_counts:
                self._list_counts.pop()
            self._in_list_run = bool(self._list_counts)
        elif tag in _ITEMS or tag in _BLOCKS:
            self._flush()
            self._marker = "" if tag in _ITEMS else self._marker
        elif tag in _APART or "-" in tag:
            self._parts.append(" ")

    def _begin_list_part(self, tag: str) -> None:
        if tag in _LISTS:
            self._list_counts.append(0 if tag == "ol" else None)
        elif tag == "li":
            count = self._list_counts[-1] if self._list_counts else None
            self._marker = "- "
            if count is not None:
                self._list_counts[-1] = count + 1
                self._marker = f"{count + 1}. "

    def _end_link(self, node: LexborNode) -> None:
        target = (node.attributes.get("href") or "").strip()
        if self._link_start is not None and target and not target.lower().startswith("javascript:"):
            texts = [*self._link_texts, "".join(self._parts[self._link_start :])]
            text = " ".join(" ".join(texts).replace(_BREAK, " ").split())
            if target != "#":
                self._links.append((target, text, "link"))
        self._link_start = None

    def _begin_table_part(self, tag: str, node: LexborNode) -> None:
        table = self._tables[-1] if self._tables else None
        if tag == "table":
            self._leave_table()
            self._emit()
            role = node.attributes.get("role")
            self._tables.append(Table(is_layout=role in ("presentation", "none")))
        elif table is None or table.is_layout:
            self._flush()
        elif tag == "tr":
            table.start_row()
        else:
            self._flush()
            table.is_in_cell = True

    def _end_table_part(self, tag: str, node: LexborNode) -> None:
        table = self._tables[-1] if self._tables else None
        if tag == "table":
            self._emit()
            if table is not None:
                self._has_text |= table.compose_into(self._composer)
                self._tables.pop()
        elif table is None or table.is_layout:
            self._flush()
        else:
            attributes = node.attributes
            table.is_in_cell = False
            table.add_cell(
                self._take_text().replace("\n", " "),
                self._take_links(),
                is_head=tag == "th",
                colspan=attributes.get("colspan") or "",
                rowspan=attributes.get("rowspan") or "",
            )

    def _leave_table(self) -> None:
        """Makes the table around this place a layout: what was read of it is text so far."""
        if self._tables and not self._tables[-1].is_layout:
            table = self._tables[-1]
            table.is_layout = True
            self._has_text |= table.compose_into(self._composer)

    def _in_cell(self) -> bool:
        return bool(self._tables) and self._tables[-1].is_in_cell and not self._tables[-1].is_layout

    def _flush(self) -> None:
        """Ends a paragraph; in a cell or a heading, a line of it."""
        if self._heading_depth or self._in_cell():
            self._parts.append(_BREAK)
        else:
            self._emit()

    def _emit(self) -> None:
        """Adds what was read since the last block."""
        text = self._take_text()
        for target, shown, kind in self._take_links() if text else ():
            self._composer.link(target, shown, kind)
        if not text:
            return
        self._has_text = True
        if self._heading_depth:
            self._composer.heading(self._heading_depth + self._depth_offset, text)
        elif self._list_counts:
            marked, self._marker = self._marker + text, ""
            (self._composer.line if self._in_list_run else self._composer.paragraph)(marked)
            self._in_list_run = True
        else:
            self._composer.paragraph(text)

    def _add_code(self) -> None:
        code = "".join(self._parts).replace(_BREAK, "\n")
        self._parts.clear()
        for target, shown, kind in self._take_links():
            self._composer.link(target, shown, kind)
        self._link_start = None if self._link_start is None else 0
        self._has_text |= bool(code.strip())
        self._composer.code(code)

    def _take_text(self) -> str:
        """Returns what was read since the last block, white space folded as a browser does."""
        if not self._parts:
            return ""
        if self._link_start is not None:
            self._link_texts.append("".join(self._parts[self._link_start :]))
            self._link_start = 0
        joined = "".join(self._parts).translate(_INVISIBLE)
        self._parts.clear()
        lines = [" ".join(line.split()) for line in joined.split(_BREAK)]
        return "\n".join(line for line in lines if line)

    def _take_links(self) -> Links:
        links, self._links = self._links, []
        return links
