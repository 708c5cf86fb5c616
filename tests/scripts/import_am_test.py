"""usage: import_am_test.py IMPORTER ECO

Makes checkpoints of the Attention Model in its own layout, both kinds of PyTorch file, without
PyTorch; what eco builds from the imported weights must be the tours of the same network written
here in plain Python.
"""

import array
import collections
import json
import math
import os
import pickle
import random
import struct
import subprocess
import sys
import tempfile
import types
import unittest
import zipfile

IMPORTER, ECO = sys.argv[1:3]
DIM, HEADS, LAYERS, HIDDEN = 16, 2, 2, 32
HEAD = DIM // HEADS


# PyTorch's names, for the pickles to refer to.
def _rebuild_tensor_v2(*args):
    raise AssertionError("only named in files")


class FloatStorage:
    def __init__(self, key, values):
        self.key, self.values = key, values


class LongStorage(FloatStorage):
    pass


class Unrelated:
    """Something of the trainer's that a checkpoint holds beside the model."""

    def __init__(self):
        self.learning = {"rate": 1e-4}


for name, members in {"torch": [FloatStorage, LongStorage], "torch._utils": [_rebuild_tensor_v2], "nets": [Unrelated]}.items():
    module = sys.modules[name] = types.ModuleType(name)
    for member in members:
        member.__module__ = name
        setattr(module, member.__name__, member)
sys.modules["torch"]._utils = sys.modules["torch._utils"]


class Tensor:
    def __init__(self, storage, shape):
        self.storage, self.shape = storage, shape

    def __reduce__(self):
        strides = [math.prod(self.shape[i + 1 :]) for i in range(len(self.shape))]
        return _rebuild_tensor_v2, (self.storage, 0, tuple(self.shape), tuple(strides), False, collections.OrderedDict())


class Pickler(pickle.Pickler):
    def __init__(self, file, older):
        super().__init__(file, protocol=2)
        self.older = older

    def persistent_id(self, value):
        if not isinstance(value, FloatStorage):
            return None
        end = (None,) if self.older else ()
        return ("storage", type(value), value.key, "cpu", len(value.values)) + end


def storage_bytes(storage):
    return array.array("q" if isinstance(storage, LongStorage) else "f", storage.values).tobytes()


def write_checkpoint(path, model, older):
    content = {"model": model, "optimizer": Unrelated(), "baseline": {"epoch": 3}}
    storages = [tensor.storage for tensor in model.values()]
    if older:
        with open(path, "wb") as file:
            for header in (0x1950A86A20F9469CFC6C, 1001, {"protocol_version": 1001, "little_endian": True}):
                pickle.dump(header, file, protocol=2)
            Pickler(file, older).dump(content)
            pickle.dump([storage.key for storage in storages], file, protocol=2)
            for storage in storages:
                file.write(struct.pack("<q", len(storage.values)) + storage_bytes(storage))
        return
    with zipfile.ZipFile(path, "w") as file:
        with file.open("archive/data.pkl", "w") as out:
            Pickler(out, older).dump(content)
        for storage in storages:
            file.writestr(f"archive/data/{storage.key}", storage_bytes(storage))


def random_model(problem, seed):
    """State dictionary by the names of the Attention Model."""
    rng = random.Random(seed)
    model = collections.OrderedDict()

    def add(name, *shape, low=-0.4, high=0.4):  # small enough that no logit meets its bound
        values = [struct.unpack("f", struct.pack("f", rng.uniform(low, high)))[0] for _ in range(math.prod(shape))]
        model[name] = Tensor(FloatStorage(str(len(model)), values), shape)

    if problem == "tsp":
        add("W_placeholder", 2 * DIM)
    else:
        add("init_embed_depot.weight", DIM, 2)
        add("init_embed_depot.bias", DIM)
    add("init_embed.weight", DIM, 2 if problem == "tsp" else 3)
    add("init_embed.bias", DIM)
    for i in range(LAYERS):
        layer = f"embedder.layers.{i}."
        for w in ("W_query", "W_key", "W_val"):
            add(layer + "0.module." + w, HEADS, DIM, HEAD)
        add(layer + "0.module.W_out", HEADS, HEAD, DIM)
        for norm in ("1", "3"):
            add(layer + norm + ".normalizer.weight", DIM, low=0.5, high=1.5)
            add(layer + norm + ".normalizer.bias", DIM)
            add(layer + norm + ".normalizer.running_mean", DIM)
            add(layer + norm + ".normalizer.running_var", DIM, low=0.2, high=2)
            model[layer + norm + ".normalizer.num_batches_tracked"] = Tensor(LongStorage(str(len(model)), [7]), ())
        add(layer + "2.module.0.weight", HIDDEN, DIM)
        add(layer + "2.module.0.bias", HIDDEN)
        add(layer + "2.module.2.weight", DIM, HIDDEN)
        add(layer + "2.module.2.bias", DIM)
    add("project_node_embeddings.weight", 3 * DIM, DIM)
    add("project_fixed_context.weight", DIM, DIM)
    add("project_step_context.weight", DIM, 2 * DIM if problem == "tsp" else DIM + 1)
    add("project_out.weight", DIM, DIM)
    return model


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def softmax(values):
    e = [math.exp(v - max(values)) for v in values]
    return [v / sum(e) for v in e]


