#!/usr/bin/env bash
# ftlab smart on states and results, and what a run says of its energy.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

# attribute ID FILE: its raw value.
attribute() {
  python3 -c 'import json, sys
print(*[a["raw"]["value"] for a in json.load(open(sys.argv[2]))["ata_smart_attributes"]["table"] if a["id"] == int(sys.argv[1])])' "$@"
}

printf '[write]\nfilename=/dev/ssd\nioengine=libaio\ndirect=1\nrw=randwrite\nbs=16k\niodepth=4\nnorandommap\nrandrepeat=0\nio_size=1g\n' >write.fio
printf '[read]\nfilename=/dev/ssd\nioengine=libaio\ndirect=1\nrw=randread\nbs=4k\nsize=1m\n' >read.fio

# --- health
run 0 "a run that is saved" run write.fio "${small[@]}" --set 'smart="intel"' --untimed --out aged --save aged.state
run 0 "the health of its state" smart aged.state
cp stdout state.json
run 0 "the health of its result" smart aged
cp stdout result.json
expect "both tell the same, but what the run adds to the outlook" python3 -c 'import json
a, b = json.load(open("state.json")), json.load(open("result.json"))
del a["device"], b["device"]
lives = [s.pop("ftlab")["endurance"] for s in (a, b)]
assert a == b and lives[0]["host_bytes_written"] == lives[1]["host_bytes_written"] == 1 << 30'
expect "in the shape of smartctl" python3 -c 'import json
s = json.load(open("state.json"))
assert s["json_format_version"] == [1, 0] and s["smartctl"]["exit_status"] == 0 and s["smart_status"]["passed"]
assert s["user_capacity"] == {"blocks": 327680, "bytes": 167772160} and s["power_cycle_count"] == 1
assert s["power_on_time"]["hours"] == 0 and s["device"]["protocol"] == "ATA" and s["model_name"].startswith("Kingston")
for row in s["ata_smart_attributes"]["table"]:
    assert set(row) == {"id", "name", "value", "worst", "thresh", "when_failed", "flags", "raw"}, row
    assert set(row["raw"]) == {"value", "string"} and len(row["flags"]["string"]) == 7'
expect "by the table that the drive names" test "$(attribute 225 state.json)" -eq 32
expect "write amplification by the attributes is that of the run" python3 -c 'import json
wa = json.load(open("aged/result.json"))["ftlab"]["wa"]["total"]
raw = {a["id"]: a["raw"]["value"] for a in json.load(open("state.json"))["ata_smart_attributes"]["table"]}
gib, unit = 1 << 30, 32 << 20
assert raw[249] * gib / ((raw[241] + 1) * unit) <= wa < (raw[249] + 1) * gib / (raw[241] * unit), (wa, raw)'
run 0 "by another table" smart aged --table samsung
expect "in sectors" test "$(attribute 241 stdout)" -eq 2097152
run 0 "a table of your own" smart aged --table "$FTLAB_SOURCE/configs/smart/micron.json"
expect "of which ftlab check knows what it is" "$ftlab" check "$FTLAB_SOURCE"/configs/smart/*.json
run 0 "the run goes on from the state" run write.fio --load aged.state --untimed --out more
run 0 "its health" smart more
expect "is that of its whole life" test "$(attribute 241 stdout)" -eq 64
printf '{"name": "p", "steps": [{"step": "job", "lines": ["rw=write", "bs=64k"]}, {"step": "power_cycle"},
  {"step": "idle", "seconds": 7260}]}' >cut.json
run 0 "a procedure" run cut.json "${small[@]}" --out procedure
run 0 "its health" smart procedure
expect "counts power cycles and hours" python3 -c 'import json
s = json.load(open("stdout"))
assert s["power_cycle_count"] == 2 and s["power_on_time"]["hours"] == 2 and s["power_on_time"]["minutes"] >= 1, s'
run 0 "the health after its first step" smart procedure/01-job
expect "is of then" test "$(field stdout power_cycle_count)" -eq 1

# --- how long it lasts
life='unknown: the drive file states no endurance.program_erase_limit'
run 0 "a run without a limit of erases" run write.fio "${small[@]}" --untimed --out ageless
expect "says in its summary why its life is unknown" grep -q "^  life .*$life" stdout
run 0 "its health as text" smart -A ageless
expect "says the same" grep -q "^  life .*$life" stdout
wearing=("${small[@]}" --set endurance.program_erase_limit=3000 --set endurance.warranty_days=1095)
run 0 "a drive that wears" run write.fio "${wearing[@]}" --out wearing --save wearing.state
expect "tells TBW, drive writes a day" grep -q '^  life used .* TB (TBW at write amplification [0-9.]*, [0-9.]* drive writes a day)' stdout
expect "and years" grep -q '^  years left  *[0-9.]* at one drive write a day, [0-9.e-]* at the [0-9.]* MB/s written here' stdout
cp stdout summary
run 0 "its health as text" smart -A wearing
expect "has the same lines" test "$(grep -E '^  (life|years)' stdout)" = "$(grep -E '^  (life|years)' summary)"
run 0 "its health as JSON" smart --json wearing
# The last window holds 22 erases of superblocks, so it is known within 10 %.
expect "computes life from the erases at the end, of which relocation costs the most" python3 -c 'import json
f = json.load(open("wearing/result.json"))["ftlab"]
e = json.load(open("stdout"))["ftlab"]["endurance"]
flash = f["simulator"]["physical_pages"] * f["mapping"]["page_bytes"]
wa = f["wa_at_end"]["total"]
left = e["tbw_bytes"] - (1 << 30)
most = (3000 - f["erases"]["per_block_mean"]) * flash / wa
assert e["tbw_write_amplification"] == wa and most * 0.8 < left < most * 1.15, (e, most)
assert abs(e["dwpd"] - e["tbw_bytes"] / 167772160 / 1095) < 1e-9 and wa > f["wa"]["total"] * 1.05
assert abs(e["years_left"] - left / ((1 << 30) / f["simulated_s"]) / 86400 / 365) < 1e-9'
sed 's/^io_size=.*/io_size=300m/' write.fio >once.fio
run 0 "a drive that is written not quite twice over" run once.fio "${wearing[@]}" --untimed --out once
expect "does not say how long it lasts" grep -q '^  life used .*TBW not known: the first fill reaches into the second half of the run' stdout
run 0 "the health of its state" smart -A wearing.state
expect "knows no rate of writing" grep -q 'years left .* at one drive write a day; at the rate of a host unknown' stdout
run 2 "JSON and text at once" smart --json -A wearing
expect "a terminal gets text" python3 -c 'import os, pty
shown = b""
def read(fd):
    global shown
    part = os.read(fd, 4096)
    shown += part
    return part
