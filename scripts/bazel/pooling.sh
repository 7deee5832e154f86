#!/bin/sh
# A shard of the gate under Bazel; its results are kept with the outputs of the test.
exec "$CONFORMANCE" "$@" --out="$TEST_UNDECLARED_OUTPUTS_DIR/results"
