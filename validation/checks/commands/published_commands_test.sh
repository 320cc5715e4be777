#!/usr/bin/env bash
# fio commands as people published them (data/published_commands.txt): each has its verdict, and of those that fio runs on a
# drive at least 97 % run, with zones on a zoned one. They run for a millisecond each, on a small drive that their sizes are
# shrunk to.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
export TEST_DIR=/mnt/test
on_small=(--drive example-small-and-slow --shrink-jobs fit)
briefly=(--set-job time_based=1 --set-job runtime=1ms --set-job ramp_time=0 --set-job ss_dur=0)

accepted=0
counted=0
while IFS=$'\t' read -r source verdict command; do
  case $source in '' | '#'*) continue ;; esac
  printf '%s\n' "$command" >command.sh
  if [[ $verdict = runs* ]]; then
    on=("${on_small[@]}")
    [[ $command = *zonemode=zbd* ]] && on=(--drive example-small-and-slow-zoned --shrink-jobs fit)
    run 0 "$source" run command.sh "${on[@]}" "${briefly[@]}" --out result --replace
  else
    run 2 "$source" check command.sh "${on_small[@]}"
    expect "$source: the reason is ${verdict#*: }" grep -qF -- "${verdict#*: }" stderr
  fi
  case $verdict in
    runs) accepted=$((accepted + 1)) counted=$((counted + 1)) ;;
    refused:*) counted=$((counted + 1)) ;;
  esac
done <"$FTLAB_SOURCE/validation/checks/data/published_commands.txt"

echo "$accepted of $counted published commands run"
expect "enough commands" test "$counted" -ge 50
expect "at least 97 % of them run" test $((100 * accepted)) -ge $((97 * counted))
conclude
