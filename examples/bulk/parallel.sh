#!/bin/sh
# One process per shard, as many at a time as there are cores: sh parallel.sh archives parquet 16
# GNU parallel tries a shard again that fails; without it, xargs runs each once, and the same command goes on.
set -eu
archives=$1
out=$2
shards=${3:-8}
mkdir -p "$out"
each() {
	if command -v parallel >/dev/null 2>&1; then
		parallel --will-cite --retries 3 --joblog "$out/jobs.log" "$@"
	else
		xargs -P "$(nproc)" -I '{}' "$@"
	fi
}
seq 0 "$((shards - 1))" | each wayleave convert "$archives" --shard "{}/$shards" --out "$out/{name}.parquet" \
	--summary "$out/run-{shard}.json" --tolerate 1%
