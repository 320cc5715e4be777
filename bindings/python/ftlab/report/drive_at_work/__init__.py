"""An animated view of a drive: superblocks are filled, go stale and are collected.

Made from the recording that `ftlab run --record-blocks` writes to blocks.json in a result folder:

    if has_recording(folder):
        html = section(folder)      # an HTML fragment; page(folder) is a complete page
"""

from ftlab.report.drive_at_work.fragment import page, section
from ftlab.report.drive_at_work.recording import Recording, has_recording, read_recording

__all__ = ["Recording", "has_recording", "page", "read_recording", "section"]
