// A fio command line is read like the equivalent job file.
#include <map>

#include "sim/core/random.h"
#include "sim/workload/files/job_file.h"
#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

const std::map<std::string, std::string> kFiles = {
    {"four.fio", "[global]\nfilename=/dev/d\nruntime=9\n[a]\nrw=read\n[b]\nrw=write\n"}};

JobContext command_context() {
  JobContext context;
  context.capacity_bytes = 64 * kMiB;
  context.environment = [](const std::string& name) -> const char* { return name == "SIZE" ? "8m" : nullptr; };
  context.include = [](const std::string& name) {
    if (kFiles.count(name) == 0) throw ConfigError({name, 0}, "", "does not exist");
    return kFiles.at(name);
  };
  return context;
}

std::vector<Job> jobs_of(const std::string& text) { return parse_job_file(text, "script.sh", command_context()).jobs; }

// A job as text, for comparison.
std::string told(const Job& job) {
  std::string text = job.name + " " + job.rw + " " + std::to_string(job.depth) + " " + std::to_string(job.region_end_bytes) +
                     " " + std::to_string(job.job_group) + ":";
  for (const auto& [key, value] : job.global_options) text += " " + key + "=" + value;
  for (const auto& [key, value] : job.options) text += " " + key + "=" + value;
  return text;
}

std::vector<std::string> told(const std::string& text) {
  std::vector<std::string> all;
  for (const Job& job : jobs_of(text)) all.push_back(told(job));
  return all;
}

std::string refusal(const std::string& text) {
  try {
    jobs_of(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

bool refused(const std::string& text, const std::string& by) { return refusal(text).find(by) != std::string::npos; }

// One option, as written in a job file and on a command line.
struct Written {
  std::string line, words;
};

class Author {
 public:
  explicit Author(std::uint64_t seed) : draw_(seed, "author") {}

  Written option() {
    static constexpr const char* kOptions[] = {"bs=8k",        "iodepth=16", "ioengine=libaio", "size=4m",  "numjobs=2",
                                               "time_based",   "runtime=3",  "group_reporting", "direct=1", "norandommap",
                                               "rwmixread=70", "offset=1m",  "description=a b", "thread=1", "randrepeat=0"};
    const std::string option = kOptions[draw_.below(std::size(kOptions))];
    return {option + "\n", separator() + dashes() + as_words(option)};
  }

  Written name(const std::string& name) {
    const std::string rw = std::vector<std::string>{"read", "randwrite", "randrw"}[draw_.below(3)];
    return {"[" + name + "]\nrw=" + rw + "\n",
            separator() + dashes() + as_words("name=" + name) + separator() + dashes() + as_words("rw=" + rw)};
  }

  std::string start() {
    static constexpr const char* kStarts[] = {"fio",
                                              "sudo fio",
                                              "#!/bin/bash\n# a comment: fio --name=none\nset -e\n\n/usr/bin/fio",
                                              "LD_PRELOAD=/x/spdk_nvme fio",
                                              "taskset -c 0-3 fio",
                                              "user@host:~$ fio",
                                              "$ sudo -E fio",
                                              "[root@host ~]# ./fio",
                                              "which fio >/dev/null || exit 1\nsudo -E fio",
                                              "echo 'fio runs'; if true; then fio",
                                              "out=$(fio"};
    const std::string start = kStarts[draw_.below(std::size(kStarts))];
    end_ = start.starts_with("out")
               ? " | grep x)\n"
               : std::vector<std::string>{"\n", " > out.txt 2>&1 &\n", " | tee log; sync\n", ""}[draw_.below(4)];
    return start;
  }
  std::string end() const { return end_; }

 private:
  std::string separator() { return std::vector<std::string>{" ", "  ", " \\\n    ", " \\\r\n "}[draw_.below(4)]; }
  std::string dashes() { return draw_.below(4) == 0 ? "-" : "--"; }

  std::string as_words(const std::string& option) {
    const std::size_t equals = option.find('=');
    if (equals == option.npos) return option;
    const std::string value = option.substr(equals + 1);
    const bool own_word = draw_.below(3) == 0 && option != "thread=1";  // a flag takes no separate value
    return option.substr(0, equals) + (own_word ? " " : "=") + quoted(value);
  }

  std::string quoted(const std::string& value) {
    const bool blank = value.find(' ') != value.npos;
    const std::uint64_t kind = draw_.below(blank ? 2 : 3);
    return kind == 0 ? "\"" + value + "\"" : kind == 1 ? "'" + value + "'" : value;
  }

  RandomStream draw_;
  std::string end_;
};

}  // namespace

TEST_CASE("a command line in any notation equals the equivalent job file", "[workload]") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Author author(seed);
    Written whole{"[global]\nfilename=/dev/d\nstonewall\n", author.start() + " --filename=/dev/d --stonewall"};
    const auto add = [&](const Written& written) { whole.line += written.line, whole.words += written.words; };
    for (std::uint64_t i = 0; i < seed % 4; ++i) add(author.option());
    for (std::uint64_t job = 0; job < 1 + seed % 3; ++job) {
      add(author.name("job" + std::to_string(job)));
      for (std::uint64_t i = 0; i < seed % 5; ++i) add(author.option());
    }
    whole.words += author.end();
    INFO(whole.words);
    REQUIRE(holds_fio_command(whole.words));
    CHECK(told(whole.words) == told(whole.line));
  }
}

