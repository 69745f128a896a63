// SPDX-License-Identifier: MIT
// The constraints that close the loops of a tree of links, at a point: Phi, Phi', Phi'' at a = 0 and Phi_q of each row
// by coordinates of the links. The angle of a joint among them follows from the links that it stands between, by the
// constraint that says what it is; rows that read such an angle have it eliminated,
//   Phi_q - Phi_theta Psi_theta^-1 Psi_q   with that constraint Psi(q, theta) = 0.
#pragma once
#include <map>
#include <vector>

#include "formulation/node.hpp"
#include "formulation/tree/applied_forces.hpp"
#include "formulation/tree/loops/closers.hpp"

namespace perilune::formulation {

class Cuts {
 public:
  /// A coordinate that a row reads: of a link in space r (0 to 2) or p (3 to 6), or the angle of its joint; of one in
  /// the plane x, y and theta (0 to 2).
  struct Place {
    static constexpr int angle = 7;
    int link = 0, component = 0, coordinate = 0;
    friend bool operator<(const Place& a, const Place& b) {
      return std::pair(a.link, a.component) < std::pair(b.link, b.component);
    }
    friend bool operator==(const Place& a, const Place& b) { return a.coordinate == b.coordinate; }
  };
  struct Row {
    int multiplier = 0;
    std::vector<Place> places;   // by links, ascending
    std::vector<int> path;       // these links and all that they hang on, ascending
    std::vector<int> parent;     // of each of these among them, or -1
    std::vector<double> slopes;  // by places
    double value = 0, rate = 0, bias = 0;
    double acceleration(const double* a) const;  // Phi''
  };

  /// `owners`: of the coordinates of links; `parents`: of links what they hang on, by number, or -1.
  Cuts(const system::System& system, const Closers& closers, const std::map<int, Place>& owners,
       const std::vector<int>& parents);
  Cuts(const Cuts&) = delete;
  Cuts& operator=(const Cuts&) = delete;

  const std::vector<Row>& rows() const { return rows_; }
  /// Where the links are. Angles that rows read are placed; false where they cannot be.
  bool evaluate(const Node& x, const system::Data& data);
  /// All angles, and their rates.
  bool place_angles(const Node& x, const system::Data& data);

  // At the point where both were called last:
  /// What forces on the angles do to the links.
  void pass_torques(AppliedForces& forces) const;
  /// The reactions of rows, by their multipliers (one per row); then the multipliers of what says where the angles are,
  /// and their accelerations.
  void add_reactions(const double* lambda, AppliedForces& forces) const;
  void finish_angles(const double* lambda, const AppliedForces& forces, const Node& x) const;

 private:
  /// One element, whose rows' numbers arrive in buffers.
  struct Element {
    std::shared_ptr<const model::Kernel> kernel;
    model::Batch batch;  // multipliers: 0, 1, ...; slopes: row by row
    int first = 0;       // of its rows; of an angle unused
  };
  /// An angle, with its own row, and which rows read it.
  struct Angle {
    int coordinate = 0;
    Element element;
    Row row;
    std::vector<int> at;  // of the row's slopes: column of the element
    int own = 0;          // column
    double slope = 0;     // Psi_theta
  };
  struct Reading {
    int row = 0, angle = 0;
    std::size_t column = 0;       // in `raw_`
    std::vector<std::size_t> to;  // places of the row: of each place of the angle's row
    double slope = 0;             // Phi_theta
  };

  void evaluate(const Element& element, const Node& x, const system::Data& data);
  bool place(Angle& angle, const Node& x, const system::Data& data);

  std::vector<Element> elements_;
  std::vector<Row> rows_;
  std::vector<std::vector<std::size_t>> columns_;  // of each row's places in `raw_`, or none
  std::vector<Angle> angles_;
  std::vector<Reading> readings_;
  std::vector<double> raw_, value_, rate_, bias_, scratch_;  // of one element
};

}  // namespace perilune::formulation
