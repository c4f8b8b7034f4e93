"""Small texts whose words are known, for indexes that are built and broken."""

WORDS = ("river", "stone", "bridge", "old mill", "heron", "garden", "lantern", "winter", "orchard")
QUERIES = ("river", "stone bridge", '"old mill"', "heron -river", "garden")


def page(number: int, version: int = 0) -> str:
    """Returns a text in which the queries find something, different for each number and version."""
    words = [WORDS[(number * 7 + version * 3 + i * (1 + number % 4)) % len(WORDS)] for i in range(60)]
    return f"# Page {number}\n\n{' '.join(words)}\n\n## Part {version}\n\n{' '.join(words[::-2])}\n"