class AttentionModel:
    """The network of Kool et al. (2019) by its equations, greedy."""

    def __init__(self, model):
        self.w = {name: tensor.storage.values for name, tensor in model.items()}

    def linear(self, name, x):
        w = self.w[name + ".weight"]
        bias = self.w.get(name + ".bias", [0] * (len(w) // len(x)))
        return [dot(w[i * len(x) : (i + 1) * len(x)], x) + b for i, b in enumerate(bias)]

    def norm(self, name, x):
        p = {part: self.w[f"{name}.normalizer.{part}"] for part in ("weight", "bias", "running_mean", "running_var")}
        return [(v - m) / math.sqrt(s + 1e-5) * a + b
                for v, m, s, a, b in zip(x, p["running_mean"], p["running_var"], p["weight"], p["bias"])]

    def attention(self, name, h):
        out = [[0.0] * DIM for _ in h]
        for head in range(HEADS):
            def rows(part):
                w = self.w[f"{name}.W_{part}"][head * DIM * HEAD : (head + 1) * DIM * HEAD]
                return [[sum(x[d] * w[d * HEAD + k] for d in range(DIM)) for k in range(HEAD)] for x in h]

            q, k, v = rows("query"), rows("key"), rows("val")
            w_out = self.w[f"{name}.W_out"][head * HEAD * DIM : (head + 1) * HEAD * DIM]
            for i in range(len(h)):
                a = softmax([dot(q[i], one) / math.sqrt(HEAD) for one in k])
                seen = [sum(a[j] * v[j][c] for j in range(len(h))) for c in range(HEAD)]
                for d in range(DIM):
                    out[i][d] += sum(seen[c] * w_out[c * DIM + d] for c in range(HEAD))
        return out

    def encode(self, h):
        for i in range(LAYERS):
            layer = f"embedder.layers.{i}."
            h = [self.norm(layer + "1", [a + b for a, b in zip(x, y)]) for x, y in zip(h, self.attention(layer + "0.module", h))]
            wide = [[max(v, 0) for v in self.linear(layer + "2.module.0", x)] for x in h]
            h = [self.norm(layer + "3", [a + b for a, b in zip(x, self.linear(layer + "2.module.2", y))]) for x, y in zip(h, wide)]
        return h

    def prepare(self, h):
        self.h = h
        self.graph = self.linear("project_fixed_context", [sum(c) / len(h) for c in zip(*h)])
        self.nodes = [self.linear("project_node_embeddings", x) for x in h]

    def logits(self, context, feasible):
        query = [a + b for a, b in zip(self.graph, self.linear("project_step_context", context))]
        seen = []
        for head in range(HEADS):
            part = slice(head * HEAD, (head + 1) * HEAD)
            a = softmax([dot(query[part], self.nodes[j][:DIM][part]) / math.sqrt(HEAD) for j in feasible])
            seen += [sum(w * self.nodes[j][DIM : 2 * DIM][part][c] for w, j in zip(a, feasible)) for c in range(HEAD)]
        glimpse = self.linear("project_out", seen)
        return [10 * math.tanh(dot(glimpse, self.nodes[j][2 * DIM :]) / math.sqrt(DIM)) for j in feasible]

    def best(self, context, feasible):
        logits = self.logits(context, feasible)
        return feasible[logits.index(max(logits))]

    def tour(self, points):
        self.prepare(self.encode([self.linear("init_embed", p) for p in points]))
        tour = [self.best(self.w["W_placeholder"], list(range(len(points))))]
        while len(tour) < len(points):
            left = [j for j in range(len(points)) if j not in tour]
            tour.append(self.best(self.h[tour[0]] + self.h[tour[-1]], left))
        return tour

    def routes(self, points, demands, capacity):
        first = self.linear("init_embed_depot", points[0])
        rest = [self.linear("init_embed", p + [d / capacity]) for p, d in zip(points[1:], demands[1:])]
        self.prepare(self.encode([first] + rest))
        left, sequence, room = set(range(1, len(points))), [0], capacity
        while left:
            feasible = ([0] if sequence[-1] != 0 else []) + sorted(j for j in left if demands[j] <= room)
            node = self.best(self.h[sequence[-1]] + [room / capacity], feasible)
            room = capacity if node == 0 else room - demands[node]
            left.discard(node)
            sequence.append(node)
        return sequence


def split(sequence):
    routes, route = [], []
    for node in sequence + [0]:
        if node == 0 and route:
            routes.append(route)
            route = []
        elif node != 0:
            route.append(node)
    return routes


class ImportTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_import(self, *args):
        return subprocess.run([sys.executable, IMPORTER, *args], capture_output=True, text=True, check=False)

    def weights(self, problem, model, older):
        write_checkpoint(self.path("epoch-9.pt"), model, older)
        with open(self.path("args.json"), "w", encoding="utf-8") as file:
            json.dump({"problem": problem, "tanh_clipping": 10.0, "normalization": "batch", "model": "attention"}, file)
        done = self.run_import(self.path("epoch-9.pt"), self.path("am.safetensors"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.path("am.safetensors")

    def solve(self, instance, weights, out):
        done = subprocess.run([ECO, "solve", instance, "--method", "policy", "--weights", weights, "--out", out, "--quiet"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(out, encoding="utf-8") as file:
            return file.read()

    def test_tsp_gives_the_greedy_tour_of_the_model(self):
        for older in (True, False):
            model = random_model("tsp", 5)
            weights = self.weights("tsp", model, older)
            for seed in range(3):
                rng = random.Random(seed)
                points = [[0.0, 0.0], [1.0, 1.0]] + [[rng.random(), rng.random()] for _ in range(11)]
                with open(self.path("some.tsp"), "w", encoding="utf-8") as file:
                    file.write("TYPE: TSP\nDIMENSION: 13\nEDGE_WEIGHT_TYPE: EXACT_2D\nNODE_COORD_SECTION\n")
                    file.writelines(f"{i + 1} {x!r} {y!r}\n" for i, (x, y) in enumerate(points))
                    file.write("EOF\n")
                text = self.solve(self.path("some.tsp"), weights, self.path("some.tour"))
                tour = [int(v) - 1 for v in text.split("TOUR_SECTION")[1].split("-1")[0].split()]
                self.assertEqual(tour, AttentionModel(model).tour(points))

    def test_cvrp_gives_the_greedy_routes_of_the_model(self):
        model = random_model("cvrp", 8)
        weights = self.weights("cvrp", model, older=True)
        for seed in range(3):
            rng = random.Random(seed)
            points = [[0.5, 0.5], [0.0, 0.0], [1.0, 1.0]] + [[rng.random(), rng.random()] for _ in range(10)]
            demands = [0] + [rng.randint(1, 9) for _ in range(12)]
            with open(self.path("some.vrp"), "w", encoding="utf-8") as file:
                file.write("TYPE: CVRP\nDIMENSION: 13\nCAPACITY: 20\nEDGE_WEIGHT_TYPE: EXACT_2D\nNODE_COORD_SECTION\n")
                file.writelines(f"{i + 1} {x!r} {y!r}\n" for i, (x, y) in enumerate(points))
                file.write("DEMAND_SECTION\n")
                file.writelines(f"{i + 1} {d}\n" for i, d in enumerate(demands))
                file.write("DEPOT_SECTION\n1\n-1\nEOF\n")
            text = self.solve(self.path("some.vrp"), weights, self.path("some.sol"))
            routes = [[int(v) for v in line.split(":")[1].split()] for line in text.splitlines() if line.startswith("Route")]
            self.assertEqual(routes, split(AttentionModel(model).routes(points, demands, 20)))

    def refused(self, *args):
        done = self.run_import(*args, self.path("none.safetensors"))
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertFalse(os.path.exists(self.path("none.safetensors")))
        return done.stderr

    def test_what_is_no_such_model_is_refused(self):
        self.weights("tsp", random_model("tsp", 1), older=True)
        with open(self.path("epoch-9.pt"), "rb") as file:
            whole = file.read()
        with open(self.path("short.pt"), "wb") as file:
            file.write(whole[: len(whole) // 2])
        self.assertIn("short.pt", self.refused(self.path("short.pt")))
        with open(self.path("text.pt"), "w", encoding="utf-8") as file:
            file.write("no checkpoint\n")
        self.assertIn("no PyTorch checkpoint", self.refused(self.path("text.pt")))
        lacking = random_model("tsp", 1)
        del lacking["project_out.weight"]
        write_checkpoint(self.path("lacking.pt"), lacking, older=False)
        self.assertIn("lacks project_out.weight", self.refused(self.path("lacking.pt")))
        self.assertIn("--problem says cvrp", self.refused(self.path("epoch-9.pt"), "--problem", "cvrp"))
        with open(self.path("args.json"), "w", encoding="utf-8") as file:
            json.dump({"problem": "op"}, file)
        self.assertIn("problem op", self.refused(self.path("epoch-9.pt")))
        os.remove(self.path("args.json"))
        self.assertIn("say --problem", self.refused(self.path("epoch-9.pt")))

    def test_nothing_but_tensors_and_dictionaries_comes_to_life(self):
        with open(self.path("args.json"), "w", encoding="utf-8") as file:
            json.dump({"problem": "tsp"}, file)
        class Evil:
            def __reduce__(self):
                return os.system, ("touch " + victim,)
        victim = self.path("touched")
        with zipfile.ZipFile(self.path("evil.pt"), "w") as file:
            file.writestr("archive/data.pkl", pickle.dumps({"model": Evil()}, protocol=2))
        self.refused(self.path("evil.pt"))
        self.assertFalse(os.path.exists(victim))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
