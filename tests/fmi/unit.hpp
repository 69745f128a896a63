// SPDX-License-Identifier: MIT
// A unit of FMI 3.0 as its description and its library have it. The declarations are its own, so that they check those
// of the unit.
#pragma once
#include <dlfcn.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <pugixml.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using Ref = std::uint32_t;
using Refs = std::vector<Ref>;
using Numbers = std::vector<double>;

inline void note(void*, int status, const char* category, const char* message) {
  std::printf("says\t%d\t%s\t%s\n", status, category, message);
}

class Unit {
 public:
  Unit(const std::string& folder, bool is_me) : is_me_(is_me) {
    pugi::xml_document document;
    if (!document.load_file((folder + "/modelDescription.xml").c_str())) throw std::runtime_error("no description");
    const pugi::xml_node root = document.child("fmiModelDescription");
    const pugi::xml_node kind = root.child(is_me ? "ModelExchange" : "CoSimulation");
    if (!kind) throw std::runtime_error("the unit is not for this");
    for (const pugi::xml_node& variable : root.child("ModelVariables")) {
      refs_[variable.attribute("name").as_string()] = variable.attribute("valueReference").as_uint();
    }
    std::map<Ref, Ref> state_of;
    for (const pugi::xml_node& variable : root.child("ModelVariables")) {
      const pugi::xml_attribute state = variable.attribute("derivative");
      if (state) state_of[variable.attribute("valueReference").as_uint()] = state.as_uint();
    }
    for (const pugi::xml_node& each : root.child("ModelStructure").children("ContinuousStateDerivative")) {
      rates_.push_back(each.attribute("valueReference").as_uint());
      states_.push_back(state_of.at(rates_.back()));
    }
    for (const pugi::xml_node& each : root.child("ModelStructure").children("EventIndicator")) {
      (void)each;
      ++indicator_count_;
    }
    const std::string library =
        folder + "/binaries/x86_64-linux/" + kind.attribute("modelIdentifier").as_string() + ".so";
    library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(dlerror());
    token_ = root.attribute("instantiationToken").as_string();
    resources_ = folder + "/resources";
    if (std::string(function<const char*()>("fmi3GetVersion")()) != "3.0") throw std::runtime_error("no FMI 3.0");
    unit_ = instantiate();
    if (!unit_) throw std::runtime_error("not instantiated");
  }
  ~Unit() {
    if (unit_) function<void(void*)>("fmi3FreeInstance")(unit_);
  }
  /// Another one; whoever asks for it frees it.
  void* instantiate() const {
    using Note = void (*)(void*, int, const char*, const char*);
    if (is_me_) {
      return function<void*(const char*, const char*, const char*, bool, bool, void*, Note)>(
          "fmi3InstantiateModelExchange")("u", token_.c_str(), resources_.c_str(), false, true, nullptr, note);
    }
    return function<void*(const char*, const char*, const char*, bool, bool, bool, bool, const Ref*, std::size_t, void*,
                          Note, void*)>("fmi3InstantiateCoSimulation")(
        "u", token_.c_str(), resources_.c_str(), false, true, false, false, nullptr, 0, nullptr, note, nullptr);
  }
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  template <class F>
  F* function(const char* name) const {
    void* found = dlsym(library_, name);
    if (!found) throw std::runtime_error(std::string("no ") + name);
    return reinterpret_cast<F*>(found);
  }
  /// Calls what returns a status; 0 and 1 (a warning) go on.
  template <class... A>
  void call(const char* name, A... arguments) const {
    const int status = function<int(void*, A...)>(name)(unit_, arguments...);
    if (status > 1) throw std::runtime_error(std::string(name) + " returns " + std::to_string(status));
  }

  Ref ref(const std::string& name) const {
    const auto found = refs_.find(name);
    if (found == refs_.end()) throw std::runtime_error("no variable " + name);
    return found->second;
  }
  double get(Ref which) const {
    double value = NAN;
    call<const Ref*, std::size_t, double*, std::size_t>("fmi3GetFloat64", &which, 1, &value, 1);
    return value;
  }
  void set(Ref which, double value) const {
    call<const Ref*, std::size_t, const double*, std::size_t>("fmi3SetFloat64", &which, 1, &value, 1);
  }
  void* handle() const { return unit_; }
  bool is_me() const { return is_me_; }
  const Refs& states() const { return states_; }
  const Refs& rates() const { return rates_; }
  std::size_t indicator_count() const { return indicator_count_; }
  const std::string& token() const { return token_; }
  const std::string& resources() const { return resources_; }

 private:
  bool is_me_;
  std::string token_, resources_;
  void *library_ = nullptr, *unit_ = nullptr;
  std::map<std::string, Ref> refs_;
  Refs states_, rates_;
  std::size_t indicator_count_ = 0;
};
