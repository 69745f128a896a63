// SPDX-License-Identifier: MIT
// Work that is spread over processes: here children of the test, which speak by sockets instead of MPI.
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

#include "error.hpp"
#include "parallel.hpp"
#include "ranks/archive.hpp"
#include "ranks/ranks.hpp"

namespace {

using namespace perilune;

// The sockets of a process to the others: the first has one to each, another one to the first.
std::vector<int> sockets;

void write_all(int file, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(file, bytes, count);
    if (written <= 0) _exit(3);
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

void read_all(int file, char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(file, bytes, count);
    if (got <= 0) _exit(3);
    bytes += got;
    count -= static_cast<std::size_t>(got);
  }
}

void send(int to, const char* bytes, std::size_t count) {
  const int file = sockets[static_cast<std::size_t>(to)];
  write_all(file, reinterpret_cast<const char*>(&count), sizeof count);
  write_all(file, bytes, count);
}

bool probe(int* from, std::size_t* count) {
  for (std::size_t k = 0; k < sockets.size(); ++k) {
    if (sockets[k] < 0) continue;
    pollfd asked{sockets[k], POLLIN, 0};
    if (::poll(&asked, 1, 0) <= 0 || !(asked.revents & POLLIN)) continue;
    if (::recv(sockets[k], count, sizeof *count, MSG_PEEK) != sizeof *count) continue;
    *from = static_cast<int>(k);
    return true;
  }
  return false;
}

void receive(int from, char* bytes, std::size_t count) {
  const int file = sockets[static_cast<std::size_t>(from)];
  std::size_t again = 0;
  read_all(file, reinterpret_cast<char*>(&again), sizeof again);
  read_all(file, bytes, count);
}

void finish() {}
void abort_all(int code) { _exit(code); }

PeriluneTransport transport = {0, 1, send, probe, receive, finish, abort_all};

/// Runs `script` in `count` processes; returns what is to be said of the others. The first is a child, too, so that the
/// test's own process stays alone: its text comes by a pipe.
std::string in_processes(int count, const std::function<std::string()>& script) {
  int result[2];
  REQUIRE(pipe(result) == 0);
  const pid_t first = fork();
  if (first == 0) {
    use_one_thread();  // threads do not survive a fork
    std::vector<int> own(static_cast<std::size_t>(count), -1);
    for (int k = 1; k < count; ++k) {
      int pair[2];
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) _exit(3);
      own[static_cast<std::size_t>(k)] = pair[0];
      if (fork() == 0) {
        transport.number = k;
        sockets = {pair[1]};
        for (const int file : own) close(file);
        break;
      }
      close(pair[1]);
    }
    if (transport.number == 0) sockets = own;
    transport.size = count;
    ranks::join(transport);
    std::string said, failure;
    try {
      said = script();
    } catch (const std::exception& problem) {
      failure = problem.what();
      said = "failed: " + failure;
    }
    said += ranks::leave(failure.empty() ? 0 : 1, failure);
    write_all(result[1], said.data(), said.size());
    _exit(0);
  }
  close(result[1]);
  std::string text;
  char bytes[4096];
  for (ssize_t got = 0; (got = ::read(result[0], bytes, sizeof bytes)) > 0;) {
    text.append(bytes, static_cast<std::size_t>(got));
  }
  close(result[0]);
  waitpid(first, nullptr, 0);
  return text;
}

/// Jobs 0, 2, 4, ... that say which process did them.
ranks::Work numbered_work(std::size_t count, std::vector<std::string>& all) {
  ranks::Work work;
  work.title = "work";
  work.jobs = [count] {
    std::vector<std::size_t> jobs;
    for (std::size_t k = 0; k < count; ++k) jobs.push_back(2 * k);
    return jobs;
  };
  all.resize(count);
  work.compute = [](std::size_t job) {
    usleep(500);
    return std::to_string(ranks::number()) + (ranks::may_spread() ? "!" : ":") + std::to_string(job);
  };
  work.arrived = [&](std::size_t job, const std::string& bytes) { all[job / 2] = bytes; };
  work.outcome = [&] { return ranks::packed(all); };
  return work;
}

/// How the work fails in each process; they are together still.
std::string failures_of(const std::function<void()>& work) {
  std::string mine, all;
  try {
    work();
  } catch (const Error& failure) {
    mine = failure.what();
  }
  for (const std::string& text : ranks::gather("after", mine)) all += text + ";";
  return all;
}

