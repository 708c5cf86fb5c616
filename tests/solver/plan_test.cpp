// With what `auto` begins.

#include "solver/plan.h"

#include <gtest/gtest.h>

#include "core/instance/generate.h"

namespace eco {
namespace {

class BeginsWithPolicy : public testing::Test {
 protected:
  static Instance drawn(std::size_t customers, std::int64_t capacity) {
    GeneratorOptions options;
    options.kind = ProblemKind::cvrp;
    options.nodes = customers;
    options.capacity = capacity;
    return generate(options, 0);
  }
  bool begins(const Instance& instance, double seconds, Beginning beginning = Beginning::by_size) {
    EnginePool pool;
    pool.use_embedded(instance.kind);
    PlanRequest request(instance);
    request.policy = &pool;
    request.threads = 2;
    request.deadline = Deadline::after(seconds);
    request.beginning = beginning;
    return begins_with_policy(request);
  }
};

TEST_F(BeginsWithPolicy, OnLargeInstancesWithLongRoutesAndTimeEnough) {
  const Instance large = drawn(4000, 600);  // demands of 5 on average
  EXPECT_TRUE(begins(large, 30));
  EXPECT_FALSE(begins(large, 1));
  EXPECT_FALSE(begins(large, 30, Beginning::own));
  EXPECT_FALSE(begins(drawn(3999, 600), 30));
  const Instance short_routes = drawn(4000, 100);
  EXPECT_FALSE(begins(short_routes, 30));
  EXPECT_TRUE(begins(short_routes, 1, Beginning::policy));
}

TEST_F(BeginsWithPolicy, NotWithoutATimeLimitWeightsOrWithAPlan) {
  const Instance large = drawn(4000, 600);
  EnginePool pool;
  PlanRequest request(large);
  request.policy = &pool;
  request.deadline = Deadline::after(100);
  EXPECT_FALSE(begins_with_policy(request));  // no weights
  pool.use_embedded(ProblemKind::cvrp);
  EXPECT_TRUE(begins_with_policy(request));
  request.deadline = {};
  EXPECT_FALSE(begins_with_policy(request));  // steps, which are the same on every machine
  request.deadline = Deadline::after(100);
  const Solution plan;
  request.start = &plan;
  EXPECT_FALSE(begins_with_policy(request));
}

TEST_F(BeginsWithPolicy, ThenSearchesFromThere) {
  const Instance instance = drawn(60, 40);
  EnginePool pool;
  pool.use_embedded(ProblemKind::cvrp);
  PlanRequest request(instance);
  request.policy = &pool;
  request.policy_name = "weights";
  request.threads = 1;
  request.iterations = 500;
  EXPECT_EQ(make_plan(request).detail.find(", then "), std::string::npos);
  request.beginning = Beginning::policy;
  const Plan plan = make_plan(request);
  EXPECT_NE(plan.detail.find(", then "), std::string::npos) << plan.detail;
  request.method = "policy";
  EXPECT_LE(plan.made_cost, make_plan(request).made_cost);
}

}  // namespace
}  // namespace eco
