"""Least-cost pairs of a whole field, by the graph library (decision 0015).

The port is ``recorder.domain.event.draws.Matching``; nothing else imports the library.
"""

from collections.abc import Sequence

import rustworkx


def least_cost_pairs(
    count: int, costs: Sequence[tuple[int, int, int]]
) -> tuple[tuple[int, int], ...] | None:
    """Pairs for all of ``count`` players at the least sum of costs; None where there are none.

    ``costs``: two places from 0 and what it costs to pair them, not negative and below 2**100;
    pairs that are not listed cannot be. Each pair comes with the lower place first. Exact: the
    blossom method, no heuristic.
    """
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * count)
    most = max((cost for _, _, cost in costs), default=0) + 1
    graph.add_edges_from([(a, b, most - cost) for a, b, cost in costs])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) != count:
        return None
    return tuple(sorted((min(pair), max(pair)) for pair in found))
