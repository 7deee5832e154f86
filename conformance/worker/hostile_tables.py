"""What the attacks of testdata/hostile come to, those of shared objects and those of programs."""

# Refused by the cell; the backend goes on and pools right.
REFUSED = """
    append-victim chmod-victim clone-parent create-file daemon double-fork exec exhaust-descriptors
    fill-memory-file flags-of-file forge-results fork-bomb join-runner-group keep-alive kill-all
    kill-by-descriptor kill-by-pidfd kill-by-queue kill-runner kill-runner-group kill-runner-thread
    lower-runner make-files malloc map-30-gb mount namespaces oom-runner pidfd-getfd privileges
    process-vm-readv process-vm-writev ptrace-attach ptrace-me ptrace-seize read-ancestor-environ
    read-runner-environ read-runner-fd read-runner-map-files read-runner-maps read-runner-mem
    read-runner-other read-secret read-siblings kill-siblings read-variables rename-victim
    share-30-gb socket-netlink socket-packet socket-tcp socket-tcp6 socket-udp socket-unix
    socket-while-loaded spawn stop-runner system system-calls terminal-input truncate-log
    truncate-victim unlink-victim utimes-victim vfork write-around write-home write-inputs
    write-runner-mem write-victim xattr-victim
    exec-memory remove-inputs reopen-memory take-lease write-self-mem""".split()
# Changes nothing that counts: the backend pools right.
HARMLESS = """
    none list change-description chdir clear-environment close-standard exit-at-exit
    flood-log flood-log-forever flush-denormals locale lower-own-limits map-over-inputs
    many-late-records no-calls scribble-block seccomp-strict steal-batch timer-ignored timer-profile
    umask wild-arena wild-descriptor wild-phase
    flood-control forge-fault forge-late-records lose-names seal-memory send-descriptors
    log-into-control kill-at-end step-back step-behind-end""".split()
# Ends in these verdicts, beside pass.
CAUGHT = {
    "_exit-0": {"crash"},
    "abort": {"crash"},
    "close-all": {"crash"},
    "escapes-in-error": {"fail"},
    "exit-0": {"crash"},
    "exit-group": {"crash"},
    "exit-thread": {"crash", "timeout", "missing"},
    "fault-blocked": {"crash"},
    "hang-blocked": {"timeout", "missing"},
    "kill-self": {"crash"},
    "longjmp": {"crash", "timeout", "missing"},
    "fields-of-caller": {"nondeterministic"},
    "out-of-band": {"crash"},
    "raise-step": {"crash", "timeout", "missing"},
    "quick-exit": {"crash"},
    "replace-socket": {"crash"},
    "rounding": {"deviates", "fail"},
    "scribble-requests": {"input-modified", "out-of-bounds", "crash"},
    "scribble-responses": {"crash"},
    "scribble-runner-block": {"out-of-bounds"},
    "shut-socket": {"crash"},
    "stop-self": {"timeout", "missing"},
    "swallow-sigaction": {"out-of-bounds"},
    "swallow-signal": {"out-of-bounds"},
    "swallow-syscall": {"out-of-bounds"},
    "throw": {"crash"},
    "throw-number": {"crash"},
    "timer-real": {"crash"},
    "trap-exceptions": {"crash"},
    "unmap-all": {"crash"},
    "correct-late": {"written-late", "fail"},
    "deny-all-calls": {"crash", "timeout", "missing"},
    "dump-core": {"crash"},
    "overflow-stack": {"crash"},
    "replace-outputs": {"written-late"},
    "shut-writing": {"crash"},
    "terminate-self": {"crash"},
    "timer-kill": {"crash"},
}
# Noticed or not, by what the runner reads first; what counts is right.
MAYBE = {
    "change-late": {"written-late"},
    "send-descriptors": {"crash"},
    **dict.fromkeys(
        "flood-control forge-done remove-block scribble-descriptors shut-reading unload-itself".split(), {"crash"}
    ),
    **dict.fromkeys(
        "say-endless-text say-high-rank say-huge-counts say-other-places say-unknown-words".split(),
        {"crash", "out-of-bounds", "nondeterministic", "unwritten", "written-late", "fail"},
    ),
}
PROGRAM_MAYBE = {"kill-reaper": {"crash"}}
# The same at other moments: when the instance is made, asked for shapes, and at the end.
MOMENTS = [
    (attack, moment)
    for moment in ("create", "infer", "destroy")
    for attack in ("kill-runner", "daemon", "namespaces", "socket-tcp", "read-runner-mem")
]
# Attacks that are real: without a cell each of them gets what it wants, so the tests above can fail. Without
# those that would hit others than this test.
REAL = """
    append-victim chmod-victim create-file keep-alive map-30-gb pidfd-getfd read-ancestor-environ
    read-runner-environ read-runner-maps read-runner-mem read-secret read-variables share-30-gb
    socket-netlink socket-tcp socket-udp socket-unix system truncate-victim unlink-victim
    utimes-victim write-victim fill-memory-file""".split()