TEST_CASE("options for the output of fio have no effect", "[workload]") {
  for (const char* option :
       {"--output=x.json", "--output x.json", "--output-format=json+", "--eta=always", "--eta-newline 1",
        "--status-interval=1", "--minimal", "--append-terse", "--readonly", "--output=x --eta never"}) {
    INFO(option);
    const JobFile file = parse_job_file(std::string("fio ") + option + " --name=a --filename=d --direct=1 --rw=read\n",
                                        "script.sh", command_context());
    REQUIRE(file.notes.size() == 1);
    CHECK(file.notes[0].text.starts_with("no effect on the simulated drive: --"));
    CHECK_FALSE(file.notes[0].problem);
  }
}

TEST_CASE("job files that a command names follow its options, and --section chooses among their jobs", "[workload]") {
  CHECK(told("fio --bs=8k four.fio") == told("[global]\nbs=8k\nfilename=/dev/d\nruntime=9\n[a]\nrw=read\n[b]\nrw=write\n"));
  CHECK(jobs_of("fio four.fio --section=b").size() == 1);
  CHECK(jobs_of("fio four.fio --section b --section=a").size() == 2);
  CHECK(jobs_of("fio --name=first --rw=read four.fio --filename=x").at(0).name == "first");
  CHECK(refused("fio other.fio", "fio: other.fio: does not exist"));
  CHECK(job_refusal("fio four.fio").find("job files that a command names cannot be read here") != std::string::npos);
}

TEST_CASE("variables come from the script or from the environment", "[workload]") {
  const std::string rest = " --name=a --filename=$DEV --rw=read";
  CHECK(jobs_of("DEV=/dev/x\nfio" + rest + " --size=${SIZE}").at(0).region_end_bytes == 8 * kMiB);
  CHECK(jobs_of("export DEV=/dev/x S=4m\nT=$S\nfio" + rest + " --size=\"$T\"").at(0).region_end_bytes == 4 * kMiB);
  CHECK(jobs_of("fio --name=a --filename=${DEV:-/dev/x} --size=${SIZE:-4m} --rw=read").at(0).region_end_bytes == 8 * kMiB);
  CHECK(refused("fio" + rest, "script.sh:1: the shell variable $DEV is not known here (got --filename=$DEV"));
  CHECK(refused("DEV=$DEV\nfio" + rest, "variable $DEV is not known here"));
  CHECK(refused("for bs in 4k 8k; do\nfio --bs=${bs} --name=a --rw=read\ndone\n", "script.sh:2: the shell variable $bs"));
  CHECK(refused("fio --name=$1 --rw=read", "the shell variable $1"));
  CHECK(refused("fio --name=`date` --rw=read", "the output of a shell command"));
  CHECK(refused("fio --name=$(date +%s) --rw=read", "the output of a shell command"));
  CHECK(jobs_of("fio --name='$x' --filename=d --rw=read").at(0).name == "$x");
}

