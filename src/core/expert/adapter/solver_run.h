#pragma once
// What the three adapters share: one run of one solver in its own folder, and the wording of its
// failures.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/scratch_folder.h"
#include "core/expert/adapter/adapter.h"
#include "core/expert/adapter/process.h"

namespace eco {

class SolverRun {
 public:
  // Finds the program: `call.path`, or the first of `usual_names` on PATH.
  SolverRun(std::string solver, const std::vector<std::string>& usual_names,
            const SolverCall& call);

  void write(std::string_view name, std::string_view text) const;  // a file in the folder
  // Runs the program with these arguments; a bad end is thrown. `stops_itself`: it was told of the
  // limit, so that killing it is only the last resort.
  void run(const std::vector<std::string>& arguments, bool stops_itself);
  // The content of a file that the solver should have written.
  [[nodiscard]] std::string read(std::string_view name) const;
  // The solution if it passes check(); thrown otherwise.
  [[nodiscard]] Solution checked(const Instance& instance, Solution solution) const;

  [[nodiscard]] Error failure(const std::string& what) const;

 private:
  std::string solver_, program_;
  const SolverCall& call_;
  ScratchFolder folder_;
  std::string tail_;
};

// The answer where there is nothing to choose, so that no solver has to be asked (some refuse such
// small instances): up to three nodes of a tour, one customer of a depot.
[[nodiscard]] std::optional<Solution> trivial_solution(const Instance& instance);

// The words of a text, split at white space.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

// A whole number that could count nodes, and nothing else.
[[nodiscard]] std::optional<std::size_t> whole_number(std::string_view word);

}  // namespace eco