pty.spawn([os.environ["FTLAB_BIN"] + "/ftlab", "smart", "wearing"], read)
assert b"ID# ATTRIBUTE_NAME" in shown and b"years left" in shown, shown'

# --- NVMe
nvme='link={"kind": "nvme", "generation": 3, "lanes": 4, "max_payload_bytes": 256, "queue_depth": 1024, "queues": 8,
  "commands": 256, "read_command_ns": 300, "write_command_ns": 300}'
(cat write.fio && printf '[read]\nstonewall\nfilename=/dev/ssd\nioengine=libaio\ndirect=1\nrw=randread\nbs=4k\nsize=1m\n') >mixed.fio
run 0 "an NVMe drive" run mixed.fio "${wearing[@]}" --set "$nvme" --out nvme --save nvme.state
for subject in nvme nvme.state; do
  run 0 "the health of $subject" smart "$subject"
  expect "is the log page 02h" python3 -c 'import json
s = json.load(open("stdout"))
log = s["nvme_smart_health_information_log"]
assert s["device"]["protocol"] == "NVMe" and "ata_smart_attributes" not in s
assert list(log) == ["critical_warning", "available_spare", "percentage_used", "data_units_read", "data_units_written",
  "host_reads", "host_writes", "power_cycles", "power_on_hours", "unsafe_shutdowns", "media_errors"], list(log)
