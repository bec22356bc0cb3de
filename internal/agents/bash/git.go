package bash

import (
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// git reads a git command: its configuration, its alias, what it runs and writes.
func (r *reader) git(st *state, argv []string) {
	r.gitWith(st, argv, 0)
}

func (r *reader) gitWith(st *state, argv []string, depth int) {
	st.murmur()
	global := gitGlobal.parse(argv[1:])
	words := argv[1:]
	rest := words[min(global.rest, len(words)):]
	inner := st.through("git")
	for _, dir := range global.values("C") {
		inner = inner.with(func(c *state) { c.dir = r.abs(c, dir) })
	}
	config := r.gitConfig(inner, global)
	r.gitTraces(inner)
	if global.has("exec-path") && len(global.values("exec-path")) > 0 {
		r.opaque(fact.OpaqueCommand, "git takes its programs from another directory", strings.Join(argv, " "))
	}
	tree := inner
	for _, dir := range append(global.values("work-tree"), nonempty(st.exported()["GIT_WORK_TREE"])...) {
		tree = inner.with(func(c *state) { c.dir = r.abs(inner, dir) })
	}
	r.gitPrograms(inner, config)
	if len(rest) == 0 {
		r.record(st, command{argv: argv, config: config, dir: inner.dir})
		return
	}
	sub := rest[0]
	if isUnknown(sub) {
		r.record(st, command{argv: argv, words: withoutGlobals(argv, rest), config: config, dir: inner.dir})
		if !isOpen(sub) || sub != "" {
			r.opaque(fact.OpaqueCommand, "the subcommand of git is not in the line", strings.Join(argv, " "))
		}
		return
	}
	if value, ok := config["alias."+strings.ToLower(sub)]; ok && depth < 8 && !isGitCommand(sub) {
		if strings.HasPrefix(value, "!") {
			r.note(inner, argv)
			r.shellText(inner, value[1:]+" "+quoteAll(rest[1:]), "git alias")
			return
		}
		if isUnknown(value) {
			r.opaque(fact.OpaqueCommand, "the alias is not in the line", value)
		}
		r.gitWith(st, slices.Concat(argv[:len(argv)-len(rest)], fieldsOf(value), rest[1:]), depth+1)
		return
	}
	opts := gitOptions[sub]
	p := opts.parse(rest[1:])
	if sub == "config" || p.has("help", "h") && sub != "grep" {
		p.open = false
	}
	roles := append([]bool{true}, p.roles...)
	if _, known := gitOptions[sub]; !known {
		roles = nil
	}
	if sub == "config" {
		if set := r.configSet(inner, rest[1:]); set != nil {
			config = maps.Clone(config)
			maps.Copy(config, set)
		}
	}
	c := command{argv: argv, words: withoutGlobals(argv, rest), roles: roles, subcommand: sub, parsed: &p, config: config, dir: inner.dir}
	if roles == nil {
		c.parsed = nil
		if len(config) > 0 {
			c.parsed = &p
		}
	}
	if p.has("help") {
		c.parsed = &parsed{options: []option{{name: "help"}}}
		c.words = []string{"git", "help", sub}
		c.roles = nil
		r.record(st, c)
		return
	}
	r.record(st, c)
	r.gitRuns(inner, sub, rest[1:], p)
	r.gitWrites(tree, sub, rest[1:], p)
	r.gitPrints(st, sub, rest[1:], p)
}

func nonempty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// withoutGlobals returns git and the words from its subcommand on.
func withoutGlobals(argv, rest []string) []string {
	return append([]string{argv[0]}, rest...)
}

// fieldsOf splits an alias into words.
func fieldsOf(text string) []string {
	return strings.Fields(strings.NewReplacer(`"`, "", `'`, "").Replace(text))
}

// gitRuns reads the commands in the words of git's subcommands.
func (r *reader) gitRuns(st *state, sub string, words []string, p parsed) {
	for _, text := range p.values("exec", "receive-pack", "upload-pack", "extcmd", "open-files-in-pager", "env-filter", "tree-filter", "index-filter", "parent-filter", "msg-filter", "commit-filter", "tag-name-filter", "setup") {
		r.shellText(st, text, "git "+sub)
	}
	for i, w := range words {
		switch {
		case strings.HasPrefix(w, "ext::"):
			r.opaque(fact.OpaqueCommand, "the remote is a command", w)
		case sub == "bisect" && i == 0 && w == "run":
			r.run(st, words[1:])
			return
		case sub == "submodule" && w == "foreach":
			after := slices.DeleteFunc(slices.Clone(words[i+1:]), func(w string) bool { return w == "--recursive" || w == "--quiet" })
			r.shellText(st, strings.Join(after, " "), "git submodule")
			return
		}
	}
	switch {
	case sub == "am" && !p.has("abort", "continue", "skip", "quit", "show-current-patch"):
		r.opaque(fact.OpaqueCommand, "the patches are not in the line", strings.Join(words, " "))
	case sub == "fast-import", sub == "filter-repo":
		r.opaque(fact.OpaqueCommand, "what git imports is not in the line", sub)
	case sub == "remote" && len(p.operands) > 1 && (p.operands[0] == "add" || p.operands[0] == "set-url"):
		if v := p.values("mirror"); p.operands[0] == "add" && p.has("mirror") && !slices.Contains(v, "fetch") {
			r.config["remote."+p.operands[1]+".mirror"] = "true"
		}
	}
}

// gitWrites adds the files that git's subcommands write.
func (r *reader) gitWrites(st *state, sub string, words []string, p parsed) {
	by := "git " + sub
	for _, file := range p.values("output", "output-directory") {
		r.write(st, by, file, change{whole: sub == "format-patch"})
	}
	if p.has("dry-run", "check", "stat", "numstat", "summary") {
		return
	}
	at := func(specs []string, c change) {
		var files []string
		for _, spec := range specs {
			files = append(files, r.pathspec(spec)...)
		}
		if len(specs) > 0 && len(files) == 0 { // everything but what they exclude
			files = []string{"."}
		}
		for _, file := range files {
			r.write(st, by, file, c)
		}
	}
	switch sub {
	case "checkout":
		if i := slices.Index(words, "--"); i >= 0 {
			at(words[i+1:], change{whole: true})
		} else if !p.has("new-branch", "reset-branch", "orphan", "detach") {
			at(p.operands, change{whole: true})
		}
	case "restore":
		if !p.has("staged") || p.has("worktree") {
			at(p.operands, change{whole: true})
		}
	case "rm":
		if p.has("cached") { // the commit has not the files, even though they stay
			for _, o := range p.operands {
				r.write(st, by, o, change{whole: p.has("recursive") && r.placeOf(r.abs(st, o)) == fact.PlaceInside})
			}
			return
		}
		at(p.operands, change{deletes: true, recursive: p.has("recursive")})
	case "update-index":
		if cached := slices.Index(words, "--cacheinfo"); cached >= 0 && cached+1 < len(words) {
			file := words[cached+1]
			if i := strings.LastIndexByte(file, ','); i >= 0 {
				file = file[i+1:]
			} else if cached+3 < len(words) {
				file = words[cached+3]
			}
			r.write(st, by, r.Root+"/"+file, change{})
		} else if p.has("force-remove") {
			at(p.operands, change{})
		}
	case "merge-file":
		if !p.has("stdout", "p") && len(p.operands) > 0 {
			r.write(st, by, p.operands[0], change{})
		}
	case "interpret-trailers":
		if p.has("in-place") {
			at(p.operands, change{})
		}
	case "clean":
		at(p.operands, change{deletes: true, recursive: true})
	case "mv":
		if n := len(p.operands); n > 1 {
			r.into(st, by, p.operands[n-1], p.operands[:n-1])
			at(p.operands[:n-1], change{deletes: true, whole: true})
		}
	case "stash":
		if len(p.operands) > 1 && p.operands[0] == "push" {
			at(p.operands[1:], change{whole: true})
		} else if i := slices.Index(words, "--"); i >= 0 {
			at(words[i+1:], change{whole: true})
		}
	case "apply":
		if !p.has("cached") {
			r.applied(st, by, p)
		}
	case "worktree":
		if len(p.operands) > 1 && p.operands[0] == "add" {
			r.write(st, by, p.operands[1], change{})
		}
		if len(p.operands) > 1 && p.operands[0] == "remove" {
			r.write(st, by, p.operands[1], change{deletes: true, recursive: true})
		}
	case "bundle":
		if len(p.operands) > 1 && p.operands[0] == "create" {
			r.write(st, by, p.operands[1], change{})
		}
	case "clone", "init":
		if n := len(p.operands); n > 1 || n == 1 && sub == "init" {
			r.write(st, by, p.operands[n-1], change{whole: true})
		}
	case "submodule":
		if len(p.operands) > 2 && p.operands[0] == "add" {
			r.write(st, by, p.operands[2], change{whole: true})
		}
	case "checkout-index":
		for _, prefix := range p.values("prefix") {
			for _, o := range append(p.operands, string(anyName)) {
				r.write(st, by, prefix+o, change{whole: true})
			}
		}
	}
}

// applied adds the files that a patch names.
func (r *reader) applied(st *state, by string, p parsed) {
	in := cmpInput(st.in)
	for _, file := range p.operands {
		in = r.content(st, file)
	}
	if !in.known {
		if dir := cmpOr(strings.Join(p.values("directory"), "/"), "."); !p.has("unsafe-paths") {
			r.fills(st.with(func(c *state) { c.dir = r.Root }), by, dir)
			return
		}
		r.opaque(fact.OpaquePath, "the patch is not in the line", strings.Join(p.operands, " "))
		return
	}
	for l := range strings.SplitSeq(in.text, "\n") {
		for _, prefix := range []string{"--- ", "+++ ", "rename from ", "rename to ", "copy to ", "diff --git "} {
			rest, ok := strings.CutPrefix(l, prefix)
			if !ok {
				continue
			}
			for file := range strings.FieldsSeq(rest) {
				if _, name, cut := strings.Cut(file, "/"); cut && !strings.HasPrefix(prefix, "rename") {
					file = name
				}
				for _, dir := range p.values("directory") {
					file = dir + "/" + file
				}
				r.write(st, by, r.Root+"/"+file, change{})
			}
		}
	}
}

// pathspec returns the paths that git takes a word for.
func (r *reader) pathspec(spec string) []string {
	top, wild := "", true
	if rest, ok := strings.CutPrefix(spec, ":("); ok {
		magic, path, _ := strings.Cut(rest, ")")
		for m := range strings.SplitSeq(magic, ",") {
			switch m {
			case "top":
				top = r.Root + "/"
			case "exclude":
				return nil
			case "literal", "glob":
				wild = false
			}
		}
		spec = path
		if strings.Contains(magic, "glob") {
			return []string{top + ownGlob(spec)}
		}
	} else if rest, ok := strings.CutPrefix(spec, ":"); ok {
		for rest != "" && strings.ContainsAny(rest[:1], "/!^") {
			if rest[0] != '/' {
				return nil
			}
			top = r.Root + "/"
			rest = rest[1:]
		}
		spec = strings.TrimPrefix(rest, ":")
	}
	spec = unglob(spec)
	if i := strings.IndexAny(spec, "*?["); wild && i >= 0 {
		fixed := spec[:strings.LastIndexByte(spec[:i], '/')+1]
		pattern := strings.NewReplacer("*", string(anyName), "?", string(anyOne), "[", string(classOpen)).Replace(spec[len(fixed):])
		return []string{top + fixed + string(anyDepth) + "/" + pattern}
	}
	return []string{top + cmpOr(spec, ".")}
}

// gitPrints reproduces what git prints about the repository itself.
func (r *reader) gitPrints(out *state, sub string, words []string, p parsed) {
	if out.out == nil {
		return
	}
	was := out.out.unknown
	var text string
	switch {
	case sub == "rev-parse" && p.has("show-toplevel"):
		text = r.Root
	case sub == "rev-parse" && p.has("git-path"):
		text = r.gitDir() + "/" + p.values("git-path")[0]
	case sub == "rev-parse" && p.has("git-dir", "git-common-dir", "absolute-git-dir"):
		text = r.gitDir()
	case sub == "rev-parse" && len(p.operands) < 2 && !p.has("show-prefix", "show-cdup"),
		sub == "branch" && p.has("show-current"), sub == "describe", sub == "symbolic-ref" && len(p.operands) == 1,
		sub == "merge-base", sub == "rev-list" && slices.Contains(words, "--count"), sub == "write-tree", sub == "commit-tree", sub == "hash-object":
		text = string(plainText)
	case (sub == "log" || sub == "show") && slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"--format=%H", "--format=%h", "--pretty=%H", "--pretty=%h", "--pretty=format:%H", "--pretty=format:%h"}, w)
	}):
		text = string(plainText)
	default:
		return
	}
	if out.out.text.Len() == 0 {
		out.out.unknown = false
	} else {
		out.out.unknown = was
	}
	out.emit(text + "\n")
}
