#!/usr/bin/env bash
# One element of the array that submit.py submits: runs its shard, going on where an earlier attempt stood.
#   element.sh FOLDER SHARDS ATTEMPTS KEY=VARIABLE|'' PROGRAM ARGUMENT...
# A verdict (0, 1) and a wrong usage (2) are final. After 3, 4 and kills the element goes to the queue again, until it
# has failed ATTEMPTS times; so does one that is warned of its time limit (USR1). Slurm itself knows whether it starts
# again what ends by SIGTERM: what is preempted it does, what is cancelled not.
set -u
folder=$1 shards=$2 attempts=$3 device=$4; shift 4
shard=$SLURM_ARRAY_TASK_ID
out=$folder/shards/$shard notes=$folder/attempts/$shard

if [ -n "$device" ]; then
  variable=${device#*=}
  [ -n "${!variable:-}" ] || { echo "element.sh: --device: Slurm has set no $variable on $HOSTNAME." >&2; exit 2; }
  set -- "$@" "--device-option=${device%%=*}=${!variable}"
fi
# A node that Slurm has lost may still be at work; its attempt holds the lock until it ends.
if [ -e "$out/.lock" ] && ! flock --nonblock "$out/.lock" true; then
  echo "shard $shard: an earlier attempt still runs; waiting for its end"
  flock "$out/.lock" true
fi
begin=fresh
if compgen -G "$out/results.jsonl*" >/dev/null; then begin=resumed; set -- "$@" --resume; fi
echo "start ${SLURMD_NODENAME:-} $begin" >>"$notes"

pid='' cancelled='' warned=''
stop() { [ -z "$pid" ] || kill "$pid" 2>/dev/null; }
trap 'cancelled=yes; stop' TERM
trap 'warned=yes; stop' USR1
since=${EPOCHREALTIME/[.,]/}
"$@" --shard="$shard/$shards" --out="$out" &
pid=$!
[ -z "$cancelled$warned" ] || stop
while wait "$pid"; kill -0 "$pid" 2>/dev/null; do :; done   # a signal ends the wait
wait "$pid"
code=$?

what=ended
case $code in [34] | 12[89] | 1[3-9]? | 2??) what=failed ;; esac
[ -z "$cancelled$warned" ] || what=stopped
echo "$what $code $(((${EPOCHREALTIME/[.,]/} - since) / 1000))" >>"$notes"   # milliseconds

again() {
  echo "shard $shard: to the queue again: $1"
  scontrol requeue "$SLURM_JOB_ID" && sleep 120   # Slurm kills what it has put into the queue
}
failures=$(grep -c ^failed "$notes")
if [ -n "$cancelled" ] || [ -e "$out/results.jsonl" ]; then
  :
elif [ -n "$warned" ]; then
  again "its time is over"
elif [ $what = failed ] && [ "$failures" -lt "$attempts" ]; then
  again "exit code $code, $failures of $attempts attempts"
elif [ $what = failed ]; then
  echo "shard $shard: exit code $code, the last of $attempts attempts"
fi
exit "$code"
