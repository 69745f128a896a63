// SPDX-License-Identifier: MIT
// Steady motions: those that a common turn and shift of the whole, with a constant spin of each body of its own, carry
// along. With the turn rate W along gravity,
//   r' = c + W x r,   p' = (W o p + p o w) / 2 (products of quaternions, w constant in the body),
// planar angles and joints' angles grow at constant rates. All of these are affine in the coordinates, X(q) = D q + d,
// so that neighbours dq, dv seen by who moves along change by dq' - D dq and dv' - D dv, with a constant matrix where
// the equations do not notice the flow. That they do not is verified: farther along, neighbours must accelerate alike.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/small_motion/linearized_state.hpp"
#include "linalg/decompositions.hpp"
#include "model/model.hpp"

namespace perilune::analysis {

class SteadyMotion : public LinearFlow {
 public:
  /// From one state, by r'' = W x r' and omega' = W x omega. Where these leave W open, as for what spins about the
  /// vertical in its place, it is zero, or that of the body `turns_with`, an index, which then stands still for who
  /// moves along. Throws NumericalError where the state is of no steady motion.
  SteadyMotion(const model::Model& model, const system::System& system, std::vector<double> q, std::vector<double> v,
               const std::vector<double>& a, const std::vector<double>& parameters, int turns_with = -1);

  /// Of the choices that `state` leaves, zero first, the first that `verify` accepts. Throws NumericalError, that of
  /// zero, where there is none.
  static std::unique_ptr<SteadyMotion> find(const model::Model& model, const LinearizedState& state,
                                            const system::System& system, const system::Data& data, double t,
                                            const std::vector<double>& q, const std::vector<double>& v);

  /// The body that who moves along turns with, where the motion leaves that open; else empty.
  std::string seen_from() const {
    return turns_with_ < 0 ? std::string() : frames_[static_cast<std::size_t>(turns_with_)].name;
  }
  MatrixXd derivative(const MatrixXd& columns) const override;
  MatrixXd displacements() const override { return displacements_; }
  /// D' for derivatives of the state by a parameter. `size`: of forces per mass, for what is negligible in `a_rate`.
  /// Throws NumericalError where the motion does not stay steady. A change that is by no parameter, -1, is not judged.
  std::unique_ptr<LinearFlow> rate(const VectorXd& q_rate, const VectorXd& v_rate, const VectorXd& a_rate, double size,
                                   int parameter) const;
  /// Throws NumericalError where the neighbours of `state`, that of the constructor, accelerate otherwise later.
  void verify(const LinearizedState& state, const system::Data& data, double t) const;

 private:
  struct Frame {
    std::string name;
    int first = 0;
    bool has_angle = false, has_parameters = false;
    Eigen::Vector3d spin = Eigen::Vector3d::Zero();  // w (rad/s)
  };

  /// Vectors of the bodies, which turn with the whole, and their derivatives by time.
  using Turning = std::vector<std::pair<Eigen::Vector3d, Eigen::Vector3d>>;

  Eigen::Vector3d place(const std::vector<double>& x, const Frame& frame) const;
  Turning turning_vectors(const std::vector<double>& a) const;
  Eigen::Vector3d turn_rate(const VectorXd& q_rate, const VectorXd& v_rate, const VectorXd& a_rate,
                            int parameter) const;
  void find_frames(const model::Model& model);
  Eigen::MatrixXd turn_axes() const;
  void find_turn(const std::vector<double>& a);
  /// Bodies, by index, that turn about what could be the axis of the common turn, which the state leaves open.
  std::vector<int> bodies_on_open_axis() const;
  Eigen::Vector3d angular_velocity(const Frame& frame) const;
  /// Of shifts by these (3 x k) and turns about some axes, for a state; linear in all of these and, together with what
  /// planar angles turn by, in the state.
  MatrixXd displaced(const MatrixXd& shifts, const MatrixXd& axes, const VectorXd& q, const VectorXd& v,
                     double angle) const;
  MatrixXd turn_axes_rate(int parameter) const;
  void find_spins();
  void require_common_velocity() const;
  void require_accelerations(const std::vector<double>& a) const;
  /// Columns dq or dv after a time, and the positions.
  MatrixXd carried(const MatrixXd& columns, double time) const;
  std::vector<double> position_after(double time) const;
  [[noreturn]] static void refuse(const std::string& why);

  const model::Model& model_;
  const system::System& system_;
  int dimension_;
  Eigen::Vector3d gravity_;
  std::vector<double> q_, v_, a_, parameters_;
  int turns_with_;  // index of a frame; -1: the least turn that the state allows
  std::vector<Frame> frames_;
  Eigen::Vector3d turn_ = Eigen::Vector3d::Zero();  // W (rad/s)
  double rate_ = 0;                                 // largest of turn and spins
  MatrixXd displacements_;
};

}  // namespace perilune::analysis
