#include "validation/checks/reference/design_documents.h"

#include "sim/core/error.h"

namespace ftlab {

namespace {

// 12 MiB of flash: 48 superblocks of 64 pages of 4 KiB. The user space is 28 superblocks.
constexpr char kCommonDesign[] = R"({
  "name": "keys",
  "user_sectors": {"value": 14336, "from": "assumed", "source": "a size for a test"},
  "geometry": {"channels": 2, "chips_per_channel": 1, "dies_per_chip": 2, "planes_per_die": 2, "blocks_per_plane": 48,
               "pages_per_block": 8, "page_bytes": 4096, "page_spare_bytes": 128, "codeword_bytes": 1024},
  "nand": {"cell": "mlc", "read_ns": 50000, "program_lower_ns": 300000, "program_upper_ns": 900000, "erase_ns": 2000000,
           "program_slc_ns": 200000, "bus_bytes_per_s": 100000000, "bus_command_ns": 500},
  "link": {"kind": "sata-3", "read_command_ns": 5400, "write_command_ns": 6200},
  "controller": {"read_command_ns": 5000, "write_command_ns": 5000, "trim_page_ns": 100},
  "ftl": {"mapping": {"page_bytes": 4096}, "superblock": {"dies": 4, "planes": 2},
          "wear": {"free_list": "fifo", "static_spread_erases": 1, "check_every_erases": 3}, "trim": {"mode": "immediate"},
          "write_buffer": {"bytes": 65536, "partial_pages": 4}}
})";

// 14 zones of two superblocks.
constexpr char kZonedDesign[] = R"({"ftl": {
  "mapping": {"scheme": "zoned", "zone_capacity_bytes": 524288, "zone_bytes": 1048576, "open_zones": 2, "active_zones": 3},
  "wear": {"static_spread_erases": 0, "check_every_erases": null}, "write_buffer": {"power_loss_protected": true}}})";

void drop_nulls(Node& node) {
  std::erase_if(node.members, [](const Node::Member& member) { return member.second.kind == Node::Kind::null; });
  for (Node::Member& member : node.members) drop_nulls(member.second);
}

}  // namespace

