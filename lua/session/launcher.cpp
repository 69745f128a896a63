// SPDX-License-Identifier: MIT
#include "session/launcher.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <vector>

#include "base/file_access.hpp"
#include "base/output_file.hpp"
#include "base/progress_terminal.hpp"
#include "base/quiet_functions.hpp"
#include "base/run_options.hpp"
#include "error.hpp"
#include "fingerprint.hpp"
#include "ranks/ranks.hpp"

namespace perilune::lua {

namespace {

struct Words {
  const char* size;  // null: says only that there is a launcher
  const char* number;
};
constexpr std::array<Words, 5> known = {{{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                         {"PMI_SIZE", "PMI_RANK"},
                                         {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"},
                                         {nullptr, "PMIX_RANK"},
                                         {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}};  // srun without MPI

int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : 0;
}

constexpr const char* library_name = "libperilune_mpi.so";

/// Beside the program, or where it is installed.
std::string library_path() {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failure).parent_path();
  if (fs::exists(folder / library_name, failure)) return (folder / library_name).string();
  return (folder.parent_path() / PERILUNE_MPI_FOLDER / library_name).string();
}

std::string launched_by(const Launch& launched) {
  return "a launcher has started several processes of this script (" + std::string(launched.word) + ")";
}

const PeriluneTransport& connect(const Launch& launched) {
  void* library = dlopen(library_path().c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    const std::string reason = dlerror();
    throw Error(launched_by(launched) +
                ", and they cannot share its work: install the package perilune-mpi, or build with OpenMPI "
                "(libopenmpi-dev); each would do everything, and write the same files. Without a launcher there is one "
                "process, and --shard 1/8 has a share of its sweeps. (" +
                reason + ")");
  }
  auto* const perilune_connect = reinterpret_cast<PeriluneConnect*>(dlsym(library, "perilune_connect"));
  const PeriluneTransport* transport = perilune_connect ? perilune_connect() : nullptr;
  if (!transport) throw Error(launched_by(launched) + ", but MPI does not start with threads here");
  if (launched.size > 1 && transport->size != launched.size) {
    throw Error(launched_by(launched) + ", by another MPI than that of " + library_path() + ", which sees " +
                std::to_string(transport->size) + " of " + std::to_string(launched.size) +
                "; take the mpirun of the MPI that perilune was built with, or srun --mpi=pmix");
  }
  return *transport;
}

void fall_silent() {
  std::fflush(stdout);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

/// What all processes are to have been started with.
std::string start_of(const RunOptions& options) {
  std::ifstream script(options.script, std::ios::binary);
  std::ostringstream text;
  text << script.rdbuf();
  Fingerprint print;
  print.add(PERILUNE_VERSION).add(text.str()).add(options.results);
  print.add_number(options.shard).add_number(options.shards);
  for (const std::string& word : options.words) print.add(word);
  for (const RunOptions::Override& one : options.parameters) print.add(one.text);
  return "the start of " + options.script + " (script and words " + print.text() + ")";
}

std::string last_words;  // of the first process, when it is ended from outside

void on_end(int) {
  remove_unfinished_files();
  const ssize_t written = write(STDERR_FILENO, last_words.data(), last_words.size());
  _exit(written < 0 ? 1 : 128 + SIGTERM);
}

/// Launchers end all processes where one has died.
void prepare_last_words(const std::string& results) {
  last_words = progress_is_seen() ? "\r\033[K" : "";  // begins where a line of progress stands
  last_words += "perilune: ended from outside: Ctrl-C, or another process of the run has died; ";
  last_words += results.empty()
                    ? "nothing is kept (perilune run script.lua --results FILE keeps finished jobs of sweeps)\n"
                    : "finished jobs are in " + results + ", and the same command goes on from there\n";
  struct sigaction action = {};
  action.sa_handler = on_end;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

Launch launch() {
  for (const Words& words : known) {
    const char* word = words.size ? words.size : words.number;
    if (!std::getenv(word) || !std::getenv(words.number)) continue;
    const bool is_of_slurm = std::string_view(words.number) == "SLURM_PROCID";
    if (is_of_slurm && number_in(words.size) < 2) continue;  // one task needs no MPI
    return {number_in(words.number), words.size ? number_in(words.size) : 0, word};
  }
  return {};
}

void forget_launch() {
  for (const Words& words : known) {
    if (words.number) unsetenv(words.number);
  }
}

void join_launched(const Launch& launched) {
  const PeriluneTransport& transport = connect(launched);
  forget_launch();
  if (transport.size == 1) return;
  ranks::join(transport);
  setenv("NO_COLOR", "1", 0);  // the terminal is one that the launcher made, whatever becomes of what it passes on
  if (ranks::number() == 0) return prepare_last_words(run_options().results);
  fall_silent();
  discard_written_files();
}

void prepare_launched(lua_State* L) {
  if (ranks::size() == 1) return;
  // Lua draws a seed of its own in each process.
  const std::vector<std::string> seeds = ranks::gather(start_of(run_options()), std::to_string(std::random_device{}()));
  lua_getglobal(L, "math");
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, static_cast<lua_Integer>(std::stoul(seeds[0])));
  lua_call(L, 1, 0);
  lua_pop(L, 1);
  if (ranks::number() > 0) keep_quiet(L);
}

int leave_launched(int code, const std::string& said) {
  const std::string first_line = said.substr(0, said.find('\n'));
  const std::string failure = code == 0 ? "" : said.empty() ? "exit code " + std::to_string(code) : first_line;
  const std::string of_others = ranks::leave(code, failure);
  if (of_others.empty()) return code;
  std::fflush(stdout);
  std::fprintf(stderr, "perilune: %s\n", of_others.c_str());
  return code == 0 ? 1 : code;
}

}  // namespace perilune::lua
