#!/usr/bin/env bash
# Writes the report in the artifact rulecheck-NUMBER of a workflow run into a comment on
# the pull request NUMBER. The author of the pull request may have written the artifact, so
# the number counts only if the head of that pull request is the commit of the run.
set -euo pipefail
shopt -s inherit_errexit

readonly most_zip=5000000 most_report=8000000 marker='<!-- rulecheck:1 '
dir=$(mktemp -d "$RUNNER_TEMP/rulecheck.XXXXXX")
cd "$dir"
printf 'Authorization: Bearer %s\n' "$TOKEN" >headers # not visible in the list of processes

# api METHOD PATH [CURL ARGUMENTS]: calls the API of the repository.
api() {
	curl --silent --show-error --fail --retry 2 --max-time 60 --request "$1" \
		--header @headers --header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' \
		"${@:3}" "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/$2"
}

head=$(jq -rn --arg head "$HEAD_OWNER:$HEAD_BRANCH" '$head | @uri')
api GET "pulls?state=open&per_page=100&head=$head" >pulls.json
numbers=$(jq -r --arg sha "$HEAD_SHA" --arg from "$HEAD_REPOSITORY" \
	'.[] | select(.head.sha == $sha and .head.repo.full_name == $from) | .number' pulls.json)
if [ -z "$numbers" ]; then
	echo "No open pull request has the head $HEAD_SHA: it was closed, or a newer run comments."
	exit 0
fi

# previous NUMBER: writes the comment until now to previous.md, and prints its id.
previous() {
	for page in 1 2 3 4 5 6 7 8 9 10; do
		api GET "issues/$1/comments?per_page=100&page=$page" >comments.json
		jq --arg author "$AUTHOR" --arg marker "$marker" \
			'[.[] | select(.user.login == $author and (.body | startswith($marker)))][0] // empty' comments.json >found.json
		if [ -s found.json ]; then
			jq -j .body found.json >previous.md
			jq -r .id found.json
			return
		fi
		[ "$(jq length comments.json)" = 100 ] || return 0
	done
}

api GET "actions/runs/$RUN_ID/artifacts?per_page=100" >artifacts.json
for number in $numbers; do
	artifact=$(jq -r --arg name "rulecheck-$number" --argjson most $most_zip \
		'[.artifacts[] | select(.name == $name and (.expired | not) and .size_in_bytes <= $most)][0].id // empty' artifacts.json)
	if [ -z "$artifact" ]; then
		echo "The run has no artifact rulecheck-$number of at most $most_zip bytes."
		continue
	fi
	{ api GET "actions/artifacts/$artifact/zip" --location || true; } | head -c $((most_zip + 1)) >artifact.zip
	if [ "$(wc -c <artifact.zip)" -gt $most_zip ]; then
		echo "::error title=rulecheck::The artifact for #$number is larger than $most_zip bytes"
		exit 1
	fi
	# Only one file is read, to standard output: names in the archive become no paths.
	{ unzip -p artifact.zip report.json || true; } | head -c $((most_report + 1)) >read.json
	if [ "$(wc -c <read.json)" -gt $most_report ]; then
		echo "::error title=rulecheck::The report for #$number is larger than $most_report bytes"
		exit 1
	fi

	rm -f previous.md
	comment=$(previous "$number")
	"$PROGRAM" comment read.json --link "$RUN_URL" ${comment:+--previous previous.md} >body.md
	if [ ! -s body.md ]; then
		echo "#$number: nothing to report."
		continue
	fi
	jq -n --rawfile body body.md '{$body}' >comment.json
	if [ -n "$comment" ]; then
		api PATCH "issues/comments/$comment" --data @comment.json >answer.json
	else
		api POST "issues/$number/comments" --data @comment.json >answer.json
	fi
	echo "#$number: $(jq -r .html_url answer.json)"
done
