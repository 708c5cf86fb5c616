#include "core/instance/embedding.h"

#include <gtest/gtest.h>

#include "core/search/tsp_instances.h"

namespace eco {
namespace {

Instance matrix_of(const Instance& instance) {
  Instance result;
  result.metric = Metric::matrix;
  for (std::size_t i = 0; i < instance.size(); ++i) {
    for (std::size_t j = 0; j < instance.size(); ++j) {
      result.matrix.push_back(i == j ? 0 : instance.distance(NodeId(i), NodeId(j)));
    }
  }
  return result;
}

TEST(Embedding, OfDistancesInThePlaneIsExact) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Instance points = testing::tsp_instance(60, 0, seed);
    const Embedding embedding = embed(matrix_of(points));
    EXPECT_LT(embedding.distortion, 1e-4);
    for (std::size_t i = 0; i < 60; ++i) {
      EXPECT_NEAR(euclidean(embedding.points[0], embedding.points[i]),
                  euclidean(points.points[0], points.points[i]), 1e-3);
    }
  }
}

TEST(Embedding, TellsItsDistortion) {
  // Four corners of a tetrahedron are no plane figure: six equal distances.
  Instance instance;
  instance.metric = Metric::matrix;
  instance.matrix.assign(16, 1.0);
  for (std::size_t i = 0; i < 4; ++i) instance.matrix[5 * i] = 0;
  const Embedding embedding = embed(instance);
  double error = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      error += std::fabs(euclidean(embedding.points[i], embedding.points[j]) - 1) / 6;
    }
  }
  EXPECT_NEAR(embedding.distortion, error, 1e-6);
  EXPECT_GT(error, 0.1);
  EXPECT_LT(error, 0.3);
}

TEST(Embedding, AveragesTheWaysThereAndBackAndSurvivesTheSmallest) {
  Instance instance;
  instance.metric = Metric::matrix;
  instance.matrix = {0, 1, 3, 0};
  EXPECT_NEAR(euclidean(embed(instance).points[0], embed(instance).points[1]), 2, 1e-5);
  instance.matrix = {0};
  EXPECT_EQ(embed(instance).points.size(), 1U);
  instance.matrix.assign(25, 0.0);
  EXPECT_EQ(embed(instance).distortion, 0);
  for (const Point& p : embed(instance).points) EXPECT_TRUE(std::isfinite(p.x + p.y));
}

}  // namespace
}  // namespace eco
