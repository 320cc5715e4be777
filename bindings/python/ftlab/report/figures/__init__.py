"""The pictures of a report, one file for each kind of question."""
