// SPDX-License-Identifier: MIT
// Messages by MPI.
#define OMPI_SKIP_MPICXX 1
#include "ranks/transport.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <list>
#include <string>
#include <thread>

namespace {

constexpr int tag = 1;

/// Messages up to this length go without waiting for the other process, which may have other work. MPI takes longer
/// ones when that receives them, and brings them over only while this process calls it.
std::size_t longest_without = 32768;
constexpr std::size_t longest_within_machine = 262144;

/// A message on its way: MPI is done with it when the other process has received it.
struct Sent {
  MPI_Request request = MPI_REQUEST_NULL;
  std::string bytes;
};
std::list<Sent> on_their_way;

void forget_what_arrived() {
  on_their_way.remove_if([](Sent& sent) {
    int is_done = 0;
    MPI_Test(&sent.request, &is_done, MPI_STATUS_IGNORE);
    return is_done != 0;
  });
}

template <class IsDone>
void wait_until(IsDone&& is_done) {
  using std::chrono::microseconds;
  for (microseconds rest{10}; !is_done(); rest = std::min(2 * rest, microseconds(40)))
    std::this_thread::sleep_for(rest);
}

void send(int to, const char* bytes, std::size_t count) {
  forget_what_arrived();
  const auto begin = [&](const char* kept, MPI_Request& request) {
    MPI_Isend(kept, static_cast<int>(count), MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
  };
  if (count <= longest_without) {
    Sent& sent = on_their_way.emplace_back();
    sent.bytes.assign(bytes, count);
    return begin(sent.bytes.data(), sent.request);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  begin(bytes, request);
  wait_until([&] {
    int is_done = 0;
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    return is_done != 0;
  });
}

bool probe(int* from, std::size_t* count) {
  int found = 0, bytes = 0;
  MPI_Status status;
  // OpenMPI looks at what has arrived first, then at what arrives: the second time it finds that.
  for (int time = 0; time < 2 && !found; ++time) MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &found, &status);
  if (!found) return false;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  *from = status.MPI_SOURCE;
  *count = static_cast<std::size_t>(bytes);
  return true;
}

void receive(int from, char* bytes, std::size_t count) {
  MPI_Recv(bytes, static_cast<int>(count), MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void finish() {
  wait_until([] {
    forget_what_arrived();
    return on_their_way.empty();
  });
  MPI_Finalize();
}

void abort_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

PeriluneTransport transport = {0, 1, send, probe, receive, finish, abort_all};

bool are_on_one_machine() {
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  int size = 0;
  MPI_Comm_size(here, &size);
  MPI_Comm_free(&here);
  return size == transport.size;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const PeriluneTransport* perilune_connect() {
  // What OpenMPI takes at once for a process on the same machine. It reads these when it starts, by the name of its
  // transport in one version or another; what the user says stays.
  const std::string at_once = std::to_string(longest_within_machine);
  for (const char* name : {"OMPI_MCA_btl_vader_eager_limit", "OMPI_MCA_btl_sm_eager_limit"}) {
    setenv(name, at_once.c_str(), 0);
  }
  int given = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS) return nullptr;
  if (given < MPI_THREAD_SERIALIZED) return nullptr;
  MPI_Comm_rank(MPI_COMM_WORLD, &transport.number);
  MPI_Comm_size(MPI_COMM_WORLD, &transport.size);
  if (are_on_one_machine()) longest_without = longest_within_machine;
  return &transport;
}
