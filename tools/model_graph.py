"""Writes memctl/bundled_graph.onnx: how ONNX Runtime computes the bundled embedding model fastest.

The model's own file lists small operations as PyTorch exported them. This graph computes the same
numbers from the same weights with the larger operations that ONNX Runtime has for transformers
(attention, Gelu, matrix products with their bias), looks words up in the 8-bit table instead of
unpacking it, and drops what cannot happen. It holds no weights: each is a span of the model's file,
which has to lie beside it. Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional
Transformers for Language Understanding", describes the architecture.

    python tools/model_graph.py [--check]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from memctl.bundled_model import GRAPH, MODEL_FILE, bundled_weights

LAYERS = 6
HEADS = 12
DIMENSION = 384
NORMALISATION_EPSILON = 1e-12

OPSET = 20
"""The first with Gelu."""

OPSET_OF_RUNTIME = 1
RUNTIME_DOMAIN = "com.microsoft"
INTERMEDIATE_REPRESENTATION = 9

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUT = "last_hidden_state"


class Graph:
    """Nodes and initializers as they are put together; values go by their names."""

    def __init__(self, weights: Path) -> None:
        self._bytes = weights.read_bytes()
        model = onnx.load_model_from_string(self._bytes)
        self._weights = {tensor.name: tensor for tensor in model.graph.initializer}
        self.matrices = [
            node.input[1]
            for node in model.graph.node
            if node.op_type == "MatMul" and f"{node.input[1]}_q" in self._weights
        ]
        """Names of the weight matrices in the order in which they are multiplied with: for each
        layer query, key, value, what joins the heads, and the two of the feed-forward network."""
        self._nodes: list[onnx.NodeProto] = []
        self._initializers: dict[str, TensorProto] = {}

    def node(self, operation: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """The name of the node's one output."""
        output = f"{operation.lower()}_{len(self._nodes)}"
        self._nodes.append(
            helper.make_node(operation, inputs, [output], output, domain=domain, **attributes)
        )
        return output

    def integers(self, name: str, values: list[int]) -> str:
        array: NDArray[np.int64] = np.array(values, dtype=np.int64)
        self._initializers[name] = numpy_helper.from_array(array, name)
        return name

    def weight(self, name: str) -> str:
        """A tensor of the model's file, by its place there."""
        stored = self._weights[name]
        tensor = TensorProto(
            name=name,
            data_type=stored.data_type,
            dims=stored.dims,
            data_location=TensorProto.EXTERNAL,
        )
        place = {
            "location": MODEL_FILE,
            "offset": str(self._bytes.index(stored.raw_data)),
            "length": str(len(stored.raw_data)),
        }
        for key, value in place.items():
            tensor.external_data.add(key=key, value=value)
        self._initializers[name] = tensor
        return name

    def serialized(self, output: str) -> bytes:
        last = self._nodes[-1]
        assert list(last.output) == [output]
        last.output[0] = OUTPUT
        texts_and_tokens = ["texts", "tokens"]
        graph = helper.make_graph(
            self._nodes,
            "all-MiniLM-L6-v2",
            [
                helper.make_tensor_value_info(name, TensorProto.INT64, texts_and_tokens)
                for name in INPUTS
            ],
            [
                helper.make_tensor_value_info(
                    OUTPUT, TensorProto.FLOAT, [*texts_and_tokens, DIMENSION]
                )
            ],
            list(self._initializers.values()),
        )
        model = helper.make_model(
            graph,
            producer_name="memctl",
            ir_version=INTERMEDIATE_REPRESENTATION,
            opset_imports=[
                helper.make_opsetid("", OPSET),
                helper.make_opsetid(RUNTIME_DOMAIN, OPSET_OF_RUNTIME),
            ],
        )
        return bytes(model.SerializeToString(deterministic=True))


