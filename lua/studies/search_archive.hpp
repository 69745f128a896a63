// SPDX-License-Identifier: MIT
// What searches find, as messages between processes.
#pragma once
#include "optimize/multi_start.hpp"
#include "ranks/archive.hpp"

// Where the archive looks for them.
namespace perilune::optimize {

template <class Archive>
void archive_fields(Archive& archive, Iterate& it) {
  archive(it.iteration, it.evaluations, it.value, it.projected_gradient, it.x);
}

template <class Archive>
void archive_fields(Archive& archive, ConstrainedIterate& it) {
  archive(it.evaluations, it.value, it.violation, it.kkt, it.x);
}

template <class Archive>
void archive_fields(Archive& archive, GradientCheck& check) {
  archive(check.directional, check.difference, check.relative_error);
}

template <class Archive>
void archive_fields(Archive& archive, Result& r) {
  archive(r.x, r.gradient, r.initial, r.value, r.iterations, r.evaluations, r.products, r.least_curvature, r.reason,
          r.message, r.history, r.gradient_check);
}

template <class Archive>
void archive_fields(Archive& archive, ConstrainedResult& r) {
  archive(r.x, r.gradient, r.values, r.multipliers, r.bound_multipliers, r.initial, r.value, r.kkt, r.violation,
          r.evaluations, r.failures, r.reason, r.message, r.moving, r.unmoved, r.contradicting, r.history);
}

}  // namespace perilune::optimize
