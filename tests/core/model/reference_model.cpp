#include "core/model/reference_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/rng.h"
#include "core/kernels/ssm.h"
#include "core/ordering/ordering.h"

namespace eco::testing {

namespace {

double silu(double x) {
  return x / (1 + std::exp(-x));
}
double softplus(double x) {
  return std::log1p(std::exp(x));
}

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
void add(Vector& to, const Vector& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}
Vector part(const Vector& v, std::size_t first, std::size_t count) {
  return {v.begin() + static_cast<std::ptrdiff_t>(first),
          v.begin() + static_cast<std::ptrdiff_t>(first + count)};
}
void finish(StepScore& score, const Vector& logits, std::size_t chosen) {
  double total = 0;
  for (const double l : logits) total += std::exp(l);
  if (chosen < logits.size()) score.log_probability = logits[chosen] - std::log(total);
  score.logits.assign(logits.begin(), logits.end());
}

}  // namespace

Vector ReferenceModel::vector(const std::string& name) const {
  const auto values = w_.tensor(name);
  return {values.begin(), values.end()};
}

Vector ReferenceModel::linear(const std::string& name, const Vector& x, bool bias) const {
  const auto weight = w_.tensor(name + ".weight");
  Vector y(weight.size() / x.size());
  for (std::size_t o = 0; o < y.size(); ++o) {
    y[o] = bias ? w_.tensor(name + ".bias")[o] : 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) y[o] += weight[o * x.size() + i] * x[i];
  }
  return y;
}

Vector ReferenceModel::norm(const std::string& name, const Vector& x) const {
  const double scale = 1 / std::sqrt(dot(x, x) / static_cast<double>(x.size()) + 1e-5);
  Vector y = vector(name + ".weight");
  for (std::size_t i = 0; i < x.size(); ++i) y[i] *= x[i] * scale;
  return y;
}

void ReferenceModel::feed_forward(const std::string& layer, Vector& x) const {
  Vector wide = linear(layer + "ffn_up", norm(layer + "ffn_norm", x), true);
  for (double& v : wide) v = silu(v);
  add(x, linear(layer + "ffn_down", wide, true));
}

void ReferenceModel::scan(const std::string& layer, std::vector<Vector>& x) const {
  const std::size_t inner = c_.inner(), rank = c_.dt_rank(), depth = kState;
  const Vector conv = vector(layer + "conv.weight"), bias = vector(layer + "conv.bias"),
               a_log = vector(layer + "a_log"), skip = vector(layer + "skip");
  std::vector<Vector> u;
  Vector h(inner * depth, 0.0);
  for (Vector& token : x) {
    const Vector both = linear(layer + "in", norm(layer + "norm", token), false);
    u.push_back(part(both, 0, inner));
    Vector v(inner), y(inner);
    for (std::size_t c = 0; c < inner; ++c) {
      double sum = bias[c];
      for (std::size_t k = 0; k < kConv && k < u.size(); ++k) {
        sum += conv[c * kConv + kConv - 1 - k] * u[u.size() - 1 - k][c];
      }
      v[c] = silu(sum);
    }
    const Vector rbc = linear(layer + "x", v, false);
    const Vector dt = linear(layer + "dt", part(rbc, 0, rank), true);
    for (std::size_t c = 0; c < inner; ++c) {
      const double step = softplus(dt[c]);
      y[c] = skip[c] * v[c];
      for (std::size_t s = 0; s < depth; ++s) {
        double& state = h[c * depth + s];
        state =
            std::exp(-step * std::exp(a_log[c * depth + s])) * state + step * rbc[rank + s] * v[c];
        y[c] += rbc[rank + depth + s] * state;
      }
      y[c] *= silu(both[inner + c]);
    }
    add(token, linear(layer + "out", y, false));
  }
}

void ReferenceModel::lti(const std::string& layer, std::vector<Vector>& x) const {
  const std::size_t inner = c_.inner(), depth = kState;
  const Vector conv = vector(layer + "conv.weight"), bias = vector(layer + "conv.bias"),
               a_log = vector(layer + "a_log"), skip = vector(layer + "skip"),
               log_dt = vector(layer + "log_dt"), weight = vector(layer + "c");
  std::vector<Vector> u;
  Vector h(inner * depth, 0.0);
  for (Vector& token : x) {
    const Vector both = linear(layer + "in", norm(layer + "norm", token), false);
    u.push_back(part(both, 0, inner));
    Vector y(inner);
    for (std::size_t c = 0; c < inner; ++c) {
      double sum = bias[c];
      for (std::size_t k = 0; k < kConv && k < u.size(); ++k) {
        sum += conv[c * kConv + kConv - 1 - k] * u[u.size() - 1 - k][c];
      }
      const double v = silu(sum);
      y[c] = skip[c] * v;
      for (std::size_t s = 0; s < depth; ++s) {
        const double rate = -std::exp(a_log[c * depth + s]);
        const double a = std::exp(std::exp(log_dt[c]) * rate);
        double& state = h[c * depth + s];
        state = a * state + (a - 1) / rate * v;
        y[c] += weight[c * depth + s] * state;
      }
      y[c] *= silu(both[inner + c]);
    }
    add(token, linear(layer + "out", y, false));
  }
}