class Encoder:
    """The transformer's parts. Between them go rows of shape (texts * tokens, 384), so that a
    matrix product takes its bias along; only attention has to know the texts."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        dimension = graph.integers("dimension", [DIMENSION])
        self._rows = graph.integers("rows", [-1, DIMENSION])
        self._by_text = graph.node("Concat", graph.node("Shape", "input_ids"), dimension, axis=0)
        self._mask = graph.node("Cast", "attention_mask", to=TensorProto.INT32)

    def encoded(self) -> str:
        """Shape (texts, tokens, 384)."""
        rows = self._embeddings()
        for layer in range(LAYERS):
            rows = self._layer(layer, rows)
        return self._graph.node("Reshape", rows, self._by_text)

    def _embeddings(self) -> str:
        """Words, what part of a pair they are in, and their positions."""
        graph, name = self._graph, "inner.embeddings"
        words = self._unpacked(
            *(
                graph.node(
                    "Gather", graph.weight(f"{name}.word_embeddings.weight_{part}"), INPUTS[0]
                )
                for part in ("q", "scale")
            )
        )
        types = graph.node(
            "Gather", graph.weight(f"{name}.token_type_embeddings.weight"), INPUTS[2]
        )
        start = graph.integers("start", [0])
        tokens = graph.node("Shape", "input_ids", start=1, end=2)
        positions = self._unpacked(
            *(
                graph.node(
                    "Slice",
                    graph.weight(f"{name}.position_embeddings.weight_{part}"),
                    start,
                    tokens,
                    start,
                )
                for part in ("q", "scale")
            )
        )
        total = graph.node("Add", graph.node("Add", words, types), positions)
        return self._normalised(graph.node("Reshape", total, self._rows), f"{name}.LayerNorm")

    def _layer(self, number: int, rows: str) -> str:
        graph, name = self._graph, f"inner.encoder.layer.{number}"
        query, key, value, joining, widening, narrowing = graph.matrices[6 * number :][:6]
        heads = [
            graph.node(
                "Reshape",
                self._product(rows, matrix, f"{name}.attention.self.{part}"),
                self._by_text,
            )
            for matrix, part in ((query, "query"), (key, "key"), (value, "value"))
        ]
        attended = graph.node(
            "MultiHeadAttention", *heads, "", self._mask, domain=RUNTIME_DOMAIN, num_heads=HEADS
        )
        joined = self._product(
            graph.node("Reshape", attended, self._rows), joining, f"{name}.attention.output.dense"
        )
        rows = self._normalised(
            graph.node("Add", joined, rows), f"{name}.attention.output.LayerNorm"
        )
        wide = graph.node(
            "Gelu", self._product(rows, widening, f"{name}.intermediate.dense"), approximate="none"
        )
        narrow = self._product(wide, narrowing, f"{name}.output.dense")
        return self._normalised(graph.node("Add", narrow, rows), f"{name}.output.LayerNorm")

    def _product(self, rows: str, matrix: str, name: str) -> str:
        """``rows`` times the matrix, which the runtime unpacks once when it loads the graph."""
        graph = self._graph
        unpacked = self._unpacked(graph.weight(f"{matrix}_q"), graph.weight(f"{matrix}_scale"))
        return graph.node("Gemm", rows, unpacked, graph.weight(f"{name}.bias"))

    def _unpacked(self, integers: str, scale: str) -> str:
        return self._graph.node(
            "Mul", self._graph.node("Cast", integers, to=TensorProto.FLOAT), scale
        )

    def _normalised(self, rows: str, name: str) -> str:
        return self._graph.node(
            "LayerNormalization",
            rows,
            self._graph.weight(f"{name}.weight"),
            self._graph.weight(f"{name}.bias"),
            axis=-1,
            epsilon=NORMALISATION_EPSILON,
        )


def model_graph() -> bytes:
    """The graph as it is to be stored."""
    graph = Graph(bundled_weights())
    return graph.serialized(Encoder(graph).encoded())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only tell whether it is up to date")
    arguments = parser.parse_args()
    wanted = model_graph()
    if arguments.check:
        if not GRAPH.is_file() or GRAPH.read_bytes() != wanted:
            sys.exit(f"{GRAPH.name} is not up to date: run python tools/model_graph.py")
    else:
        GRAPH.write_bytes(wanted)


if __name__ == "__main__":
    main()
