"""Orders the channels of a network so that the bot computes less.

The bot takes the inputs of a convolution in pairs and skips those of which both are 0. The order of
channels does not change the logits, so channels that are often above 0 together become pairs: a
matching of maximum weight (Edmonds 1965).
"""

from dataclasses import replace

import networkx
import numpy as np

from train.integers import Layer, Matrix, QuantisedNetwork
from train.model import is_residual


def paired(network: QuantisedNetwork, planes: np.ndarray) -> QuantisedNetwork:
    """Returns the network with its channels in pairs that suit positions like `planes`.

    `planes` are those of `data.planes_of`.
    """
    together = []
    for x in network.activations(planes):
        above = (x.reshape(-1, x.shape[-1]) > 0).astype(float)
        together.append(above.T @ above)
    # All layers that residual blocks add up have the same order.
    shared = matching(sum(of_layer for layer, of_layer in enumerate(together) if is_shared(layer)))
    orders = [shared if is_shared(layer) else matching(of_layer)
              for layer, of_layer in enumerate(together)]
    return reordered(network, orders)


def is_shared(layer: int) -> bool:
    """Returns true if a layer's activations are added to those of others."""
    return layer == 0 or is_residual(layer)


def matching(weights: np.ndarray) -> np.ndarray:
    """Returns the channels in an order whose pairs (0, 1), (2, 3), … weigh most in sum.

    `weights` [channels, channels] is symmetric; of an odd number, one channel is left over.
    """
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_weighted_edges_from(
        (a, b, weights[a, b]) for a in range(len(weights)) for b in range(a)
    )
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    order = [channel for pair in sorted(map(sorted, pairs)) for channel in pair]
    return np.array(order + [c for c in range(len(weights)) if c not in order])


def reordered(network: QuantisedNetwork, orders: list[np.ndarray]) -> QuantisedNetwork:
    """Returns the same network with each layer's outputs in another order."""
    layers = []
    for index, layer in enumerate(network.layers):
        order, weights, pool = orders[index], layer.weights[orders[index]], layer.pool
        if index > 0:
            weights = weights[:, :, orders[index - 1]]
        if pool:
            pool = Matrix(pool.weights[order][:, pooled_order(orders[index - 1])], pool.shift,
                          pool.multipliers[order], pool.biases[order])
        layers.append(Layer(weights, layer.multipliers[order], layer.biases[order], pool))
    policy, hidden, last = network.policy, network.hidden, orders[-1]
    return replace(
        network, layers=layers, policy=replace(policy, weights=policy.weights[:, :, last]),
        hidden=replace(hidden, weights=hidden.weights[:, pooled_order(last)]),
    )


def pooled_order(order: np.ndarray) -> np.ndarray:
    """Returns the order of pooled channels, means before maxima, [2 * channels]."""
    return np.concatenate([order, order + len(order)])
