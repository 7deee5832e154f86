"""What the commands that run shards have in common: their options, and the folder that these open."""

import argparse
import os

from folder import Refused, RunFolder, shards_for

PROGRAM = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "build", "bin", "conformance")


def parser_of(name, description):
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage=f"{name} (--folder DIR (--shards N | --from EARLIER) | --retry DIR) "
        "[option...] [-- argument of conformance...]",
    )
    parser.add_argument("--folder", help="new folder for results, logs and what the scheduler says of jobs")
    parser.add_argument("--shards", type=int, help="number of shards")
    parser.add_argument("--from", dest="earlier", help="folder or results of an earlier run, whose time tells how many")
    parser.add_argument("--minutes", type=float, default=30, help="that a shard may take, with --from (30)")
    parser.add_argument("--retry", help="folder of a run, of which the shards that failed are run again")
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--attempts", type=int, default=5, help="at a shard that fails or is killed (5)")
    return parser


def parse(parser, arguments):
    """The options, and what stands behind --."""
    own, behind = arguments, []
    if "--" in arguments:
        own, behind = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    return parser.parse_args(own), behind


def open_folder(options, behind, device):
    """The folder of --retry, or a new one."""
    if options.retry:
        if options.folder or options.shards or options.earlier or behind:
            raise Refused("--retry: runs the shards as they were; it takes none of --folder, --shards, --from, --.")
        return RunFolder(options.retry)
    if not options.folder or (options.shards is None) == (options.earlier is None):
        raise Refused("--folder and one of --shards and --from are needed, or --retry.")
    shards = options.shards if options.earlier is None else shards_for(options.earlier, options.minutes)
    if shards < 1:
        raise Refused(f"--shards: {shards} is no number of shards.")
    return RunFolder.create(options.folder, shards, options.program, behind, device)
