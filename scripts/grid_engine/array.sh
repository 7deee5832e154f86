#!/bin/sh
# One element of an array of Grid Engine: a shard of COUNT, which is an argument, so that a part of the array may be
# submitted again. Arguments: COUNT FOLDER, then those of conformance, which is $CONFORMANCE or build/bin/conformance.
#$ -S /bin/sh
#$ -cwd
#$ -V
#$ -j y
#$ -r y
set -u
count=$1
out=$2/shards/$SGE_TASK_ID
shift 2
resume=
if ls "$out"/results.jsonl* >/dev/null 2>&1; then resume=--resume; fi
"${CONFORMANCE:-build/bin/conformance}" "$@" --shard="$SGE_TASK_ID/$count" --out="$out" $resume
code=$?
case $code in 0|1|2) exit "$code" ;; esac    # verdicts, and what is wrong the next time as well
echo "$code" >> "$out.failures"
if [ "$(wc -l < "$out.failures")" -ge 5 ]; then exit "$code"; fi
exit 99                                      # Grid Engine puts the element into the queue again
