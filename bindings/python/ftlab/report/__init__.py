"""Pictures of results: one offline HTML page, and PNGs. `python -m ftlab report DIR...`."""
