// SPDX-License-Identifier: MIT
#include "formulation/tree/planar_tree.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "formulation/tree/tree_finder.hpp"
#include "model/element/registry.hpp"

namespace perilune::formulation {

namespace {

using Eigen::Vector2d;
using PlanarJoint = PlanarLink::Joint;

enum class PlanarPart { Body, BodyWithOffset, Coincidence, Offset, OffsetToGround, EqualAngle, Force, Other };

PlanarPart planar_part(const model::Kernel& kernel) {
  static const std::map<const model::Kernel*, PlanarPart> known{
      {&model::kernel_of("planar_body"), PlanarPart::Body},
      {&model::kernel_of("planar_body/offset"), PlanarPart::BodyWithOffset},
      {&model::kernel_of("coincidence/ground-body/2"), PlanarPart::Coincidence},
      {&model::kernel_of("coincidence/body-body/2"), PlanarPart::Coincidence},
      {&model::kernel_of("dot2/ground-body/2"), PlanarPart::Offset},
      {&model::kernel_of("dot2/body-body/2"), PlanarPart::Offset},
      {&model::kernel_of("dot2/body-ground/2"), PlanarPart::OffsetToGround},
      {&model::kernel_of("equal_angle/ground-body/2"), PlanarPart::EqualAngle},
      {&model::kernel_of("equal_angle/body-body/2"), PlanarPart::EqualAngle}};
  const auto found = known.find(&kernel);
  if (found != known.end()) return found->second;
  return kernel.has_mass() || kernel.constraint_count() > 0 ? PlanarPart::Other : PlanarPart::Force;
}

bool is_body(PlanarPart part) { return part == PlanarPart::Body || part == PlanarPart::BodyWithOffset; }

Vector2d two_at(const double* data) { return {data[0], data[1]}; }

/// One of a pair's constraints.
struct PlanarTie {
  const int* multipliers;
  const double* data;
  int first, second;                 // bodies by number, or PlanarLink::ground
  const system::Elements* elements;  // where it stands
  int element;
};

struct PlanarPair {
  std::string name;
  std::vector<PlanarTie> coincidences, offsets, angles;
};

class PlanarFinder : public TreeFinder<PlanarFinder, PlanarTree, PlanarLink, PlanarPair> {
 public:
  using TreeFinder::TreeFinder;

  void add_bodies(const system::Elements& elements) {
    const PlanarPart part = planar_part(*elements.kernel);
    if (!is_body(part)) return;
    for (int e = 0; e < elements.batch.count; ++e) {
      const double* d = data_of(elements, e);
      PlanarLink link;
      link.body = elements.batch.coordinates[static_cast<std::size_t>(e * 3)];
      link.mass = *d++;
      if (part == PlanarPart::BodyWithOffset) {
        link.centre = two_at(d);
        d += 2;
      }
      link.inertia = d[0];
      link.gravity = two_at(d + 1);
      number_[link.body] = static_cast<int>(bodies_.size());
      bodies_.push_back(link);
    }
  }

  bool add(const system::Elements& elements) {
    const model::Kernel& kernel = *elements.kernel;
    const model::Batch& batch = elements.batch;
    const PlanarPart part = planar_part(kernel);
    const int nq = kernel.coordinate_count(), nc = kernel.constraint_count();
    const bool is_force = part == PlanarPart::Force, is_other = part == PlanarPart::Other;
    if (const auto done = add_untied(elements, is_force, is_other, "a body")) return *done;
    if (is_body(part)) return true;
    for (int e = 0; e < batch.count; ++e) {
      const int* q = batch.coordinates.data() + e * nq;
      const int* lambda = batch.multipliers.data() + e * nc;
      int second = number_.at(q[nq - 3]), first = nq == 6 ? number_.at(q[0]) : PlanarLink::ground;
      if (part == PlanarPart::OffsetToGround) std::swap(first, second);
      PlanarPair& pair = pair_of(first, second, lambda[0]);
      auto& list = part == PlanarPart::EqualAngle    ? pair.angles
                   : part == PlanarPart::Coincidence ? pair.coincidences
                                                     : pair.offsets;
      list.push_back({lambda, data_of(elements, e), first, second, &elements, e});
    }
    return true;
  }

  static bool set_joint(PlanarLink& link, const PlanarPair& pair, int body, int /*from*/) {
    const std::size_t coincidences = pair.coincidences.size(), offsets = pair.offsets.size(),
                      angles = pair.angles.size();
    const auto set_places = [&](const PlanarTie& tie) {
      link.pushes_own_place = tie.second == body;
      link.on_link = two_at(tie.data + (link.pushes_own_place ? 2 : 0));
      link.on_parent = two_at(tie.data + (link.pushes_own_place ? 0 : 2));
    };
    if (coincidences == 1 && offsets == 0 && angles < 2) {
      const PlanarTie& tie = pair.coincidences.front();
      set_places(tie);
      for (int k = 0; k < 2; ++k) {
        link.forces.push_back(
            {tie.multipliers[k], (tie.second == body ? -1 : 1) * Vector2d::Unit(k), PlanarLink::Frame::Space});
      }
      link.pushes_own_place = true;
      link.joint = angles == 0 ? PlanarJoint::Hinge : PlanarJoint::Weld;
    } else if (coincidences == 0 && offsets == 1 && angles == 1) {
      const PlanarTie& tie = pair.offsets.front();
      const Vector2d f = two_at(tie.data + 4);
      if (tie.data[6] != 0 || !(std::abs(f.norm() - 1) < 1e-12)) return false;
      set_places(tie);
      const bool link_is_b = link.pushes_own_place;
      link.forces.push_back({tie.multipliers[0], (link_is_b ? -1 : 1) * f,
                             link_is_b ? PlanarLink::Frame::Parent : PlanarLink::Frame::Link});
      link.along = {-f.y(), f.x()};  // where its body is the parent
      link.joint = PlanarJoint::Slide;
    } else {
      return false;
    }
    if (angles == 0) return true;
    const PlanarTie& tie = pair.angles.front();
    const double sign = tie.second == body ? 1 : -1;
    link.angle = sign * tie.data[0];
    link.torque = tie.multipliers[0];
    link.torque_sign = -sign;
    if (link.joint == PlanarJoint::Slide && !link.pushes_own_place) {
      const double c = std::cos(link.angle), s = std::sin(link.angle);
      link.along = Vector2d(c * link.along.x() - s * link.along.y(), s * link.along.x() + c * link.along.y());
    }
    return true;
  }

