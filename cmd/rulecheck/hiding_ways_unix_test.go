//go:build unix

package main_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// hiding is one change that is hidden in a copy of a repository.
type hiding struct {
	*hiddenWorld

	rand         *rand.Rand
	dir, inside  string // the copy, and the directory in it or next to it in which the check runs
	head         head
	state        state
	encoded      string
	since        bool         // the base is named on the command line, not in the configuration
	rules        []hiddenRule // those that are checked
	strayed      bool         // another working tree is checked
	silenced     []string     // rules whose findings a way changes
	env          []string
	kinds, notes []string
}

func (h *hiding) pick(of ...string) string { return of[h.rand.IntN(len(of))] }

func (h *hiding) note(kind, what string) {
	h.kinds = append(h.kinds, kind)
	h.notes = append(h.notes, kind+": "+what)
}

func (h *hiding) where() string {
	if h.inside != "" {
		return h.inside
	}
	return h.dir
}

func (h *hiding) path(name string) string { return filepath.Join(h.dir, name) }

func (h *hiding) own() { (&silentWorld{silence: h.silence, dir: h.dir}).own() }

func (h *hiding) git(args ...string) bool {
	_, status := h.run(h.dir, []string{"GIT_NO_REPLACE_OBJECTS=1"}, nil, "git", args...)
	return status == 0
}

// A way hides the change and describes how; "" if it does not apply.
type way struct {
	kind string
	hide func(*hiding) string
}

var ways = []way{
	{"bytes", (*hiding).bytes},
	{"bytes", (*hiding).bytes},
	{"attributes", (*hiding).attributes},
	{"attributes", (*hiding).attributes},
	{"index marks", (*hiding).marks},
	{"index format", (*hiding).indexFormat},
	{"sparse", (*hiding).sparse},
	{"replace", (*hiding).replaced},
	{"permissions", (*hiding).permissions},
	{"configuration", (*hiding).configuration},
	{"configuration", (*hiding).configuration},
	{"environment", (*hiding).environs},
	{"environment", (*hiding).environs},
	{"damage", (*hiding).damage},
	{"storage", (*hiding).storage},
	{"place", (*hiding).place},
	{"working tree", (*hiding).stray},
	{"nested", (*hiding).nested},
	{"logs", (*hiding).logs},
	{"logs", (*hiding).logs},
	{"ignored", (*hiding).ignored},
}

// hide hides the change in one to three ways.
func (h *hiding) hide() {
	h.Helper()
	for n := 1 + h.rand.IntN(3); n > 0; {
		w := ways[h.rand.IntN(len(ways))]
		if h.inside != "" && w.kind == "place" {
			continue
		}
		if what := w.hide(h); what != "" {
			h.own()
			h.note(w.kind, what)
			n--
		}
	}
}

