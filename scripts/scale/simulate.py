#!/usr/bin/env python3
"""How long a run in shards takes on more nodes than are at hand, by simulation.

    scripts/scale/simulate.py --work=9000 --start=1.5 --spread=0.1 --merge=60 --nodes=1,10,100 --per-node=4
    scripts/scale/simulate.py --work=9000 --nodes=100 --delay=60 --failures=0.02 --repair=600

The work is cut into --per-node shards for each node, as parts of the plan of one size, so that the time of a shard
is --start + work / shards, times a factor drawn from a lognormal distribution of deviation --spread. Each start of a
shard waits an exponentially distributed time of mean --delay in the queue. A node fails at random, --failures times
an hour in the mean, and is away for --repair seconds; its shard goes back to the queue and resumes where it stood,
but for what one start takes. The merge begins when the last shard has ended. Printed are the median and the 95th
percentile of --repeats runs, and how much faster than one node without queue and failures."""

import argparse
import heapq
import random


def run_once(options, nodes, draw):
    """Seconds until all is merged."""

    def delay():
        return draw.expovariate(1 / options.delay) if options.delay > 0 else 0.0

    def failure():
        return draw.expovariate(options.failures / 3600) if options.failures > 0 else float("inf")

    shards = nodes * options.per_node
    factor = [draw.lognormvariate(0, options.spread) for _ in range(shards)]
    waiting = [(delay(), work * options.work / shards) for work in factor]  # when ready, what is left
    heapq.heapify(waiting)
    free = [0.0] * nodes  # when each node can take a shard
    failing = [failure() for _ in range(nodes)]  # the time of use after which it fails next
    end = 0.0
    while waiting:
        ready, left = heapq.heappop(waiting)
        node = min(range(nodes), key=free.__getitem__)
        begin = max(ready, free[node])
        takes = options.start + left
        if takes <= failing[node]:
            failing[node] -= takes
            free[node] = begin + takes
            end = max(end, free[node])
            continue
        fails = begin + failing[node]
        done = max(0.0, failing[node] - options.start)
        free[node] = fails + options.repair
        failing[node] = failure()
        heapq.heappush(waiting, (fails + delay(), left - done))
    return end + options.merge


def at_least(smallest, kind=float):
    def number(text):
        value = kind(text)
        if not smallest <= value < float("inf"):
            raise argparse.ArgumentTypeError(f"{text} is not a number from {smallest} on")
        return value

    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    number, count = at_least(0), at_least(1, int)
    parser.add_argument("--work", type=number, required=True, help="seconds of one node for all cases, starts left out")
    parser.add_argument("--start", type=number, default=0.0, help="seconds until a shard judges its first case (0)")
    parser.add_argument("--spread", type=number, default=0.0, help="deviation of the logarithm of shard times (0)")
    parser.add_argument("--merge", type=number, default=0.0, help="seconds of the merge (0)")
    parser.add_argument(
        "--nodes",
        default="1,10,100",
        help="numbers of nodes (1,10,100)",
        type=lambda text: [count(part) for part in text.split(",")],
    )
    parser.add_argument("--per-node", type=count, default=4, help="shards for each node (4)")
    parser.add_argument("--delay", type=number, default=0.0, help="mean seconds in the queue (0)")
    parser.add_argument("--failures", type=number, default=0.0, help="of a node, in an hour (0)")
    parser.add_argument("--repair", type=number, default=0.0, help="seconds that a failed node is away (0)")
    parser.add_argument("--repeats", type=count, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    alone = options.start + options.work + options.merge
    print("| nodes | shards | median | 95 % | faster |\n| ---: | ---: | ---: | ---: | ---: |")
    for nodes in options.nodes:
        draw = random.Random(f"{options.seed} {nodes}")
        times = sorted(run_once(options, nodes, draw) for _ in range(options.repeats))
        median, late = (times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.95))
        shards = nodes * options.per_node
        print(f"| {nodes} | {shards} | {median:.0f} s | {late:.0f} s | {alone / max(median, 1e-9):.1f} times |")


if __name__ == "__main__":
    main()
