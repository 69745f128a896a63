// SPDX-License-Identifier: MIT
// What a sanitizer would see, for a sample of the allocations of an ordinary build.
#pragma once
#include <cstddef>
#include <cstdint>

namespace perilune::fuzz {

/// From now on every so many allocations are guarded, beginning with one that `first` chooses; 0: none.
/// Under the address sanitizer nothing is done.
void guard_memory(std::uint32_t every, std::uint32_t first);

void* allocate(std::size_t size);
void release(void* memory);

}  // namespace perilune::fuzz
