"""What a report is made of: results, figures and tables, read and checked."""
