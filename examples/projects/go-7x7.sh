#!/bin/sh
# Go on 7x7, for volunteers: by how many points does the first player win?
#
#   sh examples/projects/go-7x7.sh --store S
#
# Two users have to agree on every unit of about half an hour; a worker needs 64 MB for its table.
# The tree near the root is stored at once, so that there is work for many from the first minute.
# UNIT_SECONDS=N makes shorter or longer units.
set -eu
exec "${ZERMELO:-zermelo}" project create go-7x7 go:7x7 --question value --depth 2 \
    --quorum 2 --unit-seconds "${UNIT_SECONDS:-1800}" --hash 64 "$@"
