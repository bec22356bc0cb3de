package bash

// gitGlobal lists the options before git's subcommand.
var gitGlobal = options{
	First: true, Values: "cC",
	Long: []string{"git-dir=", "work-tree=", "namespace=", "exec-path?", "config-env=", "super-prefix=", "attr-source=", "list-cmds?", "no-pager P", "paginate p", "bare", "no-replace-objects", "no-optional-locks", "no-lazy-fetch", "no-advice", "literal-pathspecs", "glob-pathspecs", "noglob-pathspecs", "icase-pathspecs", "html-path", "man-path", "info-path", "version v", "help h"},
}

var commitLong = []string{"all a", "patch p", "reuse-message= C", "reedit-message= c", "fixup=", "squash=", "reset-author", "short", "branch", "porcelain", "long", "null z", "file= F", "author=", "date=", "message= m", "template= t", "signoff s", "no-signoff", "trailer=", "no-verify n", "verify", "allow-empty", "allow-empty-message", "cleanup=", "edit e", "no-edit", "amend", "no-post-rewrite", "include i", "only o", "pathspec-from-file=", "pathspec-file-nul", "untracked-files? u", "verbose v", "quiet q", "dry-run", "status", "no-status", "gpg-sign? S", "no-gpg-sign", "interactive"}