# Kept from it also where there is no Landlock.
WITHOUT_LANDLOCK = """
    chmod-victim clone-parent daemon exec fork-bomb join-runner-group keep-alive kill-all
    kill-by-descriptor kill-by-pidfd kill-by-queue kill-runner kill-runner-group kill-runner-thread
    kill-siblings lower-runner map-30-gb mount namespaces pidfd-getfd privileges process-vm-readv
    process-vm-writev ptrace-attach read-runner-environ read-runner-fd read-runner-maps
    read-runner-mem read-siblings read-variables socket-netlink socket-tcp socket-udp socket-unix
    stop-runner system system-calls take-lease utimes-victim write-inputs write-runner-mem""".split()

PROGRAM_WITHOUT_LANDLOCK = """
    join-runner-group kill-runner kill-runner-group mount ptrace-runner socket stop-runner token
    unshare""".split()
PROGRAM_REFUSED = """
    join-runner-group kill-runner kill-runner-group mount ptrace-runner reach-reaper read-runner
    read-secret socket stop-runner token unshare write-files""".split()
PROGRAM_HARMLESS = """
    none list child daemon double-fork shell-daemon flood-log kill-all stop-reaper
    two-halves talk-back give-descriptors out-of-band""".split()
PROGRAM_CAUGHT = {
    "close-stdout": {"crash"},
    "exit": {"crash"},
    "fork-bomb": {"crash"},
    "garbage": {"crash"},
    "hang": {"timeout"},
    "kill-group": {"crash"},
    "long-line": {"crash"},
    "wrong-id": {"crash"},
    "error-of-controls": {"fail"},
    "error-without-end": {"fail"},
    **dict.fromkeys(
        """
        ahead-of-time alarm byte-more data-first empty-lines error-no-utf8 greeting-again huge-bytes
        huge-dimensions id-in-words id-of-the-next into-nowhere into-stdin key-doubled leave-a-child leave-well
        long-status many-dimensions many-outputs mute negative-bytes nested-deeply number-too-large
        objects-deeply other-shape shut-stdin twice unknown-status unknown-type""".split(),
        {"crash"},
    ),
    **dict.fromkeys("byte-less drip-for-ever half-header no-data stop-itself".split(), {"timeout"}),
}

HANGING = {
    *"byte-less deny-all-calls drip-for-ever half-header no-data stop-itself".split(),
    "exit-thread",
    "hang",
    "hang-blocked",
    "longjmp",
    "raise-step",
    "stop-self",
}
# Each case is right, and the run fails for what the process does outside of any case.
FAULTY = {"exhaust-descriptors", "kill-at-end"}
# With bytes of its own unread it cannot tell the end of its stdin from a failure.
PROGRAM_FAULTY = {"child", "daemon", "double-fork", "give-descriptors", "out-of-band", "shell-daemon", "talk-back"}
