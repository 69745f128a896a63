// SPDX-License-Identifier: MIT
// How a System is built from a Model: batches of elements and numbered data (their places in matrices: patterns.cpp).
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "error.hpp"
#include "model/element/element_check.hpp"
#include "model/element/registry.hpp"
#include "model/force/control.hpp"
#include "model/force/law_batches.hpp"
#include "model/law/switches.hpp"
#include "model/removal.hpp"
#include "system/system.hpp"

namespace perilune::system {

using expr::NodeId;

namespace {

/// Of the elements that take part; by switch.
std::vector<char> switches_of_laws(const model::Model& model, const std::vector<char>& takes_part) {
  std::vector<NodeId> laws;
  for (std::size_t i = 0; i < model.elements().size(); ++i) {
    if (!takes_part.empty() && !takes_part[i]) continue;
    const std::vector<NodeId>& law = model.elements()[i].law;
    laws.insert(laws.end(), law.begin(), law.end());
  }
  std::vector<char> out(model.record().switches.size());
  for (int k : switches_of(model, laws)) out[static_cast<std::size_t>(k)] = 1;
  return out;
}

}  // namespace

System::System(const model::Model& model, const std::vector<char>& takes_part)
    : n_(model.coordinate_count()), p_(static_cast<int>(model.parameters().size())), takes_part_(takes_part) {
  check_complete(model);
  if (n_ == 0) throw Error("model \"" + model.name() + "\" has nothing that can move; declare a point or a body");
  check_nothing_reads_removed(model);
  for (const model::Coordinate& c : model.coordinates()) {
    if (!c.is_removed) coordinate_names_.push_back(c.name);
  }
  number_multipliers(model, takes_part);
  note_facts(model, takes_part);
  group_elements(model, takes_part);
  collect_law_energies(model, takes_part);
  number_data(model);
  mark_active();
  build_patterns();
  if (is_implicit()) zero_.assign(static_cast<std::size_t>(n_ + m_), 0.0);
}

bool System::is_absent(const expr::Variable& absence) const {
  const auto element = static_cast<std::size_t>(absence.index);
  return element < takes_part_.size() && !takes_part_[element];
}

void System::number_multipliers(const model::Model& model, const std::vector<char>& takes_part) {
  rows_.assign(model.multipliers().size(), takes_part.empty() ? 0 : -1);
  for (std::size_t i = 0; i < takes_part.size(); ++i) {
    if (!takes_part[i]) continue;
    for (int k : model.elements()[i].multipliers) rows_[static_cast<std::size_t>(k)] = 0;
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (model.multipliers()[k].is_removed) {
      rows_[k] = -1;
      continue;
    }
    if (rows_[k] >= 0) {
      rows_[k] = m_++;
      multiplier_names_.push_back(model.multipliers()[k].name);
    }
    multiplier_numbers_.push_back(rows_[k]);
  }
  owner_of_multiplier_.assign(static_cast<std::size_t>(m_), -1);
  for (const model::Element& e : model.elements()) {
    check_interrupt();
    for (int k : e.multipliers) {
      const int number = rows_[static_cast<std::size_t>(k)];
      if (number >= 0)
        owner_of_multiplier_[static_cast<std::size_t>(number)] = static_cast<int>(element_labels_.size());
    }
    element_labels_.push_back("\"" + e.name + "\"" + (e.defined_at.empty() ? "" : ", defined at " + e.defined_at));
  }
}

bool System::acts(const model::Limit& limit, const std::vector<char>& takes_part) const {
  const bool is_held = limit.multiplier < 0 || rows_[static_cast<std::size_t>(limit.multiplier)] >= 0;
  return is_held && (limit.element < 0 || takes_part.empty() || takes_part[static_cast<std::size_t>(limit.element)]);
}

void System::note_facts(const model::Model& model, const std::vector<char>& takes_part) {
  for (const model::Parameter& p : model.parameters()) parameter_names_.push_back(p.name);
  for (const model::Coordinate& c : model.coordinates()) {
    if (c.is_removed) continue;
    coordinates_.push_back({model.graph().variable_of(c.velocity).name, c.unit, c.role});
  }
  constraints_.resize(static_cast<std::size_t>(m_));
  const std::vector<char> is_of_law = switches_of_laws(model, takes_part);
  unfollowed_ = model.record().unfollowed;
  cut_off_ = model.record().cut_off;
  std::vector<NodeId> functions;
  for (const model::Switch& s : model.record().switches) {
    const auto limit = model.record().limits.find(static_cast<int>(switch_facts_.size()));
    const bool is_limit = limit != model.record().limits.end() && acts(limit->second, takes_part);
    const bool of_law = is_limit || is_of_law[switch_facts_.size()];
    const std::vector<NodeId> read = model.graph().variables_of({s.function});
    const bool of_time = std::all_of(read.begin(), read.end(), [&](NodeId id) {
      const expr::Quantity quantity = model.graph().variable_of(id).quantity;
      return quantity == expr::Quantity::Time || quantity == expr::Quantity::Parameter ||
             quantity == expr::Quantity::Absence;
    });
    switch_facts_.push_back(
        {s.name, s.is_held, s.is_of_kink, of_law, of_time, is_limit ? limit->second.warning : std::string()});
    // Those that nothing reads which takes part never change: no step has to end for them.
    const bool is_asked = (of_law || s.is_of_objectives) && model::removed_variable(model, {s.function}).empty();
    functions.push_back(is_asked ? s.function : s.positive);
  }
  if (!functions.empty()) {
    const auto switches = std::make_shared<Measure>(model, functions);
    switches->leave_out(takes_part_);
    switches_ = switches;
  }
  std::vector<NodeId> next_values;
  for (const auto& [coordinate, sampled] : model.record().sampled) {
    const auto i = static_cast<std::size_t>(coordinate);
    sampled_.push_back({model.coordinates()[i].owner, sampled.defined_at, model.coordinate_numbers()[i], sampled.period,
                        sampled.first});
    next_values.push_back(sampled.next);
  }
  if (!next_values.empty()) next_values_ = std::make_shared<Measure>(model, next_values);
  reads_time_ = switches_ && switches_->reads(expr::Quantity::Time);
  for (std::size_t i = 0; i < model.elements().size() && !reads_time_; ++i) {
    if (!takes_part.empty() && !takes_part[i]) continue;
    const std::vector<NodeId> read = model.graph().variables_of(model.elements()[i].law);
    reads_time_ = std::any_of(read.begin(), read.end(), [&](NodeId id) {
      return model.graph().variable_of(id).quantity == expr::Quantity::Time;
    });
  }
  for (const model::Element& e : model.elements()) {
    check_interrupt();
    const bool is_square = !model::is_expression(e) && model::kernel_of(e.type).compares_squares();
    for (int k : e.multipliers) {
      const int number = rows_[static_cast<std::size_t>(k)];
      if (number < 0) continue;
      constraints_[static_cast<std::size_t>(number)] = {e.name, e.is_inner, is_square, model::constrains_velocities(e),
                                                        model.record().pushes.contains(k)};
    }
  }
  for (int k = 0; k < m_; ++k) {
    if (is_velocity_row(k)) velocity_rows_.push_back(k);
  }
}

void System::group_elements(const model::Model& model, const std::vector<char>& takes_part) {
  const auto is_left_out = [&](std::size_t i) {
    return model.elements()[i].is_removed || (!takes_part.empty() && !takes_part[i]);
  };
  std::vector<int> laws;
  for (std::size_t i = 0; i < model.elements().size(); ++i) {
    if (!is_left_out(i) && model.elements()[i].form == model::Element::Form::Law) laws.push_back(static_cast<int>(i));
  }
  const std::vector<model::LawBatch> batches = model::batch_laws(model, laws);
  std::vector<std::size_t> batch_of_law(model.elements().size());
  for (std::size_t k = 0; k < batches.size(); ++k) {
    for (int i : batches[k].elements) batch_of_law[static_cast<std::size_t>(i)] = k;
  }
  std::map<std::string, std::size_t> group_of_type;
  std::vector<int> group_of_batch(batches.size(), -1);
  for (std::size_t i = 0; i < model.elements().size(); ++i) {
    check_interrupt();
    if (is_left_out(i)) continue;
    const model::Element& e = model.elements()[i];
    std::size_t g;
    if (e.form == model::Element::Form::Law) {
      int& known = group_of_batch[batch_of_law[i]];
      if (known < 0) {
        known = static_cast<int>(groups_.size());
        const model::LawBatch& batch = batches[batch_of_law[i]];
        groups_.push_back({.kernel = batch.kernel, .data = batch.data});
      }
      g = static_cast<std::size_t>(known);
    } else if (model::is_expression(e)) {
      g = groups_.size();
      groups_.push_back({.kernel = model::kernel_of(model, e)});
    } else {
      const auto [it, is_new] = group_of_type.try_emplace(e.type, groups_.size());
      g = it->second;
      if (is_new) groups_.push_back({.kernel = model::kernel_of(model, e)});
    }
    Group& group = groups_[g];
    group.element.push_back(static_cast<int>(i));
    if (e.form != model::Element::Form::Law) group.data.push_back(e.data);
    model::Batch& batch = group.batch;
    ++batch.count;
    for (int k : e.coordinates) {
      batch.coordinates.push_back(model.coordinate_numbers()[static_cast<std::size_t>(k)]);
    }
    for (int k : e.multipliers) batch.multipliers.push_back(rows_[static_cast<std::size_t>(k)]);
    for (int k : e.reads) batch.reads.push_back(rows_[static_cast<std::size_t>(k)]);
    if (group.kernel->has_mass() && !group.kernel->is_constant()) has_moving_mass_ = true;
    if (bent_mass_element_.empty() && !group.kernel->has_quadratic_mass()) bent_mass_element_ = element_labels_[i];
    if (!e.reads_accelerations && e.reads.empty()) continue;
    reads_accelerations_ = reads_accelerations_ || e.reads_accelerations;
    if (reading_force_count_++ == 0) implicit_element_ = element_labels_[i];
    if (std::find(reading_.begin(), reading_.end(), g) == reading_.end()) reading_.push_back(g);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    scratch_size_ = std::max(scratch_size_, groups_[g].kernel->scratch_size());
    if (std::find(reading_.begin(), reading_.end(), g) != reading_.end()) continue;
    (groups_[g].kernel->is_constant() ? constant_ : moving_).push_back(g);
  }
  // Forces first: roots and divisions take long, and the processor does constraints while it waits for them.
  std::stable_partition(moving_.begin(), moving_.end(),
                        [&](std::size_t g) { return groups_[g].kernel->constraint_count() == 0; });
}

void System::collect_law_energies(const model::Model& model, const std::vector<char>& takes_part) {
  std::vector<NodeId> energies;
  for (std::size_t i = 0; i < model.elements().size(); ++i) {
    const model::Element& e = model.elements()[i];
    if (e.potential == expr::no_node || e.is_removed || (!takes_part.empty() && !takes_part[i])) continue;
    if (model::removed_variable(model, {e.potential}).empty()) energies.push_back(e.potential);
  }
  if (energies.empty()) return;
  const auto measure = std::make_shared<Measure>(model, energies);
  measure->number_multipliers(multiplier_numbers_);
  measure->leave_out(takes_part);
  law_energies_ = measure;
}

void System::number_data(const model::Model& model) {
  const expr::Graph& graph = model.graph();
  std::vector<NodeId> outputs;
  std::map<NodeId, int> number;
  auto is_side = [&](NodeId id) {
    return graph.is_variable(id) && graph.variable_of(id).quantity == expr::Quantity::Side;
  };
  auto is_absence = [&](NodeId id) {
    return graph.is_variable(id) && graph.variable_of(id).quantity == expr::Quantity::Absence;
  };
  auto source = [&](NodeId id) -> Source {
    if (graph.is_constant(id)) return {graph.constant_value(id), -1};
    if (is_side(id)) return {0, -1};
    if (is_absence(id)) return {is_absent(graph.variable_of(id)) ? 1.0 : 0.0, -1};
    const auto [it, is_new] = number.try_emplace(id, static_cast<int>(outputs.size()));
    if (is_new) outputs.push_back(id);
    return {0, it->second};
  };
  std::vector<std::size_t> shifts;  // of time, which is the last datum
  for (Group& group : groups_) {
    group.batch.data_offset = packed_.size();
    for (const std::vector<NodeId>& data : group.data) {
      check_interrupt();
      for (NodeId id : data) {
        if (is_side(id)) held_sides_.push_back({packed_.size(), graph.variable_of(id).index});
        packed_.push_back(source(id));
      }
      if (!group.kernel->has_time_datum()) continue;
      shifts.push_back(packed_.size());
      packed_.push_back({0, -1});
    }
  }
  for (const model::Coordinate& c : model.coordinates()) {
    if (c.is_removed) continue;
    initial_q_.push_back(source(c.initial_position));
    initial_v_.push_back(source(c.initial_velocity));
    initial_position_datum_.push_back(initial_q_.back().datum);
    initial_velocity_datum_.push_back(initial_v_.back().datum);
  }
  if (!shifts.empty()) time_datum_ = static_cast<int>(outputs.size());
  for (std::size_t k : shifts) packed_[k].datum = time_datum_;
  std::vector<NodeId> inputs;
  for (const model::Parameter& p : model.parameters()) inputs.push_back(p.node);
  requirements_ = model.record().requirements;
  std::vector<NodeId> required;
  for (const model::Requirement& r : requirements_) required.insert(required.end(), r.values.begin(), r.values.end());
  std::vector<NodeId> all = outputs;
  all.insert(all.end(), required.begin(), required.end());
  for (NodeId id : graph.variables_of(all)) {
    if (!is_absence(id)) continue;
    inputs.push_back(id);
    absences_.push_back(is_absent(graph.variable_of(id)) ? 1 : 0);
  }
  data_tape_ = expr::Tape(graph, inputs, outputs);
  requirement_tape_ = expr::Tape(graph, inputs, required);
  is_differentiated_.assign(static_cast<std::size_t>(data_count()), 1);
  for (NodeId id : outputs) {
    check_interrupt();
    datum_origin_.push_back((graph.origin(id).empty() ? "" : graph.origin(id) + ": ") + graph.to_string(id, 80));
  }
}

}  // namespace perilune::system
