#!/usr/bin/env bash
# The table of published against simulated figures, of the drive that takes least time.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
glance=$FTLAB_SOURCE/validation/scoreboard/drives_at_a_glance.py
expect "the table of one drive" sh -c "'$glance' intel-x25-m-160 --published-only >table"
expect "its large writes are capped as published, within 2 %" \
  awk '/sequential write 128k QD32, random data/ { found = 1; e = $9 + 0; exit } END { exit !(found && e < 2 && e > -2) }' table
conclude
