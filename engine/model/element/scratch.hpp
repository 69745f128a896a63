// SPDX-License-Identifier: MIT
// Room for scalars of any type in the scratch array of a workspace.
#pragma once
#include <cstddef>
#include <memory>

namespace perilune::model {

/// `count` scalars at `storage`, which moves on behind them.
template <class T>
T* placed(double*& storage, int count) {
  static_assert(sizeof(T) % sizeof(double) == 0 && alignof(T) == alignof(double));
  T* first = reinterpret_cast<T*>(storage);
  std::uninitialized_value_construct_n(first, count);
  storage += static_cast<std::size_t>(count) * (sizeof(T) / sizeof(double));
  return first;
}

}  // namespace perilune::model
