// SPDX-License-Identifier: MIT
// Some of the allocations lie at the end of a page of their own before one that cannot be touched, and their page is
// closed when they are freed: reading beyond the end or after the end of life is a segmentation fault. A sanitizer sees
// every such access, at ten times the cost; this sees a sample, in the build that users run.
#ifndef __SANITIZE_ADDRESS__

#include "guarded_memory.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

namespace perilune::fuzz {

namespace {

constexpr std::size_t page = 4096, largest = page, slots = 4096;

struct Pool {
  std::mutex mutex;
  char* memory = nullptr;           // page i of data is page 2 i + 1
  std::uint16_t queue[slots] = {};  // free slots, the one that is free longest first
  std::size_t head = 0, count = 0;
};
Pool pool;
std::atomic<std::uint32_t> interval{0};
std::atomic<std::uint32_t> counter{0};

bool is_ours(const void* address) {
  const auto* byte = static_cast<const char*>(address);
  return pool.memory && byte >= pool.memory && byte < pool.memory + 2 * page * slots;
}

void* guarded(std::size_t size) {
  const std::lock_guard lock(pool.mutex);
  if (pool.count == 0) return nullptr;
  const std::size_t slot = pool.queue[pool.head];
  char* begin = pool.memory + (2 * slot + 1) * page;
  if (mprotect(begin, page, PROT_READ | PROT_WRITE) != 0) return nullptr;
  pool.head = (pool.head + 1) % slots;
  --pool.count;
  const std::size_t rounded = (size + 15) / 16 * 16;
  char* result = begin + page - rounded;
  for (std::size_t i = 0; i < rounded; ++i) result[i] = static_cast<char>(0xa5);  // not zeros by luck
  return result;
}

void close(void* address) {
  const std::lock_guard lock(pool.mutex);
  const auto offset = static_cast<std::size_t>(static_cast<char*>(address) - pool.memory);
  const std::size_t slot = offset / (2 * page);
  mprotect(pool.memory + (2 * slot + 1) * page, page, PROT_NONE);
  pool.queue[(pool.head + pool.count) % slots] = static_cast<std::uint16_t>(slot);
  ++pool.count;
}

}  // namespace

void guard_memory(std::uint32_t every, std::uint32_t first) {
  if (!pool.memory) {
    void* memory = mmap(nullptr, 2 * page * (slots + 1), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    pool.memory = static_cast<char*>(memory);
    for (std::size_t i = 0; i < slots; ++i) pool.queue[i] = static_cast<std::uint16_t>(i);
    pool.count = slots;
  }
  interval = every;
  counter = every == 0 ? 0 : first % every;
}

void* allocate(std::size_t size) {
  if (const std::uint32_t every = interval.load(std::memory_order_relaxed);
      every > 0 && size <= largest && ++counter % every == 0) {
    if (void* memory = guarded(size == 0 ? 1 : size)) return memory;
  }
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

void release(void* memory) {
  if (is_ours(memory)) {
    close(memory);
  } else {
    std::free(memory);
  }
}

}  // namespace perilune::fuzz

void* operator new(std::size_t size) { return perilune::fuzz::allocate(size); }
void* operator new[](std::size_t size) { return perilune::fuzz::allocate(size); }
void operator delete(void* memory) noexcept { perilune::fuzz::release(memory); }
void operator delete[](void* memory) noexcept { perilune::fuzz::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { perilune::fuzz::release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { perilune::fuzz::release(memory); }

#else

#include "guarded_memory.hpp"
void perilune::fuzz::guard_memory(std::uint32_t, std::uint32_t) {}

#endif
