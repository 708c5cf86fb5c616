#pragma once
// Which of several routes that a policy proposes should be kept (CVRP).

#include <span>

#include "core/base/ids.h"
#include "core/instance/instance.h"

namespace eco {

// Judges routes of one instance, which must outlive it.
class RouteValue {
 public:
  explicit RouteValue(const Instance& instance);

  // In nats of mean log-probability, higher is better. `confidence`: the policy's mean
  // log-probability of the route's steps; `lost_room`: see CandidateWalk; `complete`: the vehicle
  // comes home and leaves customers to others.
  [[nodiscard]] double operator()(std::span<const NodeId> route, double confidence,
                                  double lost_room, bool complete) const;

 private:
  const Instance& instance_;
  double farthest_ = 0;  // distance of a customer from the depot
  double step_ = 0;      // what going from a customer to the next should cost
};

}  // namespace eco