// gitOptions lists the options of git's subcommands that have a value, a short form
// or a meaning for rules. Short forms follow the long name.
var gitOptions = map[string]options{
	"push":               {Values: "o", Long: []string{"all", "branches", "prune", "mirror", "delete d", "tags", "dry-run n", "porcelain", "force f", "no-force", "force-with-lease?", "no-force-with-lease", "force-if-includes", "no-force-if-includes", "follow-tags", "no-follow-tags", "signed?", "atomic", "no-atomic", "receive-pack=", "exec=", "repo=", "set-upstream u", "thin", "no-thin", "quiet q", "verbose v", "progress", "push-option= o", "recurse-submodules=", "no-recurse-submodules", "verify", "no-verify", "ipv4", "ipv6"}},
	"commit":             {Values: "CcFmt", Attached: "uS", Long: commitLong},
	"merge":              {Values: "msXF", Attached: "S", Long: []string{"commit", "no-commit", "edit e", "no-edit", "cleanup=", "ff", "no-ff", "ff-only", "gpg-sign? S", "no-gpg-sign", "log?", "no-log", "signoff", "no-signoff", "stat", "no-stat n", "compact-summary", "squash", "no-squash", "verify", "no-verify", "strategy= s", "strategy-option= X", "verify-signatures", "no-verify-signatures", "summary", "quiet q", "verbose v", "progress", "autostash", "no-autostash", "allow-unrelated-histories", "message= m", "into-name=", "file= F", "rerere-autoupdate", "overwrite-ignore", "abort", "quit", "continue"}},
	"am":                 {Values: "Cp", Attached: "S", Long: []string{"signoff s", "keep k", "keep-non-patch b", "keep-cr", "scissors c", "no-scissors", "quoted-cr=", "empty=", "message-id m", "quiet q", "utf8 u", "no-utf8", "3way 3", "rerere-autoupdate", "ignore-space-change", "ignore-whitespace", "whitespace=", "directory=", "exclude=", "include=", "reject", "patch-format=", "interactive i", "verify", "no-verify n", "committer-date-is-author-date", "ignore-date", "skip", "gpg-sign? S", "continue r", "resolved", "abort", "quit", "retry", "show-current-patch?", "allow-empty"}},
	"rebase":             {Values: "xsXC", Attached: "S", Long: []string{"onto=", "keep-base", "continue", "abort", "quit", "skip", "edit-todo", "show-current-patch", "apply", "empty=", "keep-empty", "no-keep-empty", "reapply-cherry-picks", "merge m", "strategy= s", "strategy-option= X", "rerere-autoupdate", "gpg-sign? S", "quiet q", "verbose v", "stat", "no-stat n", "verify", "no-verify", "no-ff", "force-rebase f", "fork-point", "ignore-whitespace", "whitespace=", "committer-date-is-author-date", "signoff", "interactive i", "rebase-merges? r", "exec= x", "root", "autosquash", "no-autosquash", "autostash", "no-autostash", "update-refs", "no-update-refs"}},
	"cherry-pick":        {Values: "msX", Attached: "S", Long: []string{"edit e", "cleanup=", "mainline= m", "no-commit n", "signoff s", "gpg-sign? S", "ff", "allow-empty", "keep-redundant-commits", "strategy=", "strategy-option= X", "continue", "skip", "abort", "quit"}},
	"revert":             {Values: "mX", Attached: "S", Long: []string{"edit e", "no-edit", "mainline= m", "no-commit n", "signoff s", "strategy=", "continue", "skip", "abort", "quit"}},
	"pull":               {Values: "sXjo", Attached: "Sr", Long: []string{"rebase? r", "no-rebase", "ff", "no-ff", "ff-only", "verify", "no-verify", "strategy= s", "all", "append a", "depth=", "force f", "tags t", "no-edit", "edit e", "squash", "upload-pack=", "jobs= j", "set-upstream"}},
	"fetch":              {Values: "joc", Long: []string{"all", "append a", "depth=", "force f", "tags t", "no-tags n", "prune p", "upload-pack=", "jobs= j", "refmap=", "server-option= o", "set-upstream", "update-head-ok u"}},
	"send-pack":          {Long: []string{"all", "dry-run", "force", "mirror", "receive-pack=", "exec=", "verbose", "thin", "atomic", "signed?", "stdin", "remote=", "push-option="}},
	"http-push":          {Long: []string{"force", "all", "dry-run", "verbose"}},
	"subtree":            {Values: "Pmb", Long: []string{"prefix= P", "message= m", "branch= b", "onto=", "force f", "squash", "rejoin"}},
	"config":             {First: true, Values: "f", Long: []string{"global", "system", "local", "worktree", "file= f", "blob=", "add", "replace-all", "get", "get-all", "get-regexp", "get-urlmatch", "unset", "unset-all", "rename-section", "remove-section", "list l", "type= t", "bool", "int", "bool-or-int", "path", "expiry-date", "null z", "name-only", "show-origin", "show-scope", "get-color", "get-colorbool", "edit e", "includes", "default=", "fixed-value", "comment=", "all", "append", "value=", "regexp", "url="}},
	"checkout":           {Values: "bB", Attached: "t", Long: []string{"quiet q", "progress", "force f", "ours 2", "theirs 3", "new-branch= b", "reset-branch= B", "track? t", "no-track", "guess", "detach d", "orphan=", "overwrite-ignore", "merge m", "conflict=", "patch p", "ignore-other-worktrees", "ignore-skip-worktree-bits", "pathspec-from-file=", "pathspec-file-nul", "recurse-submodules?"}},
	"switch":             {Values: "cC", Attached: "t", Long: []string{"create= c", "force-create= C", "detach d", "discard-changes", "force f", "merge m", "orphan=", "track? t", "conflict="}},
	"restore":            {Values: "s", Long: []string{"source= s", "patch p", "worktree W", "staged S", "quiet q", "ours", "theirs", "merge m", "conflict=", "ignore-unmerged", "overlay", "pathspec-from-file=", "recurse-submodules?"}},
	"reset":              {Long: []string{"hard", "soft", "mixed", "keep", "merge", "patch p", "quiet q", "pathspec-from-file=", "intent-to-add N"}},
	"rm":                 {Long: []string{"force f", "dry-run n", "recursive r", "cached", "ignore-unmatch", "quiet q", "sparse", "pathspec-from-file="}},
	"mv":                 {Long: []string{"force f", "skip k", "dry-run n", "verbose v", "sparse"}},
	"clean":              {Values: "e", Long: []string{"directories d", "force f", "interactive i", "dry-run n", "quiet q", "exclude= e"}},
	"stash":              {Values: "m", Long: []string{"message= m", "patch p", "staged S", "keep-index k", "no-keep-index", "include-untracked u", "all a", "quiet q", "pathspec-from-file=", "index"}},
	"apply":              {Values: "pC", Long: []string{"stat", "numstat", "summary", "check", "index", "cached", "3way 3", "reverse R", "reject", "directory=", "exclude=", "include=", "whitespace=", "unidiff-zero", "unsafe-paths", "apply", "recount", "verbose v", "allow-empty"}},
	"worktree":           {Values: "bB", Long: []string{"force f", "detach", "checkout", "no-checkout", "lock", "reason=", "orphan", "track", "quiet q", "expire="}},
	"archive":            {Values: "o", Long: []string{"format=", "list l", "prefix=", "output= o", "remote=", "exec=", "worktree-attributes", "add-file=", "add-virtual-file="}},
	"format-patch":       {Values: "o", Attached: "nNvU", Long: []string{"output-directory= o", "stdout", "cover-letter", "subject-prefix=", "start-number=", "signature=", "to=", "cc=", "in-reply-to=", "suffix=", "base=", "interdiff=", "range-diff=", "output="}},
	"bundle":             {Long: []string{"quiet q", "progress", "all", "version="}},
	"log":                {Values: "GSnL", Attached: "MCU", Long: []string{"output=", "grep=", "author=", "since=", "until=", "after=", "before=", "format=", "pretty?", "max-count= n", "skip=", "date=", "committer=", "diff-filter="}},
	"diff":               {Values: "GSO", Attached: "MCU", Long: []string{"output=", "diff-filter=", "stat?", "word-diff?", "color?", "unified= U", "ext-diff"}},
	"show":               {Values: "GSO", Attached: "MCU", Long: []string{"output=", "format=", "pretty?"}},
	"clone":              {Values: "obuccj", Long: []string{"origin= o", "branch= b", "upload-pack= u", "depth=", "config= c", "template=", "reference=", "separate-git-dir=", "jobs= j", "filter=", "bare", "mirror", "recurse-submodules?", "quiet q", "single-branch", "no-checkout n"}},
	"init":               {Values: "b", Long: []string{"template=", "separate-git-dir=", "object-format=", "initial-branch= b", "shared?", "bare", "quiet q"}},
	"remote":             {Values: "tm", Long: []string{"track= t", "master= m", "fetch f", "tags", "no-tags", "mirror?", "verbose v", "add", "delete", "push", "all"}},
	"branch":             {Values: "u", Attached: "t", Long: []string{"force f", "delete d", "set-upstream-to= u", "show-current", "move m", "copy c", "list l", "all a", "remotes r", "track? t", "sort=", "contains?", "merged?", "format="}},
	"tag":                {Values: "mFu", Attached: "n", Long: []string{"annotate a", "sign s", "force f", "delete d", "verify v", "list l", "message= m", "file= F", "local-user= u", "sort=", "format=", "cleanup="}},
	"add":                {Long: []string{"force f", "all A", "update u", "patch p", "intent-to-add N", "dry-run n", "chmod=", "pathspec-from-file="}},
	"submodule":          {Values: "bj", Long: []string{"init", "force f", "recursive", "branch= b", "name=", "reference=", "depth=", "quiet q", "remote", "merge", "rebase", "jobs= j", "all"}},
	"grep":               {Values: "eABCm", Attached: "O", Long: []string{"open-files-in-pager? O", "max-depth="}},
	"difftool":           {Values: "tx", Long: []string{"extcmd= x", "tool= t", "gui g", "no-prompt y"}},
	"bisect":             {Long: []string{"term-old=", "term-new=", "no-checkout"}},
	"filter-branch":      {Values: "d", Long: []string{"setup=", "env-filter=", "tree-filter=", "index-filter=", "parent-filter=", "msg-filter=", "commit-filter=", "tag-name-filter=", "prune-empty", "original=", "force f", "subdirectory-filter="}},
	"checkout-index":     {Long: []string{"prefix=", "force f", "all a", "index u", "stdin", "temp"}},
	"update-ref":         {Values: "m", Long: []string{"no-deref", "stdin"}, Attached: ""},
	"commit-tree":        {Values: "pmF", Attached: "S"},
	"ls-remote":          {Values: "oq", Long: []string{"upload-pack=", "exec=", "sort=", "heads", "tags", "refs"}},
	"rev-parse":          {Long: []string{"git-path=", "show-toplevel", "git-dir", "git-common-dir", "absolute-git-dir", "abbrev-ref?", "short?", "verify", "show-prefix", "show-cdup", "is-inside-work-tree", "default="}},
	"merge-file":         {Values: "L", Long: []string{"stdout p", "quiet q", "diff3", "zdiff3", "ours", "theirs", "union", "marker-size=", "object-id", "diff-algorithm="}},
	"interpret-trailers": {Long: []string{"in-place", "trim-empty", "where=", "if-exists=", "if-missing=", "only-trailers", "only-input", "unfold", "parse", "no-divider", "trailer="}},
	"notes":              {Values: "mFCc"},
	"lfs":                {},
}
