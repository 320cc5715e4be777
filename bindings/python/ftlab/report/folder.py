"""The folder of a report: written atomically; replaces only an earlier report."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Mapping

from ftlab.errors import ConfigError
from ftlab.report.page import GENERATOR

PAGE = "index.html"
MARK = f'<meta name="generator" content="{GENERATOR}">'


def check_folder(folder: Path, replace: bool) -> None:
    """To be called first: raises ConfigError if `folder` contains anything but an earlier report, or a report that may
    not be replaced."""
    if not folder.exists() and not folder.is_symlink():
        return
    if not folder.is_dir() or folder.is_symlink():
        raise ConfigError("is not a folder", file=str(folder))
    if not any(folder.iterdir()):
        return
    if not is_report(folder):
        raise ConfigError("holds something other than an earlier report", file=str(folder),
                          allowed="a new or an empty folder")
    if not replace:
        raise ConfigError("holds an earlier report; --replace replaces it", file=str(folder))


def is_report(folder: Path) -> bool:
    """True if it contains a page of this program and nothing but that page and the files it links to."""
    page = folder / PAGE
    if not page.is_file() or page.is_symlink():
        return False
    text = page.read_text(encoding="utf-8", errors="replace")
    others = [entry for entry in folder.iterdir() if entry.name != PAGE]
    ours = all(e.is_file() and any(f'{how}="{e.name}"' in text for how in ("href", "src")) for e in others)
    return MARK in text[:500] and ours


def write_folder(folder: Path, files: Mapping[str, bytes], replace: bool) -> None:
    """Writes all files or none: writes them into a hidden folder next to `folder`, then renames it. Raises ConfigError
    like `check_folder`, and OSError if writing fails."""
    check_folder(folder, replace)
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}.partial-", dir=folder.parent))
    try:
        for name, content in files.items():
            _write(partial / name, content)
        partial.chmod(0o777 & ~_umask())  # mkdtemp makes folders that only the owner can read
        _take_name(partial, folder)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _write(path: Path, content: bytes) -> None:
    with open(path, "xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _take_name(partial: Path, folder: Path) -> None:
    if not folder.exists():
        partial.rename(folder)
        return
    earlier = partial.with_name(partial.name + "-earlier")
    folder.rename(earlier)
    try:
        partial.rename(folder)
    except BaseException:
        earlier.rename(folder)
        raise
    shutil.rmtree(earlier)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
