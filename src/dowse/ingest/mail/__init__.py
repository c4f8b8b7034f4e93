"""What is in a mail, however it was saved?

Reads Internet mail (`.eml`, and each message of a mailbox) and Outlook's items: subject, people and date, the
body as it was written, and the attachments, each read as the file that it is.

May import: `dowse.ingest` (composing, members, html, decoding), the standard library's `email` for headers,
olefile.

Main names: `compose_message` (a mail's bytes) · `compose_outlook` (an Outlook item's).

Reading order: `headers` · `parts` (the walk over MIME) · `message` · `compressed_rtf` · `outlook_items` ·
`outlook`.

Invariants:
1. No recursion: parts nest as deep as they like; mails attached as files count as files inside files.
2. Time grows linearly with the mail.
3. Plain text is preferred where a mail says the same twice.

Not for: fetching mail.
"""
