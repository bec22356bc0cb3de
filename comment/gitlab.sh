#!/bin/sh
# Writes the report of the job "rulecheck" into a comment on the merge request
# RULECHECK_REQUEST of the project RULECHECK_PROJECT. Whoever starts this can choose the
# number, and has written the report: it is that of the newest pipeline of this merge
# request, by GitLab's record.
set -eu

most=8000000 marker='<!-- rulecheck:1 '
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
printf 'PRIVATE-TOKEN: %s\n' "$RULECHECK_TOKEN" >headers # not visible in the list of processes

number=$RULECHECK_REQUEST
case $number in
'' | *[!0-9]*)
	echo "RULECHECK_REQUEST is \"$number\"; want the number of a merge request" >&2
	exit 2
	;;
esac

# api METHOD PATH [CURL ARGUMENTS]: calls GitLab's API.
api() {
	method=$1 path=$2
	shift 2
	curl --silent --show-error --fail --retry 2 --max-time 60 --request "$method" --header @headers "$@" "$CI_API_V4_URL/$path"
}

project=projects/$(jq -rn --arg project "$RULECHECK_PROJECT" '$project | @uri')
api GET "$project/merge_requests/$number" >request.json
# A pipeline of the fork is not one of the project.
pipeline=$(jq -r --arg number "$number" 'select(.state == "opened") | .project_id as $project | .head_pipeline // empty |
	select(.project_id == $project and (.ref == "refs/merge-requests/\($number)/head" or .ref == "refs/merge-requests/\($number)/merge")).id' request.json)
if [ -z "$pipeline" ]; then
	echo "!$number is closed, or has no pipeline for merge requests."
	exit 0
fi
api GET "$project/pipelines/$pipeline/jobs?per_page=100" >jobs.json
job=$(jq -r '[.[] | select(.name == "rulecheck" and (.status == "success" or .status == "failed"))][0].id // empty' jobs.json)
if [ -z "$job" ]; then
	echo "The pipeline $pipeline has no finished job \"rulecheck\"."
	exit 0
fi
link=$(jq -r --argjson id "$job" '.[] | select(.id == $id).web_url' jobs.json)
{ api GET "$project/jobs/$job/artifacts/rulecheck.json" --location || true; } | head -c $((most + 1)) >report.json
if [ "$(wc -c <report.json)" -gt $most ]; then
	echo "The report for !$number is larger than $most bytes." >&2
	exit 1
fi

# Only comments of the token's user are updated.
me=$(api GET user | jq .id)
comment='' page=1
while [ "$page" -le 10 ] && [ -z "$comment" ]; do
	api GET "$project/merge_requests/$number/notes?sort=asc&per_page=100&page=$page" >notes.json
	jq --argjson me "$me" --arg marker "$marker" '[.[] | select(.author.id == $me and (.body | startswith($marker)))][0] // empty' notes.json >found.json
	if [ -s found.json ]; then
		jq -j .body found.json >previous.md
		comment=$(jq -r .id found.json)
	fi
	[ "$(jq length notes.json)" = 100 ] || break
	page=$((page + 1))
done

rulecheck comment report.json --link "$link" ${comment:+--previous previous.md} >body.md
if [ ! -s body.md ]; then
	echo "!$number: nothing to report."
	exit 0
fi
jq -n --rawfile body body.md '{$body}' >note.json
set -- POST "$project/merge_requests/$number/notes"
[ -z "$comment" ] || set -- PUT "$project/merge_requests/$number/notes/$comment"
api "$@" --header 'Content-Type: application/json' --data @note.json >/dev/null
echo "!$number: the comment is up to date."
