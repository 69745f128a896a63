// SPDX-License-Identifier: MIT
// Numbers that change at the ticks of a clock alone, and are held between them: the states of digital controllers with
// a zero-order hold.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// A held number z: the velocity of a coordinate of unit inertia that no force acts on. At the times first, first +
/// period, ... (s) it takes the value of next (set_next). Returns z. Signals name.value, name.integral. Until its next
/// value is set the same name may be declared again. Throws Error for a period that is not positive.
Symbol add_sampled(Model& model, const std::string& name, const Symbol& at, const std::string& unit, double period,
                   double first);
/// What it becomes at a tick: an expression of anything that a law may read, right before the tick. All that tick at
/// the same time read what the others were before. Signal name.next. Throws Error where it has that already.
void set_next(Model& model, const std::string& name, const Symbol& next);
/// Throws Error, naming it, if one was declared without its next value.
void check_sampled_complete(const Model& model);
/// The name of what the expression reads that jumps at ticks; empty if there is none.
std::string sampled_read(const Model& model, NodeId expression);

}  // namespace perilune::model
