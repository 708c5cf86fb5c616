#!/usr/bin/env python3
"""Turns a checkpoint of the Attention Model (github.com/wouterkool/attention-learn-to-route) for the
TSP or the CVRP into a weights file of eco.

    scripts/import_am.py pretrained/tsp_100/epoch-99.pt am-tsp100.safetensors
    eco eval tsp100.txt --weights am-tsp100.safetensors

Reads PyTorch's files, the older and the zipped kind, with nothing but Python: of what is pickled in
them only tensors and dictionaries come to life. args.json beside the checkpoint says which problem
it is for and how it was made; without it --problem has to.
"""

import argparse
import array
import collections
import io
import json
import os
import pickle
import struct
import sys
import zipfile

MAGIC = 0x1950A86A20F9469CFC6C  # first pickle of the older kind
ITEM = {"FloatStorage": "f", "DoubleStorage": "d", "LongStorage": "q", "IntStorage": "i", "ByteStorage": "B"}


class Refused(Exception):
    pass


class Storage:
    """Numbers of one storage; `values` comes when the data has been read."""

    def __init__(self, kind):
        self.kind, self.values = kind, None

    def read(self, data):
        if self.kind not in ITEM:
            return  # half precision and the like, in parts that we do not need
        self.values = array.array(ITEM[self.kind])
        self.values.frombytes(data)
        if sys.byteorder == "big":
            self.values.byteswap()


class Tensor:
    def __init__(self, storage, offset, size, stride):
        self.storage, self.offset, self.shape, self.stride = storage, offset, tuple(size), tuple(stride)

    def numbers(self):
        """All of them, the last index running fastest."""
        if self.storage.values is None:
            raise Refused(f"a tensor of type {self.storage.kind}, expected 32-bit numbers")
        at = [self.offset]
        for extent, step in zip(self.shape, self.stride):
            at = [base + i * step for base in at for i in range(extent)]
        return [self.storage.values[i] for i in at]


class Anything:
    """Stands for every class that is none of our business (optimisers, data sets, modules)."""

    def __init__(self, *args, **kwargs):
        pass

    def __setstate__(self, state):
        pass

    def __setitem__(self, key, value):
        pass

    def append(self, value):
        pass

    def extend(self, values):
        pass


class Reader(pickle.Unpickler):
    def __init__(self, file, storage):
        super().__init__(file, encoding="utf-8")
        self.storage = storage  # (key, kind) -> Storage

    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if module == "torch._utils" and name in ("_rebuild_tensor", "_rebuild_tensor_v2"):
            return lambda storage, offset, size, stride, *rest: Tensor(storage, offset, size, stride)
        if (module, name) == ("torch._utils", "_rebuild_parameter"):
            return lambda tensor, *rest: tensor
        return type(name, (Anything,), {})

    def persistent_load(self, pid):
        if pid[0] != "storage":
            return pid[1]  # the older kind keeps sources of classes beside them
        return self.storage(str(pid[2]), pid[1].__name__)


def read_zipped(path):
    with zipfile.ZipFile(path) as file:
        root = next((name[: -len("data.pkl")] for name in file.namelist() if name.endswith("data.pkl")), None)
        if root is None:
            raise Refused("a zip file without data.pkl, expected a PyTorch checkpoint")
        storages = {}

        def storage(key, kind):
            if key not in storages:
                storages[key] = Storage(kind)
                storages[key].read(file.read(f"{root}data/{key}"))
            return storages[key]

        return Reader(io.BytesIO(file.read(root + "data.pkl")), storage).load()


def read_older(path):
    storages = {}

    def storage(key, kind):
        return storages.setdefault(key, Storage(kind))

    with open(path, "rb") as file:
        if Reader(file, storage).load() != MAGIC:
            raise Refused("no PyTorch checkpoint")
        Reader(file, storage).load()  # version
        Reader(file, storage).load()  # sizes of types
        content = Reader(file, storage).load()
        for key in Reader(file, storage).load():
            one = storages[str(key)]
            (count,) = struct.unpack("<q", file.read(8))
            width = array.array(ITEM[one.kind]).itemsize if one.kind in ITEM else 2
            data = file.read(count * width)
            if len(data) != count * width:
                raise Refused("the file ends in the middle of a tensor")
            one.read(data)
        return content


