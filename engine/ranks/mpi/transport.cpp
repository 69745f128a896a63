// SPDX-License-Identifier: MIT
// Messages by MPI.
#define OMPI_SKIP_MPICXX 1
#include "ranks/transport.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace {

constexpr int tag = 1;

/// A long message waits until the other process receives it, for which MPI_Send keeps a processor busy.
void send(int to, const char* bytes, std::size_t count) {
  using std::chrono::microseconds;
  MPI_Request request;
  MPI_Isend(bytes, static_cast<int>(count), MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
  int is_done = 0;
  MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
  for (microseconds rest{10}; !is_done; rest = std::min(2 * rest, microseconds(40))) {
    std::this_thread::sleep_for(rest);
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
  }
}

bool probe(int* from, std::size_t* count) {
  int found = 0, bytes = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &found, &status);
  if (!found) return false;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  *from = status.MPI_SOURCE;
  *count = static_cast<std::size_t>(bytes);
  return true;
}

void receive(int from, char* bytes, std::size_t count) {
  MPI_Recv(bytes, static_cast<int>(count), MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void finish() { MPI_Finalize(); }

void abort_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

PeriluneTransport transport = {0, 1, send, probe, receive, finish, abort_all};

}  // namespace

extern "C" __attribute__((visibility("default"))) const PeriluneTransport* perilune_connect() {
  int given = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS) return nullptr;
  if (given < MPI_THREAD_SERIALIZED) return nullptr;
  MPI_Comm_rank(MPI_COMM_WORLD, &transport.number);
  MPI_Comm_size(MPI_COMM_WORLD, &transport.size);
  return &transport;
}
