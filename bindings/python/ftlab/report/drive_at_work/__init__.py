"""A drive at work: an animated view of superblocks filling, going stale and being collected.

Made from the pictures that `ftlab run --record-blocks` keeps as blocks.json in a result folder:

    if has_recording(folder):
        html = section(folder)      # a fragment for any page; page(folder) is one by itself
"""

from ftlab.report.drive_at_work.fragment import page, section
from ftlab.report.drive_at_work.recording import Recording, has_recording, read_recording

__all__ = ["Recording", "has_recording", "page", "read_recording", "section"]
