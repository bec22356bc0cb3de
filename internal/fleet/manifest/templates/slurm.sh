#!/bin/sh
# Checks the units of a list in SHARDS tasks of a job array, and merges their ledgers. Run it
# on a node that submits jobs, in a directory that all nodes share and that has the list; it
# ends with the exit status of the merge.
# shellcheck disable=SC2016 # the jobs expand the variables
set -eu
export LIST=LIST LEDGERS=LEDGERS
shards=$(sbatch --parsable --job-name=rulecheck-fleet --array=0-LAST --ntasks=1 --requeue --output=rulecheck-fleet-%a.txt \
	--wrap='exec rulecheck fleet --list "$LIST" --ledger "$LEDGERS" --ledger-only')
exec sbatch --wait --job-name=rulecheck-fleet-merge --dependency="afterany:${shards%%;*}" --output=rulecheck-fleet.txt \
	--wrap='exec rulecheck fleet merge "$LEDGERS" --format text --format html=fleet.html'