assert (log["host_reads"], log["host_writes"]) == (256, 65536)
assert (log["data_units_read"], log["data_units_written"]) == (-(-(1 << 20) // 512000), -(-(1 << 30) // 512000))'
  run 0 "the same as text" smart -A "$subject"
  expect "as smartctl prints it" grep -q '^Host Write Commands:                65,536$' stdout
  run 0 "the same as nvme-cli prints it" smart --nvme-cli smart-log "$subject"
  cp stdout smart-log.json
  run 0 "and the extended log" smart --nvme-cli ocp "$subject"
  expect "write amplification from both is that of the drive" python3 -c 'import json
log, ocp = json.load(open("smart-log.json")), json.load(open("stdout"))
assert log["host_write_commands"] == 65536 and log["avail_spare"] == 100 and "percent_used" in log, log
wa = json.load(open("nvme/result.json"))["ftlab"]["wa"]["total"]
media, host = ocp["Physical media units written"], log["data_units_written"] * 512000
assert media["hi"] == 0 and abs(media["lo"] / host / wa - 1) < 0.001, (media, host, wa)'
done
run 2 "statistics of placement without handles" smart --nvme-cli fdp-stats nvme
expect "are refused" says "--nvme-cli: is for drives with placement handles, and "
(cat write.fio && echo fdp=1) >placed.fio
run 0 "a drive with handles" run placed.fio --drive example-small-and-slow --set "$nvme" --untimed --out placed \
  --set 'ftl.placement={"scheme": "streams", "streams": 2}'
expect "its summary has the statistics of placement" \
  grep -q '^  placement .*2 handles, 1024 reclaim units opened since power-on; GB since new: host 1.074, media ' stdout
run 0 "statistics of placement" smart --nvme-cli fdp-stats placed
expect "are the bytes of the run" python3 -c 'import json
log, run = json.load(open("stdout")), json.load(open("placed/result.json"))["ftlab"]
host, media = log["host_bytes_with_metadata_written"], log["media_bytes_with_metadata_written"]
assert host == 1 << 30 and abs(media / host / run["wa"]["total"] - 1) < 0.001, (host, media)
assert 0 < media - log["media_bytes_erased"] <= 64 << 20, log
assert log["ftlab"] == {"handles": 2, "reclaim_groups": 1, "reclaim_units_opened": host >> 20}, log'
# Half of the flash is one group's, and the job names it alone for the whole drive.
groups=(--set 'ftl.superblock={"dies": 1, "planes": 1}'
        --set 'ftl.placement={"scheme": "streams", "streams": 1, "reclaim_groups": 2}')
printf '[w]\nfilename=/dev/ssd\nioengine=libaio\ndirect=1\nrw=write\nbs=64k\nfdp=1\nplids=0\n' >grouped.fio
run 0 "a drive with reclaim groups" run grouped.fio --drive example-small-and-slow --untimed "${groups[@]}" --out grouped
expect "names them in its summary" grep -q '^  placement  *1 handle in each of 2 reclaim groups, [0-9]* reclaim units opened' stdout
expect "a full group is a problem, with its bytes" grep -Eq '^    placed_elsewhere: [0-9.]+ MB, [0-9.]+ % of what the host wrote, went to another reclaim group than the one named, which was full; remedy: ' stdout
expect "which are those of its counter" python3 -c 'import json
f = json.load(open("grouped/result.json"))["ftlab"]
problem, = [p["text"] for p in f["problems"] if p["code"] == "placed_elsewhere"]
assert f["traffic"]["other_group_pages"] * 4096 / 1e6 > 15 and problem.startswith("%.4g MB" % (f["traffic"]["other_group_pages"] * 4096 / 1e6)), problem'
run 0 "spread over both groups" run grouped.fio --drive example-small-and-slow --untimed "${groups[@]}" --set-job plids=0,1 --out spread
expect "it is none" sh -c '! grep placed_elsewhere stdout'
printf '[z]\nfilename=/dev/ssd\nioengine=libaio\ndirect=1\nrw=write\nbs=64k\nzonemode=zbd\nio_size=8m\n' >zoned.fio
run 0 "zones of 2 MiB, of which 1 MiB can be written" run zoned.fio --drive example-small-and-slow-zoned --set "$nvme" --untimed \
  --set ftl.mapping.zone_bytes=2097152 --out zoned
run 0 "their health" smart zoned
expect "tells the namespace's size with the gaps, and its capacity without" python3 -c 'import json
s = json.load(open("stdout"))
size, capacity = ({"blocks": mib * 2048, "bytes": mib << 20} for mib in (120, 60))
namespace, = s["nvme_namespaces"]
assert namespace == {"id": 1, "size": size, "capacity": capacity, "utilization": capacity, "formatted_lba_size": 512}, namespace
assert s["user_capacity"] == capacity and s["spare_available"]["current_percent"] == 100, s'
run 2 "a log of NVMe from a SATA drive" smart --nvme-cli ocp wearing
expect "is refused" says "--nvme-cli: prints logs of NVMe drives, and "

# --- the end of life
mortal=(--drive "$kingston" --set geometry.blocks_per_plane=17 --set 'endurance={"program_erase_limit": 30, "specimen": 1}' --set user_sectors=262144
        --set ftl.gc.start_free_superblocks=3 --set ftl.gc.stop_free_superblocks=5)
run 3 "a drive that dies" run write.fio "${mortal[@]}" --set-job io_size=200g --untimed --out dead
run 0 "its health" smart dead
expect "has failed" test "$(field stdout smart_status passed)" = False
expect "and the exit status that smartctl would have says so" test $(($(field stdout smartctl exit_status) & 8)) -eq 8

# --- nonsense
run 2 "nothing there" smart nowhere
expect "is named" says "^nowhere: does not exist"
mkdir empty
run 2 "a folder without a result" smart empty
expect "is named" says "^empty: holds no result.json"
mkdir fio && echo '{"fio version": "fio-3.33", "jobs": []}' >fio/result.json
run 2 "a result of something else" smart fio
expect "with what it may be" says "fio/result.json: ftlab.health: is missing: this is not a result of a simulated SSD"
mkdir cut && head -c 500 aged/result.json >cut/result.json
run 2 "a damaged result" smart cut
expect "is named" says "^cut/result.json: is not a JSON document"
head -c 5000 aged.state >cut.state
run 2 "a damaged state" smart cut.state
expect "is named" says "^cut.state: "
run 2 "a job file" smart write.fio
run 2 "an unknown table" smart aged --table intell
expect "with the nearest" says "intel"
run 2 "no subject" smart

# --- energy
powered=("${small[@]}" --set 'power={"idle_mw": 500, "active_mw": 900, "controller_mw": 300, "link_pj_per_byte": 50,
  "flash_bus_pj_per_byte": 60, "read_nj": 3000, "program_lower_nj": 20000, "program_upper_nj": 60000, "erase_nj": 90000}')
run 0 "a run with energies" run write.fio "${powered[@]}" --set-job io_size=300m --out powered
expect "the summary tells the watts" grep -q '^  power  *[0-9.]* W on average, ' stdout
expect "and the parts" grep -q '^  energy by part .*program' stdout
expect "parts, intervals and watts agree" python3 -c 'import csv, json
f = json.load(open("powered/result.json"))["ftlab"]
e = f["energy"]
assert sum(e["parts_pj"].values()) == e["total_pj"] == f["traffic"]["energy_pj"] and e["parts_pj"]["program"] > 0
assert e["time_ns"]["powered"] == round(f["simulated_s"] * 1e9)
assert abs(e["watts"] * f["simulated_s"] - e["joules"]) < 1e-9 * e["joules"] and e["watts"] > 0.5
rows = list(csv.DictReader(open("powered/series.csv")))
joules = sum(float(r["power_w"]) * float(r["length_s"]) for r in rows)
assert len(rows) > 1 and abs(joules - e["joules"]) < 1e-5 * e["joules"], (joules, e["joules"])'
(cat write.fio && printf '[read]\nstonewall\nfilename=/dev/ssd\nioengine=libaio\ndirect=1\nrw=randread\nbs=4k\nsize=1m\n') >two.fio
run 0 "two jobs, one after the other" run two.fio "${powered[@]}" --set-job write:io_size=20m --out two
expect "tell the watts of each" grep -q '^  *[0-9.]* W in read$' stdout
expect "which sum to the run" python3 -c 'import json
e = json.load(open("two/result.json"))["ftlab"]["energy"]
assert [p["jobs"] for p in e["phases"]] == [["write"], ["read"]] and sum(p["total_pj"] for p in e["phases"]) == e["total_pj"]'
printf '[write]\nfilename=/dev/ssd\nioengine=libaio\ndirect=1\nrw=write\nbs=128k\niodepth=32\nio_size=2g\n' >sequential.fio
run 0 "sequential writes on the Kingston" run sequential.fio --drive kingston-ssdnow-v-64-energy --out kingston
expect "draw for the flash what a page costs, as often as pages are programmed" python3 -c 'import json
r = json.load(open("kingston/result.json"))
pages_per_s = r["jobs"][0]["write"]["bw_bytes"] / 4096
watts = r["ftlab"]["energy"]["watts"]
assert abs(watts / (pages_per_s * (17325 + 57222) / 2 * 1e-9) - 1) < 0.01 and 1.5 < watts < 1.6, (watts, pages_per_s)'
run 0 "a run without" run read.fio "${small[@]}" --out unpowered
expect "says nothing of energy" python3 -c 'import csv, json
assert "energy" not in json.load(open("unpowered/result.json"))["ftlab"]
assert all(r["power_w"] == "" for r in csv.DictReader(open("unpowered/series.csv")))'
printf '{"name": "p", "steps": [{"step": "job", "name": "w", "lines": ["rw=write", "bs=64k"]}, {"step": "idle", "seconds": 10}]}' >idle.json
run 0 "a procedure with energies" run idle.json "${powered[@]}" --out phases
expect "tells the watts of a step" grep -q ' W$' stdout
expect "ten idle seconds cost 5 J, exactly" test "$(field phases/result.json steps 1 energy_pj)" -eq 5000000000000
expect "and the table has them" python3 -c 'import csv
row, = csv.DictReader(open("phases/procedure.csv"))
assert float(row["power_w"]) > 0.5'
run 0 "the attributes as a table" smart -A aged
cp stdout table
run 0 "and as JSON" smart aged
expect "both have the same attributes and raw values" python3 -c 'import json, re
rows = json.load(open("stdout"))["ata_smart_attributes"]["table"]
lines = [line.split(None, 9) for line in open("table") if re.match(r" *[0-9]+ [A-Z]", line)]
assert [(int(l[0]), l[1], int(l[3]), l[9].strip()) for l in lines] == [
    (r["id"], r["name"], r["value"], r["raw"]["string"]) for r in rows], lines'
conclude