  /// A driven joint and one of many constraints are better in the tree than among what closes loops.
  int rank(const PlanarPair& pair, int body, int from) const {
    PlanarLink trial = bodies_[static_cast<std::size_t>(body)];
    if (!set_joint(trial, pair, body, from)) return -1;
    const int own = trial.body, other = from == PlanarLink::ground ? own : bodies_[static_cast<std::size_t>(from)].body;
    const auto reads = [](const std::vector<int>& read, int first) {
      return std::any_of(read.begin(), read.end(), [&](int i) { return i >= first && i < first + 3; });
    };
    const bool is_driven =
        trial.is_free_to_move() && std::any_of(tree_.drives.begin(), tree_.drives.end(), [&](const Drive& d) {
          const std::vector<int>& read = d.coordinates();
          return reads(read, own) && reads(read, other) && std::all_of(read.begin(), read.end(), [&](int i) {
                   return (i >= own && i < own + 3) || (i >= other && i < other + 3);
                 });
        });
    return constraint_count(trial) + (is_driven ? by_driver : 0);
  }
  static int constraint_count(const PlanarLink& link) {
    const bool holds_angle = link.joint == PlanarJoint::Slide || link.joint == PlanarJoint::Weld;
    return static_cast<int>(link.forces.size()) + (holds_angle ? 1 : 0);
  }

  void add_cut(const PlanarPair& pair) {
    for (const auto* list : {&pair.coincidences, &pair.offsets, &pair.angles}) {
      for (const PlanarTie& tie : *list) tree_.cuts.push_back(single(*tie.elements, tie.element));
    }
  }

  void list_owners() {
    for (std::size_t k = 0; k < tree_.links.size(); ++k) {
      for (int i = 0; i < 3; ++i) owner_[tree_.links[k].body + i] = static_cast<int>(k);
    }
  }

  bool set_drive(int number) {
    Drive& drive = tree_.drives[static_cast<std::size_t>(number)];
    int last = PlanarLink::ground, first = PlanarLink::ground;
    for (const int i : drive.coordinates()) {
      const auto found = owner_.find(i);
      if (found == owner_.end()) return false;
      last = std::max(last, found->second);
    }
    if (last == PlanarLink::ground) return false;
    for (const int i : drive.coordinates()) {
      const int k = owner_.at(i);
      if (k == last) continue;
      if (first != PlanarLink::ground && first != k) return false;
      first = k;
    }
    PlanarLink& link = tree_.links[static_cast<std::size_t>(last)];
    if (!link.is_free_to_move() || (first != PlanarLink::ground && first != link.parent)) return false;
    if (link.parent != PlanarLink::ground && !is_relative(drive, link)) return false;
    link.drive = number;
    return true;
  }

  bool is_relative(Drive& drive, const PlanarLink& link) const {
    const int bodies[]{tree_.links[static_cast<std::size_t>(link.parent)].body, link.body};
    return drive.is_relative(bodies, true, q_, static_cast<std::size_t>(system_.coordinate_count()), data_);
  }

  /// Whether links have all coordinates and constraints of the system.
  bool covers_all() {
    std::vector<char> has_coordinate(static_cast<std::size_t>(system_.coordinate_count()), 0);
    int constraints = static_cast<int>(tree_.drives.size()) + tree_.constraint_count();
    for (const PlanarLink& link : tree_.links) {
      std::fill_n(has_coordinate.begin() + link.body, 3, 1);
      constraints += constraint_count(link);
    }
    for (std::size_t i = 0; i < has_coordinate.size(); ++i) {
      if (!has_coordinate[i]) return fail("\"" + system_.coordinate_name(static_cast<int>(i)) + "\" is not of a body");
    }
    return constraints == system_.constraint_count() || fail("a body has more constraints than its joint");
  }

  std::map<int, int> owner_;  // of a coordinate, among the links
};

}  // namespace

std::variant<PlanarTree, std::string> planar_tree(const system::System& system, const system::Data& data,
                                                  const double* q) {
  return PlanarFinder(system, data, q).find();
}

bool has_planar_bodies(const system::System& system) {
  const std::vector<system::Elements> all = system.elements();
  return std::any_of(all.begin(), all.end(),
                     [](const system::Elements& each) { return is_body(planar_part(*each.kernel)); });
}

}  // namespace perilune::formulation
