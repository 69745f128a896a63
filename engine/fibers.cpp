// SPDX-License-Identifier: MIT
#include "fibers.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#if defined(__x86_64__) && defined(__linux__)
#define PERILUNE_FIBERS 1
#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#endif

namespace perilune {

#ifdef PERILUNE_FIBERS

// What a function keeps for its caller goes to the stack, and the stack of another one takes its place. The system's
// own swapcontext asks the kernel for the signal mask each time, which takes longer than what is done in between.
extern "C" void perilune_switch_stack(void** from, void* to);
asm(R"(
.pushsection .text
.p2align 4
.globl perilune_switch_stack
.hidden perilune_switch_stack
.type perilune_switch_stack, @function
perilune_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size perilune_switch_stack, .-perilune_switch_stack
.popsection
)");

class Fibers::Group {
  /// As much as a thread has, of which memory is taken only where it is touched, above a page that nobody may touch.
  class Stack {
   public:
    static constexpr std::size_t size = std::size_t{8} << 20;

    Stack() {
      void* at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (at == MAP_FAILED) return;
      bottom_ = static_cast<char*>(at);
      mprotect(bottom_, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), PROT_NONE);
#if defined(__SANITIZE_ADDRESS__)
      __asan_unpoison_memory_region(at, size);  // where another stack was, from whose frames nobody returned
#endif
    }
    ~Stack() {
      if (bottom_) munmap(bottom_, size);
    }
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;
    char* bottom() const { return bottom_; }  // null: there is no memory for it

   private:
    char* bottom_ = nullptr;
  };

  /// What the language's library knows of exceptions that are on their way, or in a handler: of each stack its own.
  struct Exceptions {
    std::array<char, 16> bytes{};
    void swap_in(Exceptions& leaves) const {
      auto* here = reinterpret_cast<char*>(abi::__cxa_get_globals());
      std::memcpy(leaves.bytes.data(), here, bytes.size());
      std::memcpy(here, bytes.data(), bytes.size());
    }
  };

  /// Where one of those that take turns goes on, the thread's own stack among them.
  struct Context {
    void* top = nullptr;
    Exceptions exceptions;
    const void* bottom = nullptr;  // of its stack
    std::size_t size = 0;
    void* fake_stack = nullptr;
  };

  static void arrive([[maybe_unused]] Context& here, [[maybe_unused]] Context* before) {
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(here.fake_stack, &bottom, &size);
    if (before && !before->bottom) {
      before->bottom = bottom;
      before->size = size;
    }
#endif
  }

 public:
  Group(int count, const std::function<std::ptrdiff_t()>& next, const std::function<void(std::ptrdiff_t)>& job,
        const Together& together)
      : count_(count), next_(next), job_(job), together_(together) {}

  void run() {
    Group* const before = std::exchange(current, this);
    for (int k = 0; k < count_ && stacks_[place(k)].bottom(); ++k) {
      Context& fiber = fibers_[place(k)];
      fiber.bottom = stacks_[place(k)].bottom();
      fiber.size = Stack::size;
      // As perilune_switch_stack would have left it: six registers, and where to go on, which finds the stack as after
      // a call, with nobody to return to.
      auto* top = reinterpret_cast<std::uintptr_t*>(stacks_[place(k)].bottom() + Stack::size) - 1;
      top[0] = 0;
      *--top = reinterpret_cast<std::uintptr_t>(&Group::begin);
      top -= 6;
      std::memset(top, 0, 6 * sizeof *top);
      fiber.top = top;
      is_alive_[place(k)] = true;
      ++alive_;
    }
    const bool has_stacks = alive_ > 0;
    if (has_stacks) go_to(0, true);
    current = before;
    for (std::ptrdiff_t k = has_stacks ? -1 : next_(); k >= 0; k = next_()) job_(k);  // there was no memory
  }

  bool wait(Request request) {
    if (alive_ < 2) return false;
    requests_[place(lane_)] = request;
    yield();
    return true;
  }
  int lane() const { return lane_; }

  static thread_local Group* current;

 private:
  static std::size_t place(int k) { return static_cast<std::size_t>(k); }

  /// The next one that can go on; where all wait, what they wait for is done first.
  void yield() {
    for (int step = 1; step < most; ++step) {
      const int k = (lane_ + step) % most;
      if (is_alive_[place(k)] && !requests_[place(k)]) return go_to(k, false);
    }
    if (alive_ > 0) together_(requests_);
    requests_.fill(nullptr);
    if (is_alive_[place(lane_)]) return;  // it is as good as any
    for (int k = 0; k < most; ++k) {
      if (is_alive_[place(k)]) return go_to(k, false);
    }
    leave();
  }

  void go_to(int k, bool from_thread) {
    Context& from = from_thread ? thread_ : fibers_[place(lane_)];
    lane_ = k;
    jump(from, fibers_[place(k)], false);
  }
  void leave() { jump(fibers_[place(lane_)], thread_, true); }

  void jump(Context& from, Context& to, [[maybe_unused]] bool ends) {
    came_from_ = &from;
    to.exceptions.swap_in(from.exceptions);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(ends ? nullptr : &from.fake_stack, to.bottom, to.size);
#endif
    perilune_switch_stack(&from.top, to.top);
    arrive(from, came_from_);
  }

  /// Where the stack of each begins.
  static void begin() noexcept {
    Group& group = *current;
    arrive(group.fibers_[place(group.lane_)], group.came_from_);
    for (std::ptrdiff_t k = group.next_(); k >= 0; k = group.next_()) group.job_(k);
    group.is_alive_[place(group.lane_)] = false;
    --group.alive_;
    group.yield();
    std::terminate();  // nobody comes back to it
  }

  const int count_;
  const std::function<std::ptrdiff_t()>& next_;
  const std::function<void(std::ptrdiff_t)>& job_;
  const Together& together_;
  std::array<Stack, most> stacks_;
  std::array<Context, most> fibers_;
  std::array<bool, most> is_alive_{};
  std::array<Request, most> requests_{};
  Context thread_;
  Context* came_from_ = nullptr;
  int lane_ = 0, alive_ = 0;
};

thread_local Fibers::Group* Fibers::Group::current = nullptr;

bool Fibers::are_offered() { return true; }

bool Fibers::wait(Request request) { return Group::current && Group::current->wait(request); }

int Fibers::lane() { return Group::current ? Group::current->lane() : -1; }

void Fibers::run(int count, const std::function<std::ptrdiff_t()>& next, const std::function<void(std::ptrdiff_t)>& job,
                 const Together& together) {
  Group(count, next, job, together).run();
}

Fibers::Alone::Alone() : others_(std::exchange(Group::current, nullptr)) {}
Fibers::Alone::~Alone() { Group::current = static_cast<Group*>(others_); }

#else

bool Fibers::are_offered() { return false; }

bool Fibers::wait(Request) { return false; }

int Fibers::lane() { return -1; }

void Fibers::run(int, const std::function<std::ptrdiff_t()>& next, const std::function<void(std::ptrdiff_t)>& job,
                 const Together&) {
  for (std::ptrdiff_t k = next(); k >= 0; k = next()) job(k);
}

Fibers::Alone::Alone() : others_(nullptr) {}
Fibers::Alone::~Alone() = default;

#endif

}  // namespace perilune
