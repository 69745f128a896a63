// SPDX-License-Identifier: MIT
// The contract between a compiled system and one element type. A kernel is stateless: it works on a batch of elements
// of its type, gathers their coordinates, and adds their contributions at precomputed places of the system's arrays.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "expr/symbol.hpp"

namespace perilune::model {

/// Positions of the entries (i, j) of a dense n x n block, row-major, for which `is_there(i, j)` holds.
template <int n, class Predicate>
constexpr auto block_positions(Predicate is_there) {
  constexpr int count = [] {
    int sum = 0;
    for (int i = 0; i < n * n; ++i) sum += Predicate{}(i / n, i % n);
    return sum;
  }();
  std::array<int, static_cast<std::size_t>(count)> list{};
  for (int i = 0, k = 0; i < n * n; ++i) {
    if (is_there(i / n, i % n)) list[static_cast<std::size_t>(k++)] = i;
  }
  return list;
}

/// A point of a motion. a and lambda are needed by linearize, and by forces that read them.
struct Kinematics {
  double t = 0;
  const double* q = nullptr;
  const double* v = nullptr;
  const double* a = nullptr;
  const double* lambda = nullptr;
  /// What forces read in their place, unless null: derivatives of M x + Phi_q^T y alone need forces that stay as they
  /// are.
  const double* felt_a = nullptr;
  const double* felt_lambda = nullptr;
};

/// All elements of one type in a system. Index arrays are flat: entry (element, i) stands at element * stride + i.
struct Batch {
  int count = 0;
  std::vector<int> coordinates;  // nq per element
  std::vector<int> multipliers;  // nc per element
  std::size_t data_offset = 0;   // of the batch in the system's data array; nd numbers per element
  std::vector<int> nn;           // nq x nq: slot in the coordinate-by-coordinate pattern, -1 where never needed
  std::vector<int> mn;           // nc x nq: slot in the constraint-by-coordinate pattern
  std::vector<int> nd;           // nq x nd: slot in the coordinate-by-data pattern, -1 where the datum is constant
  std::vector<int> md;           // nc x nd: slot in the constraint-by-data pattern, -1 where the datum is constant
  std::vector<int> reads;        // nr per element: multipliers that its forces read, -1 where none takes part (it is 0)
  std::vector<int> nr;           // nq x nr: slot in the pattern of forces by the multipliers that they read, or -1
  std::vector<char> is_active;   // per element: at least one datum depends on a parameter
};

/// The system's arrays, to which kernels add. With the residual r = M a + Phi_q^T lambda - Q (Zhu 2014, eq. 2.3). A
/// constraint on velocities, Psi(q, v, t) = 0 and linear in v, has no Phi, Psi in the place of Phi', Psi' in that of
/// Phi'', and its reaction acts along Psi_v.
struct Blocks {
  // evaluate
  double* mass = nullptr;      // M = r_a, nn pattern
  double* force = nullptr;     // Q, including velocity-dependent inertia terms
  double* phi = nullptr;       // Phi
  double* phi_rate = nullptr;  // Phi' = Phi_q v + Phi_t
  double* phi_bias = nullptr;  // Phi'' at a = 0
  double* jacobian = nullptr;  // Phi_q, mn pattern; of constraints on velocities Psi_v
  // evaluate, of forces that read accelerations and multipliers
  double* force_acceleration = nullptr;  // -Q_a, nn pattern
  double* force_multiplier = nullptr;    // -Q_lambda, nr pattern
  // linearize
  double* stiffness = nullptr;              // r_q = M_q a + Phi_qq^T lambda - Q_q, nn pattern
  double* damping = nullptr;                // r_v = -Q_v, nn pattern
  double* jacobian_rate = nullptr;          // (Phi')_q = d(Phi_q)/dt, mn pattern
  double* jacobian_acceleration = nullptr;  // (Phi'')_q = d^2(Phi_q)/dt^2, mn pattern
  /// (Psi')_v, mn pattern, of constraints on velocities; that of others is 2 d(Phi_q)/dt.
  double* acceleration_by_velocity = nullptr;
  // linearize with data: with respect to the data that depend on parameters
  double* residual_data = nullptr;          // r_d, nd pattern
  double* phi_data = nullptr;               // Phi_d, md pattern
  double* phi_rate_data = nullptr;          // (Phi')_d
  double* phi_acceleration_data = nullptr;  // (Phi'')_d at fixed a
  double* scratch = nullptr;                // at least Kernel::scratch_size() numbers, contents arbitrary
};

/// Potential energy (J), and the rate at which it changes along the velocities (W).
struct StoredEnergy {
  double energy = 0, rate = 0;
};

/// Everything one element can say about itself at one state, as dense row-major blocks: for tests.
struct ElementBlocks {
  std::vector<double> mass, force, phi, phi_rate, phi_bias, jacobian;
  std::vector<double> stiffness, damping, jacobian_rate, jacobian_acceleration, acceleration_by_velocity;
  std::vector<double> residual_data, phi_data, phi_rate_data, phi_acceleration_data;
  std::vector<double> force_acceleration, force_multiplier;
};

class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual int coordinate_count() const = 0;  // nq
  virtual int constraint_count() const = 0;  // nc
  virtual int data_count() const = 0;        // nd
  /// The last datum is no number of the declared element, but a shift of time, always zero: see timed_tape.hpp.
  virtual bool has_time_datum() const { return false; }
  virtual bool has_mass() const = 0;
  /// Its constraints are differences of squares of lengths, |u|^2 - L^2.
  virtual bool compares_squares() const { return false; }
  /// Its constraints are on velocities, Psi(q, v, t) = 0, and say nothing of positions.
  virtual bool constrains_velocities() const { return false; }
  /// Forces read the accelerations of the element's coordinates, and nr multipliers of others: they follow from what
  /// they act on, and have to be solved for together with it.
  virtual bool reads_accelerations() const { return false; }
  virtual int read_count() const { return 0; }  // nr
  /// Mass and force depend on data only: the system evaluates such elements once per parameter set.
  virtual bool is_constant() const = 0;
  /// M is a polynomial of at most the second degree in the element's coordinates.
  virtual bool has_quadratic_mass() const { return is_constant() || !has_mass(); }
  virtual std::size_t scratch_size() const { return 0; }
  /// False where M, r_q and r_v of an element are zero at any state, so that its coordinates i and j need no entry.
  virtual bool couples(int /*i*/, int /*j*/) const { return true; }

