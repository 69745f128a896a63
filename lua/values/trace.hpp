// SPDX-License-Identifier: MIT
// User laws: a Lua function is called once with symbolic arguments, and what it returns becomes part of the model's
// graph. Afterwards it is called with numbers, to catch what tracing cannot see (a frozen branch, a counter, ...).
#pragma once
#include <lua.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "values/object.hpp"

namespace perilune::lua {

struct TraceRequest {
  struct Field {
    std::string name;
    expr::NodeId node;
  };

  ModelPtr model;
  std::string what;                  // for messages: law of force "drag"
  std::vector<Field> state;          // what the argument has beside t
  std::vector<std::string> results;  // what the function returns: fx, fy
  bool accelerations = false;        // whether it may read accelerations and multipliers
};

/// The nodes of the results of the function at the stack index. `hides_number`: to be told what Expression says of one
/// of them.
std::vector<expr::NodeId> trace(lua_State* L, int function, const TraceRequest& request, bool* hides_number = nullptr);
/// The same as expressions of the engine.
model::Vector traced(lua_State* L, int function, const TraceRequest& request);

/// Throws Error if a law is being traced: "model:point cannot be called inside a law".
void refuse_in_law(std::string_view what);

/// Whether the value is the argument of the law that is being traced.
bool is_law_state(lua_State* L, int index);

/// What goes on while a law is traced, for expressions and signals. Only one law is traced at a time in a thread.
class Tracing {
 public:
  struct Read {
    std::string name;  // as the script wrote it
    expr::NodeId node;
  };

  /// nullptr outside of laws.
  static Tracing* active();
  /// The same while the law of this model runs with numbers, otherwise nullptr.
  static Tracing* numeric(const ModelPtr& model);

  explicit Tracing(const TraceRequest& request);
  ~Tracing();
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

  /// Whether a law runs with sample values just now, which may lie where the law is not defined.
  static bool is_sampling();

  const TraceRequest& request() const { return request_; }
  int serial() const { return serial_; }
  void set_numeric(bool numeric) { numeric_ = numeric; }
  double value(expr::NodeId node) const { return request_.model->samples(node); }

  /// Notes that the law reads a node that is not an intermediate result of its own; with numbers too, where it may
  /// take another branch.
  void note_read(const std::string& name, expr::NodeId node);
  /// Notes a node that the law's own arithmetic made.
  void note_made(expr::NodeId node) {
    if (!numeric_) made_.push_back(node);
  }
  const std::vector<Read>& reads() const { return reads_; }
  const std::vector<expr::NodeId>& made() const { return made_; }

 private:
  const TraceRequest& request_;
  int serial_;
  bool numeric_ = false;
  std::vector<Read> reads_;
  std::vector<expr::NodeId> made_;
};

/// Calls the law with the argument s. Leaves its results and returns true, or else leaves the error.
bool try_law(lua_State* L, int function, const Tracing& tracing);
/// The same, but raises the error again with the law's name and `where` added. Returns the number of results.
int call_law(lua_State* L, int function, const Tracing& tracing, const std::string& where);
/// "law of force "drag" (script.lua:12)"
std::string law_title(lua_State* L, int function, const TraceRequest& request);

/// Calls the traced law with numbers and compares with its nodes. Throws Error where they differ.
void check_law(lua_State* L, int function, Tracing& tracing, const std::vector<expr::NodeId>& nodes);

/// Creates the metatable of the argument of laws.
void open_tracing(lua_State* L);

}  // namespace perilune::lua