/// 40 jobs that come to light by and by, and say which process did them.
ranks::Feed numbered_feed(std::vector<std::string>& all) {
  ranks::Feed feed;
  feed.title = "feed";
  feed.find = [](const std::function<void(std::string)>& add) {
    for (int k = 0; k < 40; ++k) {
      usleep(300);
      add("job " + std::to_string(k));
    }
  };
  all.resize(40);
  feed.compute = [](const std::string& job) {
    usleep(600);
    return std::to_string(ranks::number()) + (ranks::may_spread() ? "!" : ":") + job;
  };
  feed.arrived = [&](std::size_t job, const std::string& bytes) { all[job] = bytes; };
  feed.outcome = [&] { return ranks::packed(all); };
  return feed;
}

}  // namespace

TEST_CASE("work is spread over processes, and each gets all of it", "[ranks]") {
  const std::string said = in_processes(3, [] {
    std::set<char> who;
    std::size_t right = 0, once = 0;
    for (int again = 0; again < 3; ++again) {
      std::vector<std::string> all;
      std::size_t arrivals = 0;
      ranks::Work work = numbered_work(100, all);
      work.arrived = [&, keep = work.arrived](std::size_t job, const std::string& bytes) {
        keep(job, bytes);
        ++arrivals;
      };
      all = ranks::unpacked<std::vector<std::string>>(ranks::spread(work));
      once += arrivals == (ranks::number() == 0 ? 100u : 0u);
      for (std::size_t k = 0; k < 100; ++k) {
        who.insert(all[k].at(0));
        right += all[k].substr(1) == ":" + std::to_string(2 * k);
      }
    }
    // What the others have got comes here by another way.
    std::string out;
    for (const std::string& text :
         ranks::gather("mine", std::to_string(who.size()) + " " + std::to_string(right) + " " + std::to_string(once))) {
      out += text + ";";
    }
    return out;
  });
  CHECK(said == "3 300 3;3 300 3;3 300 3;");
}

TEST_CASE("jobs that the first process finds one by one are done by all, and each gets all of it", "[ranks]") {
  const std::string said = in_processes(3, [] {
    std::set<char> who;
    std::size_t right = 0;
    for (int again = 0; again < 3; ++again) {
      std::vector<std::string> all;
      all = ranks::unpacked<std::vector<std::string>>(ranks::feed(numbered_feed(all)));
      for (std::size_t k = 0; k < all.size(); ++k) {
        who.insert(all[k].at(0));
        right += all[k].substr(1) == ":job " + std::to_string(k);
      }
    }
    std::string out;
    for (const std::string& text :
         ranks::gather("mine", std::to_string(who.size()) + " " + std::to_string(right))) {
      out += text + ";";
    }
    return out;
  });
  CHECK(said == "3 120;3 120;3 120;");
}

TEST_CASE("the others begin before the first has found all jobs", "[ranks]") {
  const std::string said = in_processes(2, [] {
    std::vector<std::string> all;
    std::size_t early = 0;
    ranks::Feed feed = numbered_feed(all);
    bool is_found = false;
    feed.find = [&, find = feed.find](const std::function<void(std::string)>& add) {
      find(add);
      is_found = true;
    };
    feed.arrived = [&, keep = feed.arrived](std::size_t job, const std::string& bytes) {
      keep(job, bytes);
      if (bytes.at(0) == '1' && !is_found) ++early;
    };
    ranks::feed(feed);
    return ranks::number() > 0 || early > 5 ? std::string("early ") : std::to_string(early);
  });
  CHECK(said == "early ");
}

TEST_CASE("a feed that fails is an error in every process", "[ranks]") {
  const auto said = [](const std::function<void(ranks::Feed&)>& change) {
    return in_processes(3, [&] {
      std::vector<std::string> all;
      ranks::Feed feed = numbered_feed(all);
      change(feed);
      return failures_of([&] { ranks::feed(feed); });
    });
  };
  const auto compute = [](ranks::Feed& feed) {
    feed.compute = [](const std::string& job) -> std::string { throw Error(job == "job 0" ? "the first" : "later"); };
  };
  CHECK(said(compute) == "the first;the first;the first;");
  CHECK(said([](ranks::Feed& feed) {
          feed.find = [find = feed.find](const std::function<void(std::string)>& add) {
            find(add);
            throw Error("not found");
          };
        }) == "not found;not found;not found;");
  CHECK(said([](ranks::Feed& feed) {
          feed.arrived = [](std::size_t, const std::string&) { throw Error("not kept"); };
        }) == "not kept;not kept;not kept;");
  const std::string parted = in_processes(2, [] {
    std::vector<std::string> all;
    ranks::Feed feed = numbered_feed(all);
    if (ranks::number() == 1) feed.title = "something else";
    ranks::feed(feed);
    return std::string("no");
  });
  CHECK_THAT(parted, Catch::StartsWith("failed: rank 1 of the run does not do what the first does"));
}