TEST_CASE("arithmetic of the shell is computed", "[workload]") {
  const auto runtime = [](const std::string& text) {
    return jobs_of("N=60 M=2\nfio --name=a --filename=d --rw=read --runtime=" + text).at(0).runtime.value().count() /
           1'000'000'000;
  };
  CHECK(runtime("$((3600*24))") == 86'400);
  CHECK(runtime("$((N / 7 % 5 + $M * (1 + 2) - -1))") == 10);
  CHECK(runtime("\"$(( (N+${M}) ))\"") == 62);
  const std::string job = "fio --name=a --filename=d --rw=read --runtime=";
  CHECK(refused(job + "$((N))", "the shell variable $N is not known here"));
  for (const char* bad : {"$((1/0))", "$((9223372036854775807+1))", "$((2**3))", "$((1+))", "$((1)", "$(((1))", "$((X=1))"})
    CHECK(refused("X=1\n" + job + bad, "arithmetic that is not computed here"));
  CHECK(refused("X=text\n" + job + "$((X))", "arithmetic that is not computed here"));
}

TEST_CASE("variables that refer to each other cannot keep the program busy", "[workload]") {
  std::string script;
  for (char name = 'a'; name < 'h'; ++name) {
    script += std::string(1, static_cast<char>(name + 1)) + "=";
    for (int i = 0; i < 50; ++i) script += std::string("$") + name;
    script += "\n";
  }
  CHECK(refused("a=\n" + script + "fio --name=x --rw=read --runtime=$h", "variables refer to each other too often"));
}

TEST_CASE("a command may name its version, abbreviate options and use those of one letter", "[workload]") {
  CHECK(told("fio-3.33 --name=a --filename=d --rw=read").size() == 1);
  CHECK_FALSE(holds_fio_command("fio-plot --name=a --filename=d\n"));
  CHECK(jobs_of("fio --name=a --filename=d --rw=read --loop=3").at(0).loops == 3);
  CHECK(refused("fio --name=a --filename=d --rw=read --lo=3", "lo: unknown option"));  // loops, lockmem and others
  for (const char* words : {"-o out.json", "-oout.json", "-m", "-e never"}) {
    INFO(words);
    const JobFile file = parse_job_file(std::string("fio ") + words + " --name=a --filename=d --direct=1 --rw=read\n",
                                        "script.sh", command_context());
    REQUIRE(file.notes.size() >= 1);
    CHECK(file.notes.back().text.starts_with("no effect on the simulated drive: --"));
  }
}

TEST_CASE("a flag may be followed by 0 or 1, or by a job file", "[workload]") {
  const std::string start = "fio --name=a --filename=d --rw=read --runtime=3 ";
  CHECK(jobs_of(start + "--time_based 1 --bs=8k").at(0).time_based);
  CHECK_FALSE(jobs_of(start + "-time_based 0").at(0).time_based);
  CHECK(jobs_of(start + "--time_based").at(0).time_based);
  CHECK(jobs_of(start + "--time_based four.fio").size() == 3);
  CHECK(refused(start + "--time_based 2", "fio: 2: does not exist"));
}

TEST_CASE("a misspelt option that fio takes for one of one letter is named", "[workload]") {
  const JobFile file =
      parse_job_file("fio --name=a --filename=d --direct=1 -end-fsync=1 --rw=write\n", "script.sh", command_context());
  REQUIRE_FALSE(file.notes.empty());
  CHECK(file.notes[0].text.starts_with("-end-fsync=1: fio reads it as -e for --eta"));
  CHECK(file.notes[0].problem == ProblemCode::option_ignored);
  CHECK_FALSE(file.jobs[0].flow.flush_at_end);
}

TEST_CASE("anything but a single command with a job is refused with the reason", "[workload]") {
  CHECK(refused("fio --name=a --rw=read\nfio --name=b --rw=read\n",
                "several commands, each a run of its own (got lines 1, 2"));
  CHECK(refused("fio --rw=read --bs=4k", "fio: names no job"));
  CHECK(refused("fio --name=a rw=read", "is neither a job file nor a fio option"));
  CHECK(refused("fio --name=a --rw=read --iodpeth=4", "did you mean iodepth?"));
  CHECK(refused("fio --name=a --rw", "rw: needs a value"));
  CHECK(refused("fio --name=a --bs='4k", "a quote that does not end"));
  CHECK(refused("fio --name=a --client=host --rw=read", "client: fio has this option for its server and client"));
  CHECK(refused("fio --name= --rw=read", "name: needs a value"));
}

TEST_CASE("other texts contain no fio command", "[workload]") {
  for (const char* text :
       {"[a]\nexec_prerun=sudo fio --name=x\n", "; fio --name=x\n[a]\n", "sudo apt install -y fio\n", "which fio\n",
        "fio --version\n", "# fio --name=x\n", "", "echo \"fio --name=x\"\n", "[global]\ndescription=a\n"})
    CHECK_FALSE(holds_fio_command(text));
}

TEST_CASE("arguments split by a shell become a command with the same words", "[workload]") {
  const std::string text = fio_command_of({"--name=it's", "--rw=read", "--filename=a b$HOME", "--description=`x`"});
  CHECK(jobs_of(text).at(0).name == "it's");
  CHECK(told(jobs_of(text).at(0)).find("filename=a b$HOME description=`x`") != std::string::npos);
}

TEST_CASE("a vdbench parameter file is refused with its fio equivalent", "[workload]") {
  const std::string text = "* comment\nsd=sd1,lun=/dev/sdb\nwd=wd1,sd=sd1,xfersize=4k,rdpct=70\nrd=rd1,wd=wd1,iorate=max\n";
  CHECK(refused(text, "is a parameter file of vdbench"));
  CHECK(refused(text, "bs for xfersize"));
}
