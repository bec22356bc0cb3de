#!/bin/sh
# Fails if the tests of the inner ring cover less of its statements than the floor. The
# profile is from a run of go test -coverprofile, in which each package counts its own tests.
# Left out are the engines, which internal/diff compares with git, the sandbox, which is
# attacked by other processes, and the readers of symbols that the tests of all languages use.
# Usage: cover.sh PROFILE
set -eu
floor=80
awk -v floor="$floor" '
	/^mode:/ || /\/(cmd|scripts|packaging)\// || /\/internal\/(agents|past|fleet|doctor|ruletest|golden|gittest|lawtest|report\/reporttest)\// { next }
	/\/internal\/(diff\/(native|program|read|resolve)|gitfile|sandbox|content\/symbol\/(treesitter|languages\/cpp))\// { next }
	{ all[$1] = $2; if ($3 > 0) covered[$1] = 1 }
	END {
		for (block in all) { total += all[block]; if (block in covered) of += all[block] }
		if (!total) { print "cover.sh: no statement of the inner ring is in the profile"; exit 2 }
		share = 100 * of / total
		printf "tests cover %.1f %% of the inner ring; want at least %d %%\n", share, floor
		exit share < floor
	}' "$1"
