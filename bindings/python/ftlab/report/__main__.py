"""`python -m ftlab.report DIR...`, the same as `python -m ftlab report DIR...`."""

import argparse
import sys

from ftlab.report import command

parser = argparse.ArgumentParser(prog="ftlab report", description=command.ABOUT)
command.add_arguments(parser)
sys.exit(command.run(parser.parse_args()))
