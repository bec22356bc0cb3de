#!/bin/sh
# Creates a small repository with three rules, breaks them on a branch, and runs
# rulecheck. The repository stays, so that the reader can go on in it.
# Usage: demo.sh PATH-OF-RULECHECK [DIRECTORY]; without DIRECTORY, a temporary one
set -eu
program=$(command -v "$1")
rulecheck=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
demo=${2:-$(mktemp -d "${TMPDIR:-/tmp}/rulecheck-demo.XXXXXX")}
mkdir -p "$demo"
cd "$demo"

# Keep the caller's git environment and configuration out of the demo.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.com GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.com
export GIT_AUTHOR_DATE=2026-01-02T03:04:05Z GIT_COMMITTER_DATE=2026-01-02T03:04:05Z # same commits, same ids

git init -q -b main .
mkdir -p src/auth tests/auth docs/api .rulecheck/rules
echo 'def login(): ...' >src/auth/login.py
echo 'def test_login(): ...' >tests/auth/login_test.py
echo '# Login' >docs/api/login.md
echo '# Demo' >README.md
cat >.rulecheck/rules/source-test.md <<'RULE'
---
name: Source/Test Pairing
set: ["src/{path}.py", "tests/{path}_test.py"]
---
Change the source and its test together.
RULE
cat >.rulecheck/rules/new-module-docs.md <<'RULE'
---
name: New Module Documentation
created: src/**/*.py
level: warning
---
Every new module gets a page under docs/.
RULE
cat >.rulecheck/rules/readme.md <<'RULE'
---
name: README Accuracy
trigger: src/**
safety: README.md
level: note
---
Source files changed. Verify that README.md is still accurate.
RULE
git add -A
git commit -q -m 'A small project with three rules'

git switch -q -c feature
echo 'def login(user): ...' >src/auth/login.py
echo 'def logout(): ...' >src/auth/logout.py
echo 'def test_logout(): ...' >tests/auth/logout_test.py
echo '$ cat .rulecheck/rules/source-test.md'
cat .rulecheck/rules/source-test.md
echo '$ rulecheck --since main'
status=0
"$rulecheck" --since main || status=$?
[ "$status" -eq 1 ] # the demo breaks a rule: anything else is a bug
[ -n "${2:-}" ] || cat <<END

The repository stays there. Go on in it:
  cd $demo
  PATH="${rulecheck%/*}:\$PATH"
  echo 'def test_user(): ...' >>tests/auth/login_test.py
  rulecheck                                    # the error is gone
  rulecheck rules explain src/auth/login.py    # which rules apply, and why each fired or not
END