TEST_CASE("one process alone spreads nothing", "[ranks]") {
  CHECK(ranks::size() == 1);
  CHECK(ranks::number() == 0);
  CHECK_FALSE(ranks::may_spread());
  CHECK(ranks::leave(0, "") == "");
}

TEST_CASE("a job that throws is an error in every process, that of the lowest number", "[ranks]") {
  const std::string said = in_processes(3, [] {
    std::vector<std::string> all;
    ranks::Work work = numbered_work(60, all);
    work.compute = [](std::size_t job) -> std::string {
      usleep(300);
      if (job >= 20) throw Error("job " + std::to_string(job));
      return "";
    };
    return failures_of([&] { ranks::spread(work); });
  });
  CHECK(said == "job 20;job 20;job 20;");
}

TEST_CASE("what the first process cannot keep is an error in all", "[ranks]") {
  const std::string said = in_processes(2, [] {
    std::vector<std::string> all;
    ranks::Work work = numbered_work(30, all);
    work.arrived = [](std::size_t, const std::string&) { throw Error("the disk is full"); };
    return failures_of([&] { ranks::spread(work); });
  });
  CHECK(said == "the disk is full;the disk is full;");
}

TEST_CASE("jobs that the first process cannot name are an error in all", "[ranks]") {
  const std::string said = in_processes(2, [] {
    std::vector<std::string> all;
    ranks::Work work = numbered_work(30, all);
    work.jobs = []() -> std::vector<std::size_t> { throw Error("no such file"); };
    return failures_of([&] { ranks::spread(work); });
  });
  CHECK(said == "no such file;no such file;");
}

TEST_CASE("processes that part from each other are found out", "[ranks]") {
  const std::string other_title = in_processes(3, [] {
    std::vector<std::string> all;
    ranks::Work work = numbered_work(30, all);
    if (ranks::number() == 2) work.title = "something else";
    ranks::spread(work);
    return std::string("no");
  });
  CHECK_THAT(other_title, Catch::StartsWith("failed: rank 2 of the run does not do what the first does: it came to "
                                            "something else, the first to work"));
  const std::string other_kind = in_processes(2, [] {
    std::vector<std::string> all;
    if (ranks::number() == 0) ranks::spread(numbered_work(30, all));
    ranks::gather("gathered", "");
    return std::string("no");
  });
  CHECK_THAT(other_kind, Catch::StartsWith("failed: rank 1 of the run does not do what the first does"));
  const std::string ended = in_processes(2, [] {
    if (ranks::number() == 1) throw Error("here alone");
    ranks::gather("gathered", "");
    return std::string("no");
  });
  CHECK_THAT(ended, Catch::StartsWith("failed: rank 1 of the run has ended: here alone"));
  const std::string late = in_processes(2, [] {
    if (ranks::number() == 1) ranks::gather("gathered", "");
    return std::string("end ");
  });
  CHECK_THAT(late, Catch::StartsWith("end rank 1 of the run still has work to share"));
}

TEST_CASE("an archive gives numbers back to the same bits, and refuses what is too short", "[ranks]") {
  struct Inner {
    Eigen::MatrixXd m = Eigen::MatrixXd::Random(3, 2);
    std::optional<double> none, some = -0.0;
    std::vector<std::string> words = {"", "a\nb"};
  } in, out;
  out = {};
  const auto both = [](auto& archive, Inner& x) { archive(x.m, x.none, x.some, x.words); };
  ranks::Archive<false> writer;
  both(writer, in);
  ranks::Archive<true> reader(writer.bytes());
  out.m.setZero();
  out.words.clear();
  both(reader, out);
  CHECK(std::memcmp(out.m.data(), in.m.data(), 6 * sizeof(double)) == 0);
  CHECK_FALSE(out.none.has_value());
  CHECK(std::signbit(out.some.value()));
  CHECK(out.words == in.words);
  ranks::Archive<true> cut(std::string_view(writer.bytes()).substr(0, 40));
  CHECK_THROWS_AS(both(cut, out), Error);
}