  virtual void evaluate(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks) const = 0;
  /// With data: of the active elements also the derivatives with respect to data.
  virtual void linearize(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks,
                         bool with_data) const = 0;
  /// The same from the element's template alone, without its hand-derived blocks: what these are measured against.
  virtual void evaluate_automatically(const Batch& batch, const Kinematics& at, const double* data,
                                      const Blocks& blocks) const {
    evaluate(batch, at, data, blocks);
  }
  virtual void linearize_automatically(const Batch& batch, const Kinematics& at, const double* data,
                                       const Blocks& blocks, bool with_data) const {
    linearize(batch, at, data, blocks, with_data);
  }

  using Symbols = std::vector<expr::Symbol>;
  /// Constraint values, as expressions; empty for elements without constraints, or with those on velocities.
  virtual Symbols symbolic_constraints(const Symbols& q, const expr::Symbol& t, const Symbols& d) const;
  /// Their time derivatives Phi_q v + Phi_t, or what constraints on velocities state.
  virtual Symbols symbolic_constraint_rates(const Symbols& q, const Symbols& v, const expr::Symbol& t,
                                            const Symbols& d) const;
  /// M a - Q, as expressions; empty for elements without mass and force. `reads`: the nr multipliers of others.
  virtual Symbols symbolic_residual(const Symbols& q, const Symbols& v, const Symbols& a, const Symbols& reads,
                                    const expr::Symbol& t, const Symbols& d) const;
  /// Potential energy (J), 0 where the element has none.
  virtual expr::Symbol symbolic_potential(const Symbols& q, const Symbols& d) const;
  /// The same of all elements of a batch, in numbers.
  virtual StoredEnergy stored_energy(const Batch&, const Kinematics&, const double* /*data*/) const { return {}; }

  /// The same blocks from the element's template alone: by automatic differentiation, and by complex step (which
  /// leaves the second-order block `phi_bias` and the values to the former). At one state of one element.
  virtual ElementBlocks by_automatic_differentiation(const Kinematics& at, const double* data) const = 0;
  virtual ElementBlocks by_complex_step(const Kinematics& at, const double* data) const = 0;
};

}  // namespace perilune::model
