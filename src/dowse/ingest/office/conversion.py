"""LibreOffice as a converter: a process of its own, in a folder of its own, for a limited time."""

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from dowse.ingest.isolation.confinement import conversion_allowed
from dowse.ingest.limits import UnextractableError

PROGRAMS = ("soffice", "libreoffice")
# Macros never run, and links to pictures and data elsewhere are not followed.
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings">
<prop oor:name="ooInetProxyType" oor:op="fuse"><value>1</value></prop>
<prop oor:name="ooInetHTTPProxyName" oor:op="fuse"><value>127.0.0.1</value></prop>
<prop oor:name="ooInetHTTPProxyPort" oor:op="fuse"><value>9</value></prop></item>
</oor:items>
"""
_MAX_CONVERTED_BYTES = 256 << 20
# The rest is for reading what comes out; also, whoever waits for us ends us when our own time is over.
_SHARE_OF_TIME = 0.8


def find_libreoffice() -> str | None:
    """Returns the path of LibreOffice's program; None when it is not installed."""
    return next((found for program in PROGRAMS if (found := shutil.which(program))), None)


def convert_by_libreoffice(data: bytes, source: str, target: str, seconds: float) -> bytes:
    """Converts a file.

    Args:
        source: The file's extension with the dot; LibreOffice goes by it.
        target: The extension of the wanted format.
        seconds: After which the conversion is ended.

    Raises:
        UnextractableError: LibreOffice is not installed, took too long, or could not read the file.
    """
    program = find_libreoffice()
    if program is None:
        raise UnextractableError(
            "needs-libreoffice",
            "files of Word and PowerPoint from before 2007 are read by LibreOffice, which is not installed",
            "install LibreOffice (on Debian: apt install libreoffice-writer libreoffice-impress), "
            "or save the file in the newer format",
        )
    # The whole conversion is thrown away with its folder: nothing of it is in the user's own profile.
    with conversion_allowed(), tempfile.TemporaryDirectory(prefix="dowse-") as folder:
        place = Path(folder)
        _write_profile(place / "profile")
        (place / f"document{source}").write_bytes(data)
        _run(program, place, source, target, seconds * _SHARE_OF_TIME)
        converted = place / "converted" / f"document{target}"
        if not converted.is_file() or converted.stat().st_size > _MAX_CONVERTED_BYTES:
            raise UnextractableError(
                "damaged-file",
                "LibreOffice cannot read this file",
                "open it in its own program and save it again",
            )
        return converted.read_bytes()


def _write_profile(profile: Path) -> None:
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(_SETTINGS, encoding="utf-8")


def _run(program: str, place: Path, source: str, target: str, seconds: float) -> None:
    command = [
        program,
        f"-env:UserInstallation={(place / 'profile').as_uri()}",
        *("--headless", "--norestore", "--nolockcheck", "--nodefault", "--nologo"),
        *("--convert-to", target.removeprefix(".")),
        *("--outdir", str(place / "converted")),
        str(place / f"document{source}"),
    ]
    # A group of its own: the program starts another, which outlives it when only the first is ended.
    with subprocess.Popen(
        command,
        cwd=place,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired as error:
            raise UnextractableError(
                "takes-too-long", f"LibreOffice did not read it within {seconds:g} seconds"
            ) from error
        finally:
            _end_group(process)


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        elif process.poll() is None:
            process.kill()
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()
