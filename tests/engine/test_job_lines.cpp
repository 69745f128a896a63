// SPDX-License-Identifier: MIT
// Jobs as lines of files: what one process writes another one reads to the same bits, also after a sudden end.
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "error.hpp"
#include "fingerprint.hpp"
#include "optimize/job_file.hpp"
#include "optimize/job_lines.hpp"

using namespace perilune;
using namespace perilune::optimize;
using Catch::Matchers::Contains;

namespace {

const SweepTitle title{"a.lua", 1, "0123456789abcdef", 5, {"k", "c"}, {"cost", "peak"}};

Trial trial(std::size_t job) {
  Trial t;
  t.job = job;
  t.point = {0.1 + static_cast<double>(job), -0.0};
  t.values = {1.0 / 3, 5e-324};
  t.derivatives = {{1e300, -2.5}, {0.1, 1e-17}};
  return t;
}

std::string line(std::size_t job, SweepTitle of = title) { return job_line(of, trial(job)); }

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

/// A name for a file that does not exist yet; removed at the end.
struct TemporaryFile {
  std::string path;
  TemporaryFile() {
    char name[] = "/tmp/perilune_jobs_XXXXXX";
    close(mkstemp(name));
    path = name;
    std::remove(name);
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string text() const {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
};

}  // namespace

TEST_CASE("a job reads back to the same bits", "[jobs]") {
  const Trial before = trial(3), after = trial_of(read_job_line(line(3)), title);
  CHECK(after.job == 3);
  CHECK(after.succeeded());
  CHECK(same_bits(after.point, before.point));
  CHECK(same_bits(after.values, before.values));
  REQUIRE(after.derivatives.size() == 2);
  CHECK(same_bits(after.derivatives[0], before.derivatives[0]));
  CHECK(same_bits(after.derivatives[1], before.derivatives[1]));

  Trial failed = trial(4);
  failed.values.clear();
  failed.derivatives.clear();
  failed.failure = "at t = 1 s: <\"tyre\">\n\\ \t\xC3\xA4\x01";
  const std::string text = job_line(title, failed);
  CHECK(text.find('\n') == text.npos);
  CHECK(trial_of(read_job_line(text), title).failure == failed.failure);
}

TEST_CASE("lines that are no jobs are refused", "[jobs]") {
  CHECK_THROWS_WITH(read_job_line("{\"sweep\":1"), Contains("not valid JSON"));
  CHECK_THROWS_WITH(read_job_line("{\"sweep\":1}"), Contains("\"script\" is missing"));
  std::string wrong = line(2);
  wrong.replace(wrong.find("\"job\":3"), 7, "\"job\":9");
  CHECK_THROWS_WITH(read_job_line(wrong), Contains("greater than"));
  wrong = line(2);
  wrong.replace(wrong.find("\"job\":3"), 7, "\"job\":0");
  CHECK_THROWS_WITH(read_job_line(wrong), Contains("\"job\" is not a positive integer"));
  SweepTitle other = title;
  other.objectives = {"cost", "work"};
  CHECK_THROWS_WITH(trial_of(read_job_line(line(2)), other), Contains("\"work\" is missing"));
}

TEST_CASE("merging orders the jobs, and names missing and repeated ones", "[jobs]") {
  SweepTitle second = title;
  second.number = 2;
  second.jobs = 2;
  const Merged all =
      merge_jobs({{"b", {line(1), line(1, second), line(4)}}, {"a", {line(0, second), line(3), line(1)}}});
  CHECK(all.lines == std::vector<std::string>{line(1), line(3), line(4), line(0, second), line(1, second)});
  CHECK(all.missing == std::vector<std::string>{"sweep 1: jobs 1, 3 of 5"});
  CHECK(all.repeated == std::vector<std::string>{"sweep 1: jobs 2 of 5"});
  CHECK(merge_jobs({{"a", {line(2), line(1)}}}).missing == std::vector<std::string>{"sweep 1: jobs 1, 4-5 of 5"});
  CHECK(merge_jobs({{"a", {line(1, second), line(0, second)}}}).missing == std::vector<std::string>{"sweep 1"});
  CHECK(merge_jobs({{"a", {}}}).lines.empty());
  CHECK(merge_jobs({{"a", {line(4)}}}).missing == std::vector<std::string>{"sweep 1: jobs 1-4 of 5"});
  CHECK(merge_jobs({{"a", {line(0)}}}).missing == std::vector<std::string>{"sweep 1: jobs 2-5 of 5"});
  const std::string vast =
      R"({"script":"a.lua","sweep":1000000000,"design":"0","job":7,"jobs":1000000000,"parameters":{},"values":{}})";
  const Merged few = merge_jobs({{"a", {vast}}});
  CHECK(few.lines == std::vector<std::string>{vast});
  CHECK(few.missing ==
        std::vector<std::string>{"sweeps 1-999999999", "sweep 1000000000: jobs 1-6, 8-1000000000 of 1000000000"});
}

TEST_CASE("files of different designs, and jobs with two results, are not merged", "[jobs]") {
  SweepTitle other = title;
  other.design = "fedcba9876543210";
  other.script = "b.lua";
  CHECK_THROWS_WITH(merge_jobs({{"a", {line(0)}}, {"b", {line(1, other)}}}),
                    Contains("b:1: ") && Contains("another one (of b.lua"));
  Trial changed = trial(0);
  changed.values[0] = 2;
  CHECK_THROWS_WITH(merge_jobs({{"a", {line(0)}}, {"b", {line(1), job_line(title, changed)}}}),
                    Contains("b:2: job 1 of sweep 1 is there twice, with different results"));
  CHECK_THROWS_WITH(merge_jobs({{"a", {line(0), "nonsense"}}}), Contains("a:2: not valid JSON"));
}

TEST_CASE("a file of jobs drops half a line, and belongs to one process", "[jobs]") {
  const TemporaryFile temporary;
  {
    JobFile file(temporary.path);
    file.append("one");
    file.append("two");
    CHECK_THROWS_WITH(JobFile(temporary.path), Contains("another process"));
  }
  CHECK(temporary.text() == "one\ntwo\n");
  temporary.write("one\ntwo\nthr");
  CHECK(read_lines(temporary.path) == std::vector<std::string>{"one", "two"});
  {
    JobFile file(temporary.path);
    CHECK(file.lines() == std::vector<std::string>{"one", "two"});
    CHECK(temporary.text() == "one\ntwo\n");
    file.append("three");
    CHECK(file.lines().size() == 3);
  }
  CHECK(temporary.text() == "one\ntwo\nthree\n");
  CHECK_THROWS_WITH(JobFile("/nowhere/jobs"), Contains("'/nowhere/jobs'") && Contains("No such file"));
  CHECK_THROWS_WITH(read_lines("/nowhere/jobs"), Contains("cannot read '/nowhere/jobs'"));
}

TEST_CASE("fingerprints tell parts apart", "[jobs]") {
  CHECK(Fingerprint().add("ab").add("c").text() != Fingerprint().add("a").add("bc").text());
  CHECK(Fingerprint().add({0.0}).text() != Fingerprint().add({-0.0}).text());
  CHECK(Fingerprint().add({1.0, 2.0}).text() == Fingerprint().add({1.0, 2.0}).text());
  CHECK(Fingerprint().text().size() == 16);
}

TEST_CASE("JSON is read as RFC 8259 says", "[jobs]") {
  const auto value = format::read_json(
      " { \"a\" : [1, -2.5e3, 0.1, true, false, null, []], \"\\u00e9\\ud83d\\ude00\\/\": {}, \"b\": \"x\\n\" } ");
  const auto& list = std::get<format::JsonValue::Array>(value.find("a")->value);
  REQUIRE(list.size() == 7);
  CHECK(*list[1].number() == -2500);
  CHECK(*list[2].number() == 0.1);
  CHECK(std::get<bool>(list[3].value));
  CHECK(std::holds_alternative<std::nullptr_t>(list[5].value));
  CHECK(value.find("\xC3\xA9\xF0\x9F\x98\x80/"));
  CHECK(*value.find("b")->text() == "x\n");
  CHECK_FALSE(value.find("c"));
  for (const char* wrong : {"", "[1,]", "[1 2]", "{\"a\" 1}", "{a:1}", "01", "1.", ".5", "+1", "inf", "nan", "\"a",
                            "[1]x", "\"\\x\"", "\"\\u12g4\"", "{\"a\":1,}", "-", "tru"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(format::read_json(wrong), Contains("not valid JSON"));
  }
  CHECK_THROWS_WITH(format::read_json(std::string(200, '[')), Contains("less than 100 nested values"));
}