const std::map<std::string, const char*>& designs() {
  static const std::map<std::string, const char*> designs = {
      {"page", R"({"ftl": {
         "mapping": {"scheme": "page"}, "frontiers": "host+gc",
         "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 6, "pages_per_host_write": 4,
                "idle": {"after_ns": 5000000, "stop_free_superblocks": 9}}}})"},
      {"streams", R"({"ftl": {
         "mapping": {"scheme": "page"}, "frontiers": "one", "placement": {"scheme": "streams", "streams": 3},
         "gc": {"policy": "d-choices", "d": 3, "start_free_superblocks": 3, "stop_free_superblocks": 5,
                "pages_per_host_write": 4},
         "trim": {"mode": "deferred", "pages_per_host_write": 1, "read_before": "old-data"}}})"},
      {"grouped", R"({"ftl": {
         "mapping": {"scheme": "page"}, "frontiers": "host+gc", "superblock": {"dies": 2},
         "placement": {"scheme": "streams", "streams": 2, "reclaim_groups": 2},
         "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 5, "pages_per_host_write": 4}}})"},
      {"frequency", R"({"ftl": {
         "mapping": {"scheme": "page"}, "frontiers": "one",
         "placement": {"scheme": "frequency", "hot_writes": 2, "halve_after_pages": 2000},
         "gc": {"policy": "windowed-greedy", "window_superblocks": 8, "start_free_superblocks": 3,
                "stop_free_superblocks": 5, "pages_per_host_write": 4}}})"},
      {"pools", R"({"ftl": {
         "mapping": {"scheme": "page"}, "frontiers": "one",
         "placement": {"scheme": "pools", "pools": [{"logical_pages": 400, "superblocks": 16},
                                                    {"logical_pages": 1392, "superblocks": 32}]},
         "gc": {"policy": "cost-benefit", "start_free_superblocks": 2, "stop_free_superblocks": 3,
                "pages_per_host_write": 2}}})"},
      {"held", R"({"geometry": {"blocks_per_plane": 40}, "ftl": {
         "mapping": {"scheme": "page"}, "frontiers": "one", "placement": {"scheme": "invalidation-time"},
         "write_buffer": {"bytes": 65536, "coalesce": true, "coalescing_pages": 20, "partial_pages": null},
         "gc": {"policy": "greedy", "start_free_superblocks": 5, "stop_free_superblocks": 6, "pages_per_host_write": 4}}})"},
      {"slc", R"({"ftl": {
         "mapping": {"scheme": "page"}, "frontiers": "one", "slc_cache": {"superblocks": 6, "when_full": "direct"},
         "wear": {"static_spread_erases": 0, "check_every_erases": null},
         "gc": {"policy": "greedy", "start_free_superblocks": 2, "stop_free_superblocks": 4, "pages_per_host_write": 0}}})"},
      {"demand pages", R"({"ftl": {
         "mapping": {"scheme": "demand", "page_bytes": 1024, "ram_bytes": 8192, "cache_unit": "page",
                     "eviction": "clean-first", "clean_window": 2},
         "frontiers": "one",
         "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 5, "pages_per_host_write": 4}}})"},
      {"host memory", R"({
         "link": {"kind": "nvme", "generation": 2, "lanes": 2, "max_payload_bytes": 256, "queue_depth": 8, "queues": 2},
         "controller": {"host_memory_read_ns": 1500},
         "ftl": {
         "mapping": {"scheme": "demand", "page_bytes": 1024, "ram_bytes": 4096, "cache_unit": "page", "eviction": "lru",
                     "host_memory_bytes": 4096},
         "frontiers": "one",
         "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 5, "pages_per_host_write": 4}}})"},
      {"demand entries", R"({"ftl": {
         "mapping": {"scheme": "demand", "ram_bytes": 2048, "cache_unit": "entry", "eviction": "lru", "entry_bytes": 8,
                     "batch_write_back": true, "prefetch_entries": 2},
         "frontiers": "one",
         "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 5, "pages_per_host_write": 4}}})"},
      {"extent", R"({"controller": {"look_up_step_ns": 90}, "ftl": {
         "mapping": {"scheme": "extent", "ram_bytes": 4000, "entry_bytes": 8, "region_pages": 128, "start_permille": 800,
                     "pages_per_host_write": 4},
         "frontiers": "one",
         "gc": {"policy": "greedy", "start_free_superblocks": 2, "stop_free_superblocks": 4, "pages_per_host_write": 4}}})"},
      {"block", R"({"ftl": {"mapping": {"scheme": "block", "log_superblocks": 2},
                         "wear": {"static_spread_erases": 0, "check_every_erases": null}}})"},
      {"bast", R"({"ftl": {"mapping": {"scheme": "bast", "log_superblocks": 4},
                         "wear": {"static_spread_erases": 0, "check_every_erases": null}}})"},
      {"fast", R"({"ftl": {"mapping": {"scheme": "fast", "log_superblocks": 4},
                         "wear": {"static_spread_erases": 0, "check_every_erases": null}}})"},
      {"mortal", R"({"geometry": {"blocks_per_plane": 64},
         "endurance": {"program_erase_limit": 3, "limit_spread_permille": 300, "factory_bad_per_million": 10000,
                       "program_failures_per_billion": 200000, "erase_failures_per_billion": 2000000, "specimen": 3,
                       "warranty_days": 1000},
         "ftl": {"mapping": {"scheme": "page"}, "frontiers": "host+gc",
                 "gc": {"policy": "greedy", "start_free_superblocks": 4, "stop_free_superblocks": 6,
                        "pages_per_host_write": 4}}})"},
      {"life curve", R"({"geometry": {"blocks_per_plane": 64},
         "endurance": {"program_erase_limit": 1000, "life_curve": {"days": 1, "credit_permille": 0}},
         "ftl": {"mapping": {"scheme": "page"}, "frontiers": "host+gc",
                 "gc": {"policy": "greedy", "start_free_superblocks": 4, "stop_free_superblocks": 6,
                        "pages_per_host_write": 4}}})"},
      {"packed", R"({"geometry": {"blocks_per_plane": 36}, "ftl": {
         "mapping": {"scheme": "page"}, "frontiers": "host+gc",
         "compression": {"slot_bytes": 512, "header_bytes": 8, "efficiency_permille": 300},
         "gc": {"policy": "greedy", "start_free_superblocks": 4, "stop_free_superblocks": 6, "pages_per_host_write": 4}}})"},
      {"sharing", R"({"ftl": {
         "mapping": {"scheme": "page"}, "frontiers": "host+gc",
         "write_buffer": {"bytes": 65536, "partial_pages": 4, "power_loss_protected": true},
         "deduplication": {"ram_bytes": 2000, "entry_bytes": 40, "fingerprint_ns": 9000, "look_up_ns": 300},
         "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 6, "pages_per_host_write": 4}}})"},
      {"half full", R"({"ftl": {
         "mapping": {"scheme": "page"}, "frontiers": "host+gc", "pslc_mode": {"until_mapped_permille": 1000},
         "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 6, "pages_per_host_write": 4}}})"},
      {"powered", R"({
         "power": {"idle_mw": 100, "active_mw": 300, "dram_mw": 20, "controller_mw": 400, "link_pj_per_byte": 50,
                   "flash_bus_pj_per_byte": 60, "read_nj": 3000, "program_lower_nj": 20000, "program_upper_nj": 60000,
                   "program_slc_nj": 15000, "erase_nj": 90000,
                   "sleep": {"after_ns": 5000000, "power_mw": 5, "wake_ns": 100000}},
         "ftl": {
         "mapping": {"scheme": "page"}, "frontiers": "one", "slc_cache": {"superblocks": 6, "when_full": "direct"},
         "wear": {"static_spread_erases": 0, "check_every_erases": null},
         "gc": {"policy": "greedy", "start_free_superblocks": 2, "stop_free_superblocks": 4, "pages_per_host_write": 0}}})"},
      {"queued", R"({
         "link": {"kind": "nvme", "generation": 2, "lanes": 2, "max_payload_bytes": 256, "queue_depth": 3, "queues": 2,
                  "commands": 4},
         "controller": {"cores": 2, "read_page_ns": 300, "write_page_ns": 400, "read_latency_ns": 7000,
                        "write_latency_ns": 8000, "read_unmapped_page_ns": 100, "look_up_page_ns": 150,
                        "read_ahead": {"streams": 2, "after_requests": 2, "ram_bytes": 65536}},
         "dram": {"bytes_per_s": 800000000, "reads_bypass": false},
         "host": {"port": {"kind": "nvme", "generation": 2, "lanes": 2, "max_payload_bytes": 256, "queue_depth": 5,
                           "read_command_ns": 100, "write_command_ns": 200, "submit_ns": 900, "complete_ns": 600},
                  "submit_ns": 1500, "complete_ns": 1200, "cores": 2,
                  "threads": {"switch_ns": 700, "slice_ns": 50000}, "sleep": {"after_ns": 20000, "wake_ns": 3000},
                  "adapter": {"command_ns": 150},
                  "delays": [{"per_million": 300000, "least_ns": 100, "most_ns": 900}],
                  "delays_together": {"permille": 300, "wander_over_ms": 5}},
         "ftl": {"mapping": {"scheme": "page"}, "frontiers": "host+gc",
                 "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 6,
                        "pages_per_host_write": 4}}})"},
      {"apart", R"({
         "controller": {"pauses": {"after_write_bytes": 300000, "lasts_ns": 2000000}},
         "host": {"elevator": {"batch": 16, "requests": 128, "read_expire_ms": 500, "write_expire_ms": 5000},
                  "read_submit_ns": 1500, "write_submit_ns": 1900, "read_complete_ns": 1200, "write_complete_ns": 1300,
                  "adapter": {"read_command_ns": 150, "write_command_ns": 250},
                  "file_system": {"extent_bytes": 16384}},
         "ftl": {"mapping": {"scheme": "page"}, "frontiers": "host+gc",
                 "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 6,
                        "pages_per_host_write": 4}}})"},
      {"read first", R"({
         "nand": {"scheduling": "read-first", "plane_reads": "same-page", "page_order": "even-odd", "read_ns": null,
                  "read_lower_ns": 40000, "read_upper_ns": 70000, "bus": "sdr-50", "bus_bytes_per_s": null,
                  "suspend": {"program": true, "erase": true, "suspend_ns": 15000, "resume_ns": 5000,
                              "most_suspends_per_operation": 2},
                  "variation": {"read_permille": 30, "program_permille": 40, "erase_permille": 60},
                  "wear": {"program_faster_permille_per_1000_erases": 2000, "erase_slower_permille_per_1000_erases": 9000,
                           "until_erases": 10}},
         "endurance": {"specimen": 7},
         "ftl": {"mapping": {"scheme": "page"}, "frontiers": "host+gc",
                 "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 6,
                        "pages_per_host_write": 4}}})"},
      {"tlc", R"({
         "nand": {"cell": "tlc", "program_middle_ns": 1200000, "read_ns": null, "read_lower_ns": 40000,
                  "read_middle_ns": 60000, "read_upper_ns": 80000, "read_slc_ns": 30000},
         "ftl": {"mapping": {"scheme": "page"}, "frontiers": "one",
                 "slc_cache": {"superblocks": 6, "when_full": "direct"},
                 "wear": {"static_spread_erases": 0, "check_every_erases": null},
                 "gc": {"policy": "greedy", "start_free_superblocks": 2, "stop_free_superblocks": 4,
                        "pages_per_host_write": 0}}})"},
      {"qlc", R"({
         "nand": {"cell": "qlc", "program_extra_ns": 1500000, "program_top_ns": 2500000, "read_ns": null,
                  "read_lower_ns": 40000, "read_upper_ns": 60000, "read_extra_ns": 80000, "read_top_ns": 100000},
         "ftl": {"mapping": {"scheme": "page"}, "frontiers": "host+gc",
                 "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 6,
                        "pages_per_host_write": 4}}})"},
      {"cells", R"({
         "cells": {"fresh_errors_per_pbit": 300000000000, "wear_cycles": 10, "fresh_wear_exponent_permille": 500,
                   "retention_errors_per_pbit": 100000000000000, "retention_wear_exponent_permille": 500,
                   "retention_time_exponent_permille": 400, "disturb_errors_per_pbit": 10000000000,
                   "disturb_wear_exponent_permille": 500,
                   "page_kinds": [{"errors_permille": 800}, {"errors_permille": 1200}],
                   "worn_cycles": 5, "specimen": 3, "correctable_bits": 20,
                   "retry": [{"errors_permille": 600, "correctable_bits": 21, "array_reads": 1, "overhead_ns": 1000},
                             {"errors_permille": 0, "array_reads": 2, "overhead_ns": 3000}]},
         "ftl": {"mapping": {"scheme": "page"}, "frontiers": "host+gc",
                 "refresh": {"errors_per_pbit": 1100000000000, "retry_steps": 2, "scan_every_s": 1, "pages_per_request": 1},
                 "gc": {"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 6,
                        "pages_per_host_write": 4}}})"},
      {"cells of two kinds", R"({
         "cells": {"fresh_errors_per_pbit": 300000000000, "wear_cycles": 10, "fresh_wear_exponent_permille": 500,
                   "retention_errors_per_pbit": 100000000000000, "retention_wear_exponent_permille": 500,
                   "retention_time_exponent_permille": 400, "disturb_errors_per_pbit": 10000000000,
                   "disturb_wear_exponent_permille": 500,
                   "page_kinds": [{"errors_permille": 800}, {"errors_permille": 1200}], "slc_errors_permille": 900,
                   "worn_cycles": 5, "specimen": 3, "correctable_bits": 20,
                   "retry": [{"errors_permille": 600, "correctable_bits": 21, "array_reads": 1, "overhead_ns": 1000},
                             {"errors_permille": 0, "array_reads": 2, "overhead_ns": 3000}]},
         "ftl": {"mapping": {"scheme": "page"}, "frontiers": "one", "slc_cache": {"superblocks": 6, "when_full": "direct"},
                 "wear": {"static_spread_erases": 0, "check_every_erases": null},
                 "gc": {"policy": "greedy", "start_free_superblocks": 2, "stop_free_superblocks": 4,
                        "pages_per_host_write": 0}}})"},
      {"slc cells", R"({
         "power": {"idle_mw": 100, "active_mw": 300, "read_nj": 3000, "program_nj": 20000, "erase_nj": 90000},
         "nand": {"cell": "slc", "program_ns": 500000, "program_lower_ns": null, "program_upper_ns": null},
         "ftl": {"mapping": {"scheme": "bast", "log_superblocks": 4},
                 "wear": {"static_spread_erases": 0, "check_every_erases": null}}})"},
  };
  return designs;
}

Node document(const std::string& design) {
  Node document = parse_document(kCommonDesign, kCommandLineFile);
  overlay(document, parse_document(design == "zoned" ? kZonedDesign : designs().at(design), kCommandLineFile));
  drop_nulls(document);
  return document;
}

std::string refusal(const std::string& design, const std::vector<std::string>& assignments) {
  Node changed = document(design);
  for (const std::string& assignment : assignments) set_by_path(changed, assignment);
  try {
    read_drive(changed);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace ftlab
