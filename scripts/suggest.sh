#!/bin/sh
# Mines rules from the past of repositories up to a year before its end, replays them on that
# year, and prints a row of a table for each repository and one for all.
# Usage: suggest.sh RULECHECK REPOSITORY...
# A repository is a directory with the whole history on its HEAD.
set -eu
rulecheck=$1
shift
start=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
year=31536000

echo '| repository | up to | judged on the commits to | commits | rules | not manifests or locks | applied | held | rules that held in ≥ 90 % | commits with a finding |'
echo '|---|---|---|---|---|---|---|---|---|---|'
for source in "$@"; do
	cd "$start"
	source=$(cd "$source" && pwd)
	name=$(basename "$(dirname "$source")" | tr + /)
	clone=$work/clone
	rm -rf "$clone"
	git clone -q --shared --no-checkout "$source" "$clone"
	cd "$clone"
	end=$(git rev-parse HEAD)
	cut=$(git log --first-parent --format='%H %ct' | awk -v last=$(($(git log -1 --format=%ct) - year)) '$2 < last && !found { found = 1; print $1 }')
	git update-ref --no-deref HEAD "$cut"
	git reset -q
	"$rulecheck" suggest --write --format json >"$work/suggested"
	git update-ref --no-deref HEAD "$end"
	git reset -q
	rm -f "$work/replayed"
	if [ -d .rulecheck/rules ]; then
		"$rulecheck" rules validate >/dev/null
		"$rulecheck" rules test >/dev/null
		"$rulecheck" replay --from "$cut" --to "$end" --format json="$work/replayed" || {
			echo "$name: not replayed, and not in the last row" >&2
			continue
		}
	else
		echo '{"rules": []}' >"$work/replayed"
	fi
	jq -c --arg name "$name" --arg cut "$cut" --arg last "$end" \
		--argjson units "$(git rev-list --first-parent --count "$cut..$end")" --slurpfile suggested "$work/suggested" '{
		name: $name, cut: $cut[:10], last: $last[:10], units: $units,
		mined: $suggested[0].commits, rules: ($suggested[0].rules | length),
		own: [$suggested[0].rules[] | select(.label != "lock")] | length,
		applied: ([.rules[] | .held + .fired] | add // 0), held: ([.rules[].held] | add // 0),
		active: [.rules[] | select(.held + .fired > 0)] | length,
		good: [.rules[] | select(.held + .fired > 0 and .held >= 0.9 * (.held + .fired))] | length,
		found: [.rules[].commits[]? | .commit] | unique | length
	}' "$work/replayed" >>"$work/rows"
	cd "$work"
	tail -n 1 "$work/rows" | jq -r '"| \(.name) | \(.cut) | \(.last) | \(.mined) + \(.units) | \(.rules) | \(.own) | \(.applied) | \(.held) | \(.good) of \(.active) | \(.found) |"'
done
jq -sr 'def sum(f): map(f) | add;
	"| all | | | \(sum(.mined)) + \(sum(.units)) | \(sum(.rules)) | \(sum(.own)) | \(sum(.applied)) | \(sum(.held)) | \(sum(.good)) of \(sum(.active)) | \(sum(.found)) |"' "$work/rows"
