// SPDX-License-Identifier: MIT
#include "exchange/library.hpp"

#include <dlfcn.h>

#include <chrono>
#include <filesystem>

#include "error.hpp"
#include "exchange/fmi3.hpp"

namespace perilune::lua {

namespace {

constexpr const char* library_name = "libperilune_fmi.so";

/// The folder of what contains this function: the program, or its module for the stock interpreter.
std::filesystem::path own_folder() {
  Dl_info info{};
  std::error_code failure;
  if (dladdr(reinterpret_cast<const void*>(&unit_library), &info) == 0 || !info.dli_fname) return {};
  std::filesystem::path file = std::filesystem::canonical(info.dli_fname, failure);
  // The name of the program may be that of a command.
  if (failure) file = std::filesystem::read_symlink("/proc/self/exe", failure);
  return file.parent_path();
}

class Library {
 public:
  explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) throw Error("the unit's library does not load: " + std::string(dlerror()));
  }
  ~Library() { dlclose(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  template <class Function>
  Function* find(const char* name) const {
    void* found = dlsym(handle_, name);
    if (!found) throw Error("the unit's library has no " + std::string(name));
    return reinterpret_cast<Function*>(found);
  }

 private:
  void* handle_;
};

void note(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String, fmi3String message) {
  if (status >= fmi3Discard) *static_cast<std::string*>(environment) = message;
}

}  // namespace

std::string unit_library() {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path folder = own_folder();
  for (const fs::path& place : {folder, folder.parent_path(), folder.parent_path() / PERILUNE_LIBRARY_FOLDER,
                                folder.parent_path().parent_path() / "perilune"}) {
    if (fs::exists(place / library_name, failure)) return (place / library_name).string();
  }
  throw Error(std::string(library_name) + ", which units are made with, is not beside the program, nor where it is " +
              "installed");
}

FirstUse use_first(const std::string& path, const std::string& resources, const UnitRecord& record,
                   const std::vector<std::uint32_t>& outputs, double start) {
  const Library library(path);
  std::string problem = "it says nothing";
  const auto began = std::chrono::steady_clock::now();
  const auto free = library.find<fmi3FreeInstanceType>("fmi3FreeInstance");
  const std::unique_ptr<void, fmi3FreeInstanceType*> unit(
      library.find<fmi3InstantiateCoSimulationType>("fmi3InstantiateCoSimulation")(
          "first", record.token.c_str(), resources.c_str(), false, true, false, false, nullptr, 0, &problem, note,
          nullptr),
      free);
  if (!unit) throw Error(problem);
  const auto check = [&problem](fmi3Status status) {
    if (status >= fmi3Discard) throw Error(problem);
  };
  check(library.find<fmi3EnterInitializationModeType>("fmi3EnterInitializationMode")(unit.get(), false, 0, start, false,
                                                                                     0));
  check(library.find<fmi3ExitInitializationModeType>("fmi3ExitInitializationMode")(unit.get()));
  FirstUse out;
  out.outputs.resize(outputs.size());
  check(library.find<fmi3GetFloat64Type>("fmi3GetFloat64")(unit.get(), outputs.data(), outputs.size(),
                                                           out.outputs.data(), out.outputs.size()));
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return out;
}

}  // namespace perilune::lua
