#!/usr/bin/env bash
# Every bad input is refused with exactly the message that its table states (bad_inputs.py).
exec python3 "$FTLAB_SOURCE/validation/checks/commands/bad_inputs.py"