// changed returns the regular files of the change that exist, but not the logs.
func (h *hiding) changed() []string {
	var names []string
	for _, r := range h.rules {
		for name, text := range r.change {
			if text != gone && !r.session && !strings.HasPrefix(text, link) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// file returns a file of the change; empty if the change has no file.
func (h *hiding) file() string {
	names := h.changed()
	if len(names) == 0 {
		return ""
	}
	return h.pick(names...)
}

// record puts what is on disk to where the change is. What strayed stays out of it.
func (h *hiding) record() {
	if h.strayed {
		return
	}
	if h.state >= staged {
		h.git("add", "-A")
	}
	if h.state == committed {
		h.git("commit", "-q", "--amend", "--no-edit")
	}
}

// An edit changes the bytes of a file, and none of its lines.
var edits = []edit{
	{"a NUL", func(r *rand.Rand, b []byte) []byte { return insertLine(r, b, "\x00") }},
	{"bytes of no encoding", func(r *rand.Rand, b []byte) []byte { return insertLine(r, b, "\xff\xfe\x80") }},
	{"a control sequence", func(r *rand.Rand, b []byte) []byte { return insertLine(r, b, "\x1b[2K\x08\x7f\x1a") }},
	{"other separators", func(r *rand.Rand, b []byte) []byte { return insertLine(r, b, "\u2028\u0085\x0b\x0c") }},
	{"a long line", func(r *rand.Rand, b []byte) []byte {
		return insertLine(r, b, strings.Repeat(fmt.Sprintf("long%d ", r.IntN(1<<30)), 1<<uint(6+r.IntN(11))))
	}},
	{"many lines", func(r *rand.Rand, b []byte) []byte {
		return insertLine(r, b, strings.Repeat(fmt.Sprintf("\nmany%d", r.IntN(1<<30)), 1<<uint(6+r.IntN(11))))
	}},
	{"UTF-16LE with mark", func(_ *rand.Rand, b []byte) []byte { return utf16Bytes(b, binary.LittleEndian, "\ufeff") }},
	{"UTF-16BE with mark", func(_ *rand.Rand, b []byte) []byte { return utf16Bytes(b, binary.BigEndian, "\ufeff") }},
	{"UTF-16LE", func(_ *rand.Rand, b []byte) []byte { return utf16Bytes(b, binary.LittleEndian, "") }},
	{"UTF-16BE", func(_ *rand.Rand, b []byte) []byte { return utf16Bytes(b, binary.BigEndian, "") }},
	{"UTF-8 with mark", func(_ *rand.Rand, b []byte) []byte { return append([]byte("\ufeff"), b...) }},
	{"CRLF", func(_ *rand.Rand, b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }},
	{"an LFS header", func(_ *rand.Rand, b []byte) []byte {
		return append([]byte("version https://git-lfs.github.com/spec/v1\n"), b...)
	}},
	{"an LFS pointer", func(r *rand.Rand, b []byte) []byte {
		return append(fmt.Appendf(nil, "version https://git-lfs.github.com/spec/v1\noid sha256:%064x\nsize %d\n", r.Uint64(), r.IntN(1<<30)), b...)
	}},
	{"the start of a format", func(r *rand.Rand, b []byte) []byte {
		starts := []string{"%PDF-1.7\n", "\x89PNG\r\n\x1a\n", "PK\x03\x04\n", "\x1f\x8b\x08\n", "GIF89a\n", "\x7fELF\n", "\xff\xfe\n", "\xfe\xff\n", "BM\n", "RIFF\n", "\x00asm\n", "SQLite format 3\x00\n", "\xca\xfe\xba\xbe\n", "+/v8\n", "\xef\xbb\xbf\n"}
		return append([]byte(starts[r.IntN(len(starts))]), b...)
	}},
	{"no last line feed", func(_ *rand.Rand, b []byte) []byte { return bytes.TrimSuffix(b, []byte("\n")) }},
	{"a generated file's header", func(_ *rand.Rand, b []byte) []byte {
		return append([]byte("// Code generated by x. DO NOT EDIT.\n"), b...)
	}},
}

type edit struct {
	name string
	edit func(*rand.Rand, []byte) []byte
}

// reencodes reports whether an edit leaves documents with keys as they are, and the marks of
// generated files.
func (e edit) reencodes() bool { return strings.HasPrefix(e.name, "UTF-") || e.name == "CRLF" }

func insertLine(r *rand.Rand, b []byte, line string) []byte {
	lines := strings.SplitAfter(string(b), "\n")
	at := r.IntN(len(lines))
	return []byte(strings.Join(slices.Insert(lines, at, line+"\n"), ""))
}

func utf16Bytes(b []byte, order binary.AppendByteOrder, mark string) []byte {
	if !utf8.Valid(b) {
		return b
	}
	var out []byte
	for _, unit := range utf16.Encode([]rune(mark + string(b))) {
		out = order.AppendUint16(out, unit)
	}
	return out
}

// drawEncoding draws an edit of some files, at the base as in the change. The files of rules
// that pass over an unchanged file that cannot be parsed (equal, with a notice) or was generated
// (refs) only get another encoding. Those that a command checks are left alone: it is not run on
// files that git takes for binary at the base and now.
func drawEncoding(r *rand.Rand) (string, func(of hiddenRule, name, text string) string) {
	e, seed, share := edits[r.IntN(len(edits))], r.Uint64(), 1+r.IntN(4)
	return e.name, func(of hiddenRule, name, text string) string {
		hash := fnv.New64()
		_, _ = hash.Write([]byte(name)) // it never fails
		if (hash.Sum64()^seed)%4 >= uint64(share) || of.checker || (of.unchanged && !e.reencodes()) {
			return text
		}
		return string(e.edit(rand.New(rand.NewPCG(seed, hash.Sum64())), []byte(text)))
	}
}

func (h *hiding) bytes() string {
	name := h.file()
	if name == "" || h.strayed {
		return ""
	}
	content, err := os.ReadFile(h.path(name))
	if err != nil || bytes.HasPrefix(content, []byte("\ufeff")) { // behind another way; a mark after the beginning is a character of its line
		return ""
	}
	e := edits[h.rand.IntN(len(edits))]
	if os.WriteFile(h.path(name), e.edit(h.rand, content), 0o644) != nil {
		return ""
	}
	h.record()
	return e.name + " in " + name
}

func (h *hiding) attributes() string {
	pattern := h.pick("*", "**", "*.py", "/**/*")
	if name := h.file(); name != "" && h.rand.IntN(2) == 0 {
		pattern = strings.NewReplacer(" ", "?", "\t", "?", `"`, "?", `\`, "?", "[", "?", "#", "?").Replace(name)
	}
	line := pattern + " " + h.pick("binary", "-diff", "-text", "diff=none", "diff=lfs merge=lfs filter=lfs -text", "filter=none", "working-tree-encoding=UTF-16", "working-tree-encoding=UTF-16LE-BOM",
		"working-tree-encoding=nosuch", "working-tree-encoding=latin1", "text eol=crlf", "text=auto", "text", "ident", "export-ignore", "-whitespace", "linguist-generated", "linguist-vendored", "-merge", "!diff", "conflict-marker-size=3", "delta=false", "hidden") + "\n"
	if h.rand.IntN(4) == 0 {
		line = "[attr]hidden -diff -text\n" + line
	}
	place := h.pick(".gitattributes", ".gitattributes", ".git/info/attributes", "r0/.gitattributes", ".git/attributes")
	if place == ".git/attributes" {
		h.git("config", "core.attributesFile", h.path(place))
	}
	h.write(place, line)
	h.strayed = h.strayed || strings.Contains(line, "encoding") // to record it would convert the rules
	if h.rand.IntN(2) == 0 && !strings.HasPrefix(place, ".git/") {
		h.record()
	}
	if strings.Contains(line, " text") || strings.Contains(line, "encoding") {
		h.exceptUnchanged()
	}
	for _, r := range h.rules {
		if strings.Contains(line, "filter=lfs") && strings.Contains(r.text, "bytes: ") { // files in Git LFS have no size
			h.silenced = append(h.silenced, r.id)
		}
	}
	return fmt.Sprintf("%q in %s", line, place)
}

// exceptUnchanged excepts rules about lines that do not change: if git converts files, it may
// take all their lines for edited.
func (h *hiding) exceptUnchanged() {
	for _, r := range h.rules {
		if r.unchanged {
			h.silenced = append(h.silenced, r.id)
		}
	}
}

func (h *hiding) write(name, text string) {
	h.Helper()
	_ = os.MkdirAll(filepath.Dir(h.path(name)), 0o755) // writing fails
	if err := os.WriteFile(h.path(name), []byte(text), 0o644); err != nil {
		h.notes = append(h.notes, err.Error())
	}
}

func (h *hiding) marks() string {
	name := h.file()
	mark := h.pick("--assume-unchanged", "--skip-worktree", "--chmod=+x", "--intent-to-add")
	if name == "" {
		return ""
	}
	args := []string{"update-index", mark, "--", name}
	switch {
	case mark == "--intent-to-add" && h.state == onDisk:
		args = []string{"add", "-N", "--", name}
	case mark == "--intent-to-add":
		return ""
	case h.rand.IntN(2) == 0:
		args = append([]string{"update-index", mark, "--"}, h.changed()...)
	}
	if !h.git(args...) {
		return ""
	}
	what := fmt.Sprintf("%q", args)
	if mark == "--skip-worktree" && h.state != onDisk && h.rand.IntN(2) == 0 {
		_ = os.Remove(h.path(name)) // it may be behind another way
		what += ", removed"
	}
	return what
}

func (h *hiding) indexFormat() string {
	args := [][]string{
		{"update-index", "--index-version", h.pick("2", "3", "4")},
		{"update-index", "--split-index"},
		{"update-index", "--force-untracked-cache"},
		{"update-index", "--fsmonitor"},
		{"-c", "index.skipHash=true", "update-index", "--force-write-index"},
		{"update-index", "--really-refresh"},
		{"add", "-N", "."},
	}[h.rand.IntN(7)]
	if args[0] == "add" && h.state != onDisk || !h.git(args...) {
		return ""
	}
	if slices.Contains(args, "--force-untracked-cache") {
		h.git("status")
	}
	return fmt.Sprintf("%q", args)
}

func (h *hiding) sparse() string {
	args := []string{"sparse-checkout", "set", h.pick("--cone", "--no-cone", "--sparse-index")}
	args = append(args, h.pick("pages", "logs", ".rulecheck", "r1", "r2"))
	if h.rand.IntN(2) == 0 {
		args = append(args, "logs")
	}
	if !h.git(args...) {
		return ""
	}
	what := fmt.Sprintf("%q", args)
	for _, r := range h.rules {
		// A file that is not on disk and outside of the sparse checkout is left out, not
		// deleted. Logs are only read from the disk.
		deletes := h.state == onDisk && slices.Contains(slices.Collect(maps.Values(r.change)), gone)
		if deletes || r.session && h.state != onDisk && !slices.Contains(args, "logs") {
			h.silenced = append(h.silenced, r.id)
		}
	}
	return what
}

func (h *hiding) object(of string) string {
	out, status := h.run(h.dir, nil, nil, "git", "rev-parse", "--verify", "-q", of)
	if status != 0 {
		return ""
	}
	return strings.TrimSpace(out)
}

func (h *hiding) replaced() string {
	var a, b string
	switch h.rand.IntN(5) {
	case 0:
		a, b = h.object("HEAD"), h.object("trunk")
	case 1:
		a, b = h.object("HEAD^{tree}"), h.object("trunk^{tree}")
	case 2:
		if name := h.file(); name != "" {
			a, b = h.object("HEAD:"+name), h.object("trunk:pages/README")
		}
	case 3:
		a, b = h.object("trunk"), h.object("HEAD")
	case 4:
		a, b = h.object("trunk^{tree}"), h.object("HEAD^{tree}")
	}
	if a == "" || b == "" || a == b {
		return ""
	}
	switch h.rand.IntN(4) {
	case 0:
		h.write(".git/info/grafts", h.object("HEAD")+"\n")
		return "a graft without parents"
	case 1:
		h.write(".git/shallow", h.object("HEAD")+"\n")
		return "shallow"
	}
	if !h.git("replace", "-f", a, b) {
		return ""
	}
	return "git replace " + a + " " + b
}

func (h *hiding) permissions() string {
	name := h.file()
	if h.rand.IntN(4) == 0 {
		name = h.pick(".rulecheck", ".rulecheck/rules", ".rulecheck/config.yml", ".rulecheck/rules/r0.md", ".git/index", ".git/objects", ".git/refs", ".git/config", ".git/packed-refs", "logs", "pages", "r0", "r1", ".git/info")
	} else if name != "" && h.rand.IntN(3) == 0 {
		name = filepath.Dir(name)
	}
	if name == "" {
		return ""
	}
	mode := []os.FileMode{0, 0o100, 0o200, 0o400, 0o755, 0o444, 0o111}[h.rand.IntN(7)]
	if os.Chmod(h.path(name), mode) != nil {
		return ""
	}
	return fmt.Sprintf("%s has mode %o", name, mode)
}

func (h *hiding) setting() (key, value string) {
	settings := []string{
		"core.quotePath=false", "core.quotePath=true", "core.ignoreCase=true", "core.precomposeUnicode=true", "core.fileMode=false", "core.symlinks=false", "core.autocrlf=true", "core.autocrlf=input", "core.eol=crlf",
		"core.safecrlf=true", "core.checkStat=minimal", "core.trustctime=false", "core.untrackedCache=true", "core.fsmonitor=true", "core.fsmonitor=/bin/true", "core.fsmonitorHookVersion=2", "core.preloadIndex=false",
		"core.splitIndex=true", "core.sparseCheckout=true", "core.sparseCheckoutCone=true", "core.bigFileThreshold=1", "core.bigFileThreshold=64", "core.worktree=/tmp", "core.worktree=pages", "core.bare=true", "core.commentChar=W",
		"core.whitespace=cr-at-eol", "core.hooksPath=/dev/null", "core.compression=0", "core.abbrev=4", "core.logAllRefUpdates=false", "core.excludesFile=/dev/null", "core.pager=true", "core.checkRoundtripEncoding=UTF-16",
		"core.protectHFS=true", "core.protectNTFS=true", "core.packedGitLimit=1k", "core.deltaBaseCacheLimit=1", "core.useReplaceRefs=true", "core.repositoryFormatVersion=1", "core.multiPackIndex=true", "core.commitGraph=true",
		"core.ignoreStat=true", "core.sharedRepository=0600", "core.notesRef=refs/heads/trunk", "core.warnAmbiguousRefs=false", "core.alternateRefsCommand=true", "core.unsetenvvars=PATH", "core.restrictinheritedhandles=true",
		"diff.external=true", "diff.renames=false", "diff.renames=copies", "diff.renameLimit=1", "diff.algorithm=histogram", "diff.ignoreSubmodules=all", "diff.orderFile=/dev/null", "diff.noprefix=true", "diff.mnemonicPrefix=true",
		"diff.relative=true", "diff.suppressBlankEmpty=true", "diff.interHunkContext=99", "diff.context=0", "diff.wordRegex=.", "diff.colorMoved=zebra", "diff.none.binary=true", "diff.none.textconv=true", "diff.none.command=true",
		"diff.lfs.textconv=true", "diff.autoRefreshIndex=false", "diff.statGraphWidth=1", "diff.dirstat=0", "diff.submodule=log", "diff.indentHeuristic=false", "diff.srcPrefix=x/", "diff.dstPrefix=y/", "diff.wsErrorHighlight=all",
		"status.showUntrackedFiles=no", "status.showUntrackedFiles=normal", "status.renames=false", "status.relativePaths=true", "status.short=true", "status.branch=true", "status.submoduleSummary=true", "color.ui=always", "color.diff=always",
		"color.status=always", "i18n.logOutputEncoding=UTF-16", "i18n.commitEncoding=latin1", "i18n.logOutputEncoding=nosuch", "log.showSignature=true", "log.date=relative", "log.mailmap=true", "log.showRoot=false", "log.follow=true",
		"log.decorate=full", "log.diffMerges=off", "log.abbrevCommit=true", "format.pretty=oneline", "log.excludeDecoration=*", "extensions.worktreeConfig=true", "extensions.partialClone=origin", "extensions.objectFormat=sha1", "extensions.nosuch=1",
		"index.version=4", "index.sparse=true", "index.threads=1", "index.skipHash=true", "feature.manyFiles=true", "feature.experimental=true", "submodule.recurse=true", "include.path=nowhere", "include.path=config", "gc.auto=1", "maintenance.auto=true",
		"safe.directory=", "safe.bareRepository=explicit", "transfer.hideRefs=refs/heads", "uploadpack.hideRefs=refs", "filter.none.clean=cat", "filter.lfs.clean=cat", "filter.lfs.required=true", "filter.none.required=true", "filter.lfs.process=true",
		"alias.diff=!true", "alias.status=!true", "alias.rev-parse=!true", "pager.diff=true", "pager.log=true", "advice.statusHints=false", "trace2.normalTarget=2", "trace2.eventTarget=/dev/null", "user.name=", "grep.lineNumber=true", "grep.patternType=perl",
		"grep.column=true", "grep.fullName=false", "apply.whitespace=fix", "blame.ignoreRevsFile=nowhere", "merge.renames=false", "merge.directoryRenames=false", "remote.origin.promisor=true", "remote.origin.partialCloneFilter=blob:none", "attr.tree=HEAD",
		"column.ui=always", "commitGraph.generationVersion=1", "pack.threads=1", "fsck.zeroPaddedFilemode=ignore", "notes.displayRef=*", "tag.gpgSign=true", "commit.gpgSign=true", "init.defaultBranch=topic", "checkout.defaultRemote=origin", "branch.topic.merge=refs/heads/topic",
		"branch.topic.remote=.", "push.default=nothing", "http.proxy=nowhere", "url.nowhere.insteadOf=x",
	}
	key, value, _ = strings.Cut(settings[h.rand.IntN(len(settings))], "=")
	if key == "core.autocrlf" || key == "core.eol" {
		h.exceptUnchanged()
	}
	return key, value
}

func (h *hiding) configuration() string {
	key, value := h.setting()
	name := h.path(".git/config")
	args := []string{"config", "--file", name, key, value}
	if h.rand.IntN(4) == 0 {
		args = []string{"config", "--file", h.path(".git/global"), key, value}
		h.env = append(h.env, "GIT_CONFIG_GLOBAL="+h.path(".git/global"))
	}
	if !h.git(args...) {
		return ""
	}
	return key + "=" + value
}

func (h *hiding) environs() string {
	if h.rand.IntN(4) == 0 {
		key, value := h.setting()
		if h.rand.IntN(2) == 0 {
			h.env = append(h.env, fmt.Sprintf("GIT_CONFIG_PARAMETERS='%s'='%s'", strings.ToLower(key), value))
		} else {
			h.env = append(h.env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0="+key, "GIT_CONFIG_VALUE_0="+value)
		}
		return h.env[len(h.env)-1]
	}
	variable := h.pick("GIT_EXTERNAL_DIFF=true", "GIT_DIFF_OPTS=-u0", "GIT_PAGER=true", "PAGER=true", "LC_ALL=C", "LC_ALL=tr_TR.UTF-8", "LC_ALL=ja_JP.SJIS", "LANG=de_DE.UTF-8", "LANGUAGE=de", "LC_CTYPE=C", "LC_ALL=nosuch", "LC_MESSAGES=fr_FR",
		"GIT_LITERAL_PATHSPECS=1", "GIT_GLOB_PATHSPECS=1", "GIT_NOGLOB_PATHSPECS=1", "GIT_ICASE_PATHSPECS=1", "GIT_OPTIONAL_LOCKS=0", "GIT_WORK_TREE="+h.dir, "GIT_WORK_TREE="+h.path("pages"), "GIT_DIR="+h.path(".git"), "GIT_PREFIX=pages/",
		"GIT_NAMESPACE=x", "GIT_ATTR_SOURCE=HEAD", "GIT_ATTR_SOURCE=trunk", "GIT_ATTR_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+h.dir, "GIT_CEILING_DIRECTORIES="+h.top, "GIT_TRACE=1", "GIT_TRACE=2", "GIT_TRACE2=1", "GIT_TRACE_SETUP=1", "GIT_TRACE2_EVENT=1",
		"GIT_SHALLOW_FILE="+h.path(".git/nowhere"), "GIT_GRAFT_FILE="+h.path(".git/nowhere"), "GIT_REPLACE_REF_BASE=refs/heads/", "GIT_NO_REPLACE_OBJECTS=0", "GIT_ALTERNATE_OBJECT_DIRECTORIES=/nowhere", "GIT_OBJECT_DIRECTORY="+h.path(".git/objects"),
		"GIT_DEFAULT_HASH=sha256", "GIT_CONFIG=/dev/null", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/nowhere", "GIT_CONFIG_NOSYSTEM=0", "GIT_CONFIG_COUNT=x", "GIT_CONFIG_COUNT=1", "GIT_INDEX_FILE="+h.path(".git/index"), "GIT_INDEX_VERSION=4",
		"GIT_COMMON_DIR="+h.path(".git"), "GIT_DISCOVERY_ACROSS_FILESYSTEM=1", "GIT_LFS_SKIP_SMUDGE=1", "GIT_FLUSH=0", "GIT_REF_PARANOIA=1", "GIT_TEST_SPLIT_INDEX=1", "GIT_TEST_FSMONITOR=x", "GIT_NO_LAZY_FETCH=1", "GIT_PROTOCOL=version=2",
		"GIT_EXEC_PATH=/nowhere", "GIT_SSH_COMMAND=true", "GIT_ICASE_PATHSPECS=0", "GIT_IMPLICIT_WORK_TREE=0", "GIT_INTERNAL_SUPER_PREFIX=x/", "GIT_QUARANTINE_PATH=/x", "GIT_REDIRECT_STDOUT=/dev/null", "GIT_PRINT_SHA1_ELLIPSIS=yes", "GIT_MERGE_VERBOSITY=5",
		"TZ=Asia/Tokyo", "TZ=nosuch", "TERM=dumb", "COLUMNS=1", "NO_COLOR=1", "CLICOLOR_FORCE=1", "CI=true", "HOME=/nowhere", "HOME=", "XDG_CONFIG_HOME=/nowhere", "XDG_CONFIG_HOME="+h.path("pages"), "XDG_CACHE_HOME=/nowhere", "TMPDIR=/nowhere", "PRE_COMMIT=1",
		"GIT_AUTHOR_DATE=0", "EMAIL=x", "SHELL=/bin/false", "POSIXLY_CORRECT=1", "GODEBUG=gctrace=0", "GOMEMLIMIT=64MiB", "GOMAXPROCS=1", "LD_PRELOAD=", "IFS=x", "PWD=/", "OLDPWD=/")
	h.env = append(h.env, variable)
	return variable
}

func (h *hiding) damage() string {
	var objects []string
	for _, pattern := range []string{".git/objects/??/*", ".git/objects/pack/*", ".git/index", ".git/sharedindex.*", ".git/info/sparse-checkout", ".git/packed-refs", ".git/refs/heads/*", ".git/HEAD", ".git/config"} {
		if h.rand.IntN(3) == 0 || strings.Contains(pattern, "??") {
			found, _ := filepath.Glob(h.path(pattern)) // the pattern is well-formed
			objects = append(objects, found...)
		}
	}
	if len(objects) == 0 {
		return ""
	}
	name := objects[h.rand.IntN(len(objects))]
	content, err := os.ReadFile(name)
	if err != nil || len(content) == 0 {
		return ""
	}
	_ = os.Chmod(name, 0o644)
	kind := h.pick("deleted", "cut", "flipped", "longer", "empty", "a directory")
	switch kind {
	case "deleted":
		os.Remove(name)
	case "cut":
		os.WriteFile(name, content[:h.rand.IntN(len(content))], 0o644)
	case "flipped":
		content[h.rand.IntN(len(content))] ^= byte(1 + h.rand.IntN(255))
		os.WriteFile(name, content, 0o644)
	case "longer":
		os.WriteFile(name, append(content, "garbage\n"...), 0o644)
	case "empty":
		os.WriteFile(name, nil, 0o644)
	case "a directory":
		os.Remove(name)
		os.Mkdir(name, 0o755)
	}
	rel, _ := filepath.Rel(h.dir, name) // it is below
	return rel + " " + kind
}

func (h *hiding) storage() string {
	args := [][]string{
		{"repack", "-qad"},
		{"repack", "-qd"},
		{"pack-refs", "--all"},
		{"commit-graph", "write", "--reachable"},
		{"multi-pack-index", "write"},
		{"gc", "-q", "--prune=now"},
		{"prune-packed"},
		{"update-server-info"},
		{"tag", "other", "topic"},
		{"tag", "HEAD", "trunk"},
		{"branch", "-f", "refs/heads/trunk", "topic"},
		{"symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/topic"},
		{"config", "remote.origin.url", "nowhere"},
		{"checkout", "-q", "--detach"},
		{"stash", "create"},
		{"notes", "add", "-m", "x"},
		{"worktree", "add", "-f", "../other-" + filepath.Base(h.dir), "trunk"},
	}[h.rand.IntN(17)]
	if h.rand.IntN(10) == 0 {
		args = []string{"tag", "trunk", "topic"}
	}
	if h.since && args[0] == "tag" && args[1] == "trunk" || !h.git(args...) { // git takes --since trunk for the tag
		return ""
	}
	return fmt.Sprintf("%q", args)
}

// place runs the check elsewhere.
func (h *hiding) place() string {
	switch h.rand.IntN(4) {
	case 0:
		h.inside = h.path("pages")
		return "run in pages"
	case 1:
		if h.git("init", "-q", "--separate-git-dir", h.path("../git-"+filepath.Base(h.dir))) {
			return "a git directory elsewhere"
		}
	case 2:
		link := h.dir + "-link"
		if os.Symlink(h.dir, link) == nil {
			h.inside = link
			return "run through a link"
		}
	case 3:
		if h.state == committed && h.git("worktree", "add", "--detach", "-f", h.dir+"-tree", "HEAD") {
			h.inside = h.dir + "-tree"
			return "a linked working tree"
		}
	}
	return ""
}

// stray changes the working tree where the index or a commit is checked.
func (h *hiding) stray() string {
	name := h.file()
	if name == "" || h.head == worktree {
		return ""
	}
	h.strayed = true
	if h.rand.IntN(2) == 0 {
		name = filepath.Dir(name)
	}
	kind := h.pick("deleted", "a link out", "a link to nowhere", "garbage", "a directory", "moved behind a link")
	full := h.path(name)
	switch kind {
	case "deleted":
		os.RemoveAll(full)
	case "a link out":
		os.RemoveAll(full)
		os.Symlink("/etc/hostname", full)
	case "a link to nowhere":
		os.RemoveAll(full)
		os.Symlink("nowhere", full)
	case "garbage":
		os.RemoveAll(full)
		os.WriteFile(full, []byte("garbage"), 0o644)
	case "a directory":
		os.RemoveAll(full)
		os.Mkdir(full, 0o755)
	case "moved behind a link":
		os.MkdirAll(h.path("behind"), 0o755)
		os.Rename(full, h.path("behind/it"))
		os.Symlink(h.path("behind/it"), full)
	}
	return name + " " + kind
}

// exceptBelow excepts rules about new files on disk in a directory that becomes a repository:
// git adds none of them.
func (h *hiding) exceptBelow(dir string) {
	for _, r := range h.rules {
		for name := range r.change {
			if h.state == onDisk && strings.HasPrefix(name, dir+"/") {
				h.silenced = append(h.silenced, r.id)
			}
		}
	}
}

// nested puts repositories and rules into directories of the change.
func (h *hiding) nested() string {
	name := h.file()
	if name == "" {
		return ""
	}
	dir := filepath.Dir(name)
	switch h.rand.IntN(4) {
	case 0:
		if h.git("init", "-q", "--template=", h.path(dir)) {
			h.exceptBelow(dir)
			return "a repository in " + dir
		}
	case 1:
		h.exceptBelow(dir)
		h.write(dir+"/.git", "gitdir: ../.git\n")
		return "a .git file in " + dir
	case 2:
		h.write(dir+"/.rulecheck/rules/nested.md", "---\ntrigger: nothing\n---\nLook.\n")
		if h.rand.IntN(2) == 0 {
			h.git("add", "-A", dir+"/.rulecheck")
		}
		return "rules in " + dir
	case 3:
		h.write(dir+"/.rulecheck/config.yml", "default_branch: trunk\nexclude: '**'\n")
		h.record()
		return "a configuration in " + dir
	}
	return ""
}

// logs changes the form of the logs on disk.
func (h *hiding) logs() string {
	var names []string
	for _, r := range h.rules {
		if r.session {
			found, _ := filepath.Glob(h.path("logs/" + r.id + "/*.jsonl"))
			names = append(names, found...)
		}
	}
	if len(names) == 0 {
		return ""
	}
	name := names[0]
	content, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	session := strings.TrimSuffix(filepath.Base(name), ".jsonl")
	kind := h.pick("cut", "gzipped", "gzipped under its name", "renamed", "a link", "a directory linked", "UTF-16", "with mark", "CRLF", "a NUL", "hidden", "in a directory", "a prefix", "twice", "one line", "no last line feed", "unreadable", "interleaved", "blank lines")
	switch kind {
	case "cut":
		n := 1 + h.rand.IntN(len(content)-2)
		for content[n-1] == '\n' || content[n] == '\n' {
			n-- // a log that ends with a row looks complete
		}
		os.WriteFile(name, content[:n], 0o644)
		long := time.Now().Add(-time.Hour) // a log that was just written may be growing
		os.Chtimes(name, long, long)
	case "gzipped", "gzipped under its name":
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(content) // a buffer accepts everything
		_ = z.Close()
		if kind == "gzipped" {
			os.Remove(name)
			name += ".gz"
		}
		os.WriteFile(name, b.Bytes(), 0o644)
	case "renamed":
		os.Rename(name, filepath.Join(filepath.Dir(name), h.pick("agent.log", session+".json", session+".JSONL", session+".jsonl.bak", session+".jsonl.1", "rollout-x.jsonl", ".jsonl", "-.jsonl", "events.jsonl")))
	case "a link":
		os.Rename(name, h.path("elsewhere"))
		os.Symlink(h.path("elsewhere"), name)
	case "a directory linked":
		os.Rename(filepath.Dir(name), h.path("elsewhere"))
		os.Symlink(h.path("elsewhere"), filepath.Dir(name))
	case "UTF-16":
		os.WriteFile(name, utf16Bytes(content, binary.LittleEndian, "\ufeff"), 0o644)
	case "with mark":
		os.WriteFile(name, append([]byte("\ufeff"), content...), 0o644)
	case "CRLF":
		os.WriteFile(name, bytes.ReplaceAll(content, []byte("\n"), []byte("\r\n")), 0o644)
	case "a NUL":
		os.WriteFile(name, insertLine(h.rand, content, "\x00"), 0o644)
	case "hidden":
		os.Rename(name, filepath.Join(filepath.Dir(name), "."+filepath.Base(name)))
	case "in a directory":
		os.Mkdir(filepath.Join(filepath.Dir(name), "sub"), 0o755)
		os.Rename(name, filepath.Join(filepath.Dir(name), "sub", filepath.Base(name)))
	case "a prefix":
		os.WriteFile(name, append([]byte(h.pick("{}\n", "[]\n", "garbage\n", "{\"type\":\"summary\"}\n", "{\"type\":\"nosuch\"}\n")), content...), 0o644)
	case "twice":
		os.WriteFile(filepath.Join(filepath.Dir(name), "copy.jsonl"), content, 0o644)
	case "one line":
		os.WriteFile(name, bytes.ReplaceAll(content, []byte("\n"), []byte(" ")), 0o644)
	case "no last line feed":
		os.WriteFile(name, bytes.TrimSuffix(content, []byte("\n")), 0o644)
	case "unreadable":
		os.Chmod(name, 0)
	case "interleaved":
		os.WriteFile(name, insertLine(h.rand, content, `{"type":"user","uuid":"zz","sessionId":"zz","cwd":"/repo","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hello"}}`), 0o644)
	case "blank lines":
		os.WriteFile(name, insertLine(h.rand, content, h.pick("", "   ", "\t")), 0o644)
	}
	return kind
}

// ignored ignores the files of the change, which hides only those that are not tracked:
// what git ignores is no part of a change.
func (h *hiding) ignored() string {
	if h.state == onDisk {
		return ""
	}
	h.exceptUnchanged() // refs searches no names that an ignore file matches
	place := h.pick(".gitignore", ".git/info/exclude", "r0/.gitignore")
	h.write(place, h.pick("*\n", "r*\n", "/r0\n", "*.py\n", "**/x*\n"))
	return place
}
