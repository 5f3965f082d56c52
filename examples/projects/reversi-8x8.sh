#!/bin/sh
# Reversi on the usual board, for volunteers: does the first player win, draw or lose?
#
#   sh examples/projects/reversi-8x8.sh --store S
#
# Two users have to agree on every unit of about half an hour; a worker needs 64 MB for its table.
# The tree near the root is stored at once, so that there is work for many from the first minute.
# UNIT_SECONDS=N makes shorter or longer units.
set -eu
exec "${ZERMELO:-zermelo}" project create reversi-8x8 reversi:8x8 --question outcome --depth 5 \
    --quorum 2 --unit-seconds "${UNIT_SECONDS:-1800}" --hash 64 "$@"