def read_checkpoint(path):
    try:
        content = read_zipped(path) if zipfile.is_zipfile(path) else read_older(path)
    except (pickle.UnpicklingError, EOFError, struct.error, ValueError, KeyError, IndexError) as error:
        raise Refused(f"no PyTorch checkpoint that can be read ({error})") from error
    model = content.get("model") if isinstance(content, dict) else None
    if not isinstance(model, dict):
        raise Refused("holds no 'model', expected a checkpoint of attention-learn-to-route")
    return model


class Model:
    """The tensors of the Attention Model, by the names and shapes that its code gives them."""

    def __init__(self, tensors):
        self.tensors, self.used = tensors, set()

    def take(self, name, *shape):
        if name not in self.tensors:
            raise Refused(f"lacks {name}")
        self.used.add(name)
        tensor = self.tensors[name]
        if shape and tensor.shape != shape:
            raise Refused(f"{name} has the shape {list(tensor.shape)}, expected {list(shape)}")
        return tensor.numbers()

    def shape(self, name):
        if name not in self.tensors:
            raise Refused(f"lacks {name}")
        return self.tensors[name].shape

    def rest(self):
        return [n for n in self.tensors if n not in self.used and not n.endswith("num_batches_tracked")]


def columns(matrix, width, first, count):
    """Columns first .. first + count of a matrix of rows of `width` numbers."""
    return [matrix[row + i] for row in range(0, len(matrix), width) for i in range(first, first + count)]