void ReferenceModel::attention(const std::string& layer, std::vector<Vector>& x,
                               bool causal) const {
  const std::size_t dim = x[0].size(), heads = c_.heads, width = dim / heads;
  std::vector<Vector> qkv;
  for (const Vector& token : x)
    qkv.push_back(linear(layer + "qkv", norm(layer + "norm", token), false));
  for (std::size_t t = 0; t < x.size(); ++t) {
    Vector out(dim, 0.0);
    const std::size_t seen = causal ? t + 1 : x.size();
    for (std::size_t head = 0; head < heads; ++head) {
      const Vector q = part(qkv[t], head * width, width);
      Vector p(seen);
      double total = 0;
      for (std::size_t j = 0; j < seen; ++j) {
        p[j] = std::exp(dot(q, part(qkv[j], dim + head * width, width)) /
                        std::sqrt(static_cast<double>(width)));
        total += p[j];
      }
      for (std::size_t j = 0; j < seen; ++j) {
        for (std::size_t d = 0; d < width; ++d) {
          out[head * width + d] += p[j] / total * qkv[j][2 * dim + head * width + d];
        }
      }
    }
    add(x[t], linear(layer + "attn_out", out, false));
  }
}

std::vector<Vector> ReferenceModel::encode(const std::vector<Vector>& features) const {
  std::vector<Vector> x;
  for (const Vector& f : features) x.push_back(linear("input", f, true));
  for (std::size_t l = 0; l < c_.encoder_layers; ++l) {
    const std::string layer = "encoder." + std::to_string(l) + ".";
    if (c_.backbone == Backbone::transformer) {
      attention(layer, x, false);
    } else {
      scan(layer, x);
    }
    if (c_.ffn) {
      for (Vector& token : x) feed_forward(layer, token);
    }
  }
  for (Vector& token : x) token = norm("encoder.norm", token);
  return x;
}

std::vector<Vector> ReferenceModel::decode(std::vector<Vector> z) const {
  for (std::size_t l = 0; l < c_.decoder_layers; ++l) {
    const std::string layer = "decoder." + std::to_string(l) + ".";
    if (c_.backbone == Backbone::transformer) {
      attention(layer, z, true);
    } else {
      lti(layer, z);
    }
    if (c_.ffn) {
      for (Vector& token : z) feed_forward(layer, token);
    }
  }
  for (Vector& token : z) token = norm("decoder.norm", token);
  return z;
}

std::vector<StepScore> ReferenceModel::score_path(const Instance& instance,
                                                  const Solution& solution) const {
  const bool cvrp = instance.kind == ProblemKind::cvrp;
  const auto order = canonical_order(instance, c_.ordering);
  double left = 1e300, right = -1e300, bottom = 1e300, top = -1e300;
  for (const Point& p : instance.points) {
    left = std::min(left, p.x), right = std::max(right, p.x);
    bottom = std::min(bottom, p.y), top = std::max(top, p.y);
  }
  const double side = std::max(right - left, top - bottom);
  const auto capacity = static_cast<double>(instance.capacity);
  std::vector<Vector> features;
  std::vector<std::size_t> position(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) {
    const std::size_t node = order[p].index();
    position[node] = p;
    features.push_back(
        {(instance.points[node].x - left) / side, (instance.points[node].y - bottom) / side});
    if (cvrp) {
      features.back().push_back(static_cast<double>(instance.demands[node]) / capacity);
      features.back().push_back(node == 0 ? 1.0 : 0.0);
    }
  }
  const std::vector<Vector> h = encode(features);
  Vector g(c_.dim, 0.0);
  for (const Vector& token : h) add(g, token);
  for (double& v : g) v /= static_cast<double>(h.size());

  // Steps: TSP every node; CVRP everything between the first and the last depot.
  std::vector<Vector> z;
  std::vector<std::int64_t> loads;
  std::int64_t load = instance.capacity;
  const std::size_t first = cvrp ? 1 : 0, last = solution.sequence.size() - (cvrp ? 1 : 0);
  for (std::size_t t = first; t < last; ++t) {
    const bool start = t == first;
    const std::size_t previous = start ? 0 : solution.sequence[t - 1].index();
    Vector input = start ? vector("start") : h[position[previous]];
    add(input, g);
    if (cvrp) {
      if (!start) load = previous == 0 ? instance.capacity : load - instance.demands[previous];
      add(input, linear("dynamic",
                        {static_cast<double>(load) / capacity, previous == 0 ? 1.0 : 0.0}, false));
    }
    loads.push_back(load);
    z.push_back(input);
  }
  const std::vector<Vector> s = decode(z);

  std::vector<StepScore> scores;
  std::vector<bool> visited(order.size(), false);
  if (!cvrp) visited[solution.sequence[0].index()] = true;
  for (std::size_t t = 1; t < last; ++t) {
    const std::size_t step = t - first;
    StepScore& score = scores.emplace_back();
    score.node = solution.sequence[t];
    const Vector query = linear("query", s[step], false);
    Vector logits;
    std::size_t chosen = order.size();
    for (std::size_t p = 0; p < order.size(); ++p) {
      const std::size_t node = order[p].index();
      const bool depot = cvrp && node == 0;
      const bool feasible =
          depot ? solution.sequence[t - 1] != kDepot
                : !visited[node] && (!cvrp || instance.demands[node] <= loads[step]);
      if (!feasible) continue;
      if (order[p] == score.node) chosen = logits.size();
      score.choices.push_back(order[p]);
      logits.push_back(dot(query, linear("key", h[p], false)) /
                           std::sqrt(static_cast<double>(c_.dim)) +
                       dot(vector("node_bias.weight"), h[p]));
    }
    visited[score.node.index()] = true;
    finish(score, logits, chosen);
  }
  return scores;
}

Weights shaken_weights(const ModelConfig& config, std::uint64_t seed) {
  Weights weights = random_weights(config, seed);
  std::uint64_t stream = 1000;
  for (const TensorSpec& spec : weights.specs()) {
    Rng rng(seed, stream++);
    for (float& value : weights.tensor(spec.name)) {
      value += static_cast<float>(rng.uniform(-0.1, 0.1));
    }
  }
  return weights;
}

}  // namespace eco::testing
