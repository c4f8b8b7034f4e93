"""XML of unknown origin: no entities are expanded, nothing is fetched, depth is bounded.

lxml's own limits stay on (`huge_tree` is off): depth 256 and ten million characters in a text.
"""

from lxml import etree

from dowse.ingest.limits import UnextractableError


def parse_xml(data: bytes) -> etree._Element:
    """Parses a document; what is broken is mended as far as possible.

    Raises:
        UnextractableError: There is no XML in it.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnextractableError("damaged-file", "the XML in it cannot be read") from error
    if root is None:
        raise UnextractableError("damaged-file", "the XML in it cannot be read")
    return root


def local_name(element: etree._Element) -> str:
    """Returns an element's name without its namespace; empty for what is not an element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