def convert(model, problem, norm):
    dim = model.shape("init_embed.weight")[0]
    heads, _, head = model.shape("embedder.layers.0.0.module.W_query")
    layers = 1 + max(int(n.split(".")[2]) for n in model.tensors if n.startswith("embedder.layers."))
    hidden = model.shape("embedder.layers.0.2.module.0.weight")[0]
    out = {}

    def put(name, shape, numbers):
        out[name] = (shape, numbers)

    if problem == "tsp":
        put("input.weight", [dim, 2], model.take("init_embed.weight", dim, 2))
        put("input.bias", [dim], model.take("init_embed.bias", dim))
    else:
        # One matrix over [x, y, demand, is depot, depot's x, depot's y]; the depot has 0 in the first three.
        customer, b = model.take("init_embed.weight", dim, 3), model.take("init_embed.bias", dim)
        depot, c = model.take("init_embed_depot.weight", dim, 2), model.take("init_embed_depot.bias", dim)
        rows = [customer[3 * i : 3 * i + 3] + [c[i] - b[i]] + depot[2 * i : 2 * i + 2] for i in range(dim)]
        put("input.weight", [dim, 6], sum(rows, []))
        put("input.bias", [dim], b)

    for i in range(layers):
        theirs, ours = f"embedder.layers.{i}.", f"encoder.{i}."
        qkv = []
        for name in ("W_query", "W_key", "W_val"):  # [heads, dim, head] -> rows [heads * head, dim]
            w = model.take(theirs + "0.module." + name, heads, dim, head)
            qkv += [w[(h * dim + d) * head + k] for h in range(heads) for k in range(head) for d in range(dim)]
        put(ours + "qkv.weight", [3 * dim, dim], qkv)
        w = model.take(theirs + "0.module.W_out", heads, head, dim)  # [heads, head, dim] -> its transpose
        put(ours + "attn_out.weight", [dim, dim], [w[k * dim + d] for d in range(dim) for k in range(heads * head)])
        put(ours + "ffn_up.weight", [hidden, dim], model.take(theirs + "2.module.0.weight", hidden, dim))
        put(ours + "ffn_up.bias", [hidden], model.take(theirs + "2.module.0.bias", hidden))
        put(ours + "ffn_down.weight", [dim, hidden], model.take(theirs + "2.module.2.weight", dim, hidden))
        put(ours + "ffn_down.bias", [dim], model.take(theirs + "2.module.2.bias", dim))
        for place, name in (("1", "norm"), ("3", "ffn_norm")):
            parts = [("weight", "weight"), ("bias", "bias")]
            if norm == "batch":
                parts += [("running_mean", "mean"), ("running_var", "variance")]
            for their, our in parts:
                put(f"{ours}{name}.{our}", [dim], model.take(f"{theirs}{place}.normalizer.{their}", dim))

    if problem == "tsp":
        step = model.take("project_step_context.weight", dim, 2 * dim)
        start = model.take("W_placeholder", 2 * dim)
        put("context.first.weight", [dim, dim], columns(step, 2 * dim, 0, dim))
        put("context.last.weight", [dim, dim], columns(step, 2 * dim, dim, dim))
        put("start", [dim], [sum(a * b for a, b in zip(step[2 * dim * i :], start)) for i in range(dim)])
    else:
        step = model.take("project_step_context.weight", dim, dim + 1)
        put("context.last.weight", [dim, dim], columns(step, dim + 1, 0, dim))
        put("context.room", [dim], columns(step, dim + 1, dim, 1))
    put("context.graph.weight", [dim, dim], model.take("project_fixed_context.weight", dim, dim))
    nodes = model.take("project_node_embeddings.weight", 3 * dim, dim)
    for i, name in enumerate(("glimpse.key.weight", "glimpse.value.weight", "key.weight")):
        put(name, [dim, dim], nodes[i * dim * dim : (i + 1) * dim * dim])
    put("glimpse.out.weight", [dim, dim], model.take("project_out.weight", dim, dim))

    if model.rest():
        raise Refused(f"holds {model.rest()[0]}, which the Attention Model of the {problem.upper()} does not have")
    if hidden % dim != 0:
        raise Refused(f"a hidden layer of {hidden} numbers, expected a multiple of {dim}")
    config = {"problem": problem, "constructor": "sequential", "backbone": "transformer", "norm": norm,
              "decoder": "am", "ffn": "true", "dim": dim, "encoder_layers": layers,
              "ffn_ratio": hidden // dim, "heads": heads}
    return config, out


def write(path, config, tensors, source):
    metadata = {key: str(value) for key, value in config.items()}
    metadata.update({"eco.format": "1", "import.source": os.path.basename(source)})
    header, data = {"__metadata__": metadata}, bytearray()
    for name, (shape, numbers) in tensors.items():
        begin = len(data)
        data += struct.pack(f"<{len(numbers)}f", *numbers)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, len(data)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + 8) % 64)
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text + data)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def settings(path, problem):
    """Problem and norm: from args.json beside the checkpoint, where there is one."""
    beside = os.path.join(os.path.dirname(path) or ".", "args.json")
    args = {}
    if os.path.exists(beside):
        with open(beside, encoding="utf-8") as file:
            try:
                args = json.load(file)
            except ValueError as error:
                raise Refused(f"{beside} is no JSON ({error})") from error
    said = args.get("problem", problem)
    if said is None:
        raise Refused("no args.json beside it: say --problem tsp or --problem cvrp")
    if problem not in (None, said):
        raise Refused(f"args.json says problem {said}, --problem says {problem}")
    if said not in ("tsp", "cvrp"):
        raise Refused(f"made for problem {said}, expected tsp or cvrp")
    if args.get("tanh_clipping", 10) != 10:
        raise Refused(f"logits clipped at {args['tanh_clipping']}, expected 10")
    if args.get("model", "attention") != "attention":
        raise Refused(f"a model of kind {args['model']}, expected attention")
    norm = args.get("normalization", "batch")
    if norm not in ("batch", "instance"):
        raise Refused(f"normalization {norm}, expected batch or instance")
    return said, norm


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", help="epoch-99.pt and the like")
    parser.add_argument("out", help="weights file to write")
    parser.add_argument("--problem", choices=("tsp", "cvrp"))
    options = parser.parse_args()
    try:
        problem, norm = settings(options.checkpoint, options.problem)
        config, tensors = convert(Model(read_checkpoint(options.checkpoint)), problem, norm)
        write(options.out, config, tensors, options.checkpoint)
    except Refused as error:
        print(f"import_am: {options.checkpoint}: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"import_am: {error}", file=sys.stderr)
        return 4 if error.filename and str(error.filename).startswith(options.out) else 3
    count = sum(len(numbers) for _, numbers in tensors.values())
    print(f"{options.out}: Attention Model of the {problem.upper()}, {count} numbers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
