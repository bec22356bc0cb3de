package bash

import (
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// operands are the operands of a program that are files it writes.
type operands int

const (
	none   operands = iota
	all             // every operand
	last            // the last, of several
	first           // the first
	second          // the second
	moves           // all: the last is written, the others are removed
)

// writer is a program that writes files which its words name.
type writer struct {
	Names     []string
	Options   options
	Operands  operands
	Skip      int    // operands before the files
	Only      string // one of these options must be given for operands to be written
	Unless    string // options with which nothing is written
	Out       string // options whose value is a file, or a directory, that is written
	Deletes   bool
	Recursive string // options that write everything below the operands
	Tree      bool   // everything below is written always
	Hidden    string // why the files cannot be read from the line; with Only, if given
	HiddenIf  string // options that hide the files
}

// writers lists the programs that write files. git, find and dd have separate readers.
var writers = []writer{
	{Names: []string{"tee", "sponge"}, Operands: all, Options: options{Long: []string{"append a", "output-error?"}}},
	{Names: []string{"touch", "mkdir", "mkfifo", "mknod", "truncate", "fallocate", "setfattr"}, Operands: all, Options: options{Values: "mdrtslox", Long: []string{"mode= m", "date= d", "reference= r", "size= s", "no-create c", "parents p", "length= l"}}},
	{Names: []string{"rm", "unlink", "shred", "trash", "trash-put", "rimraf", "srm", "wipe"}, Operands: all, Deletes: true, Recursive: "recursive R", Options: options{Values: "", Long: []string{"recursive rR", "force f", "dir d", "verbose v", "interactive? i", "preserve-root?", "no-preserve-root", "one-file-system", "iterations= n", "size= s", "remove? u"}}},
	{Names: []string{"script"}, Operands: all, Options: options{Values: "cEITOBmot", Long: []string{"command= c"}}},
	{Names: []string{"rmdir"}, Operands: all, Deletes: true, Options: options{Long: []string{"parents p", "verbose v", "ignore-fail-on-non-empty"}}},
	{Names: []string{"setfacl"}, Operands: all, Recursive: "recursive", Options: options{Values: "mxMX", Long: []string{"recursive R", "modify= m", "remove= x", "remove-all b"}}},
	{Names: []string{"chmod", "chown", "chgrp", "chattr", "chcon"}, Operands: all, Skip: 1, Recursive: "recursive", Options: options{Long: []string{"recursive R", "reference=", "changes c", "verbose v", "from="}}},
	{Names: []string{"cp", "gcp", "install", "ginstall"}, Operands: last, Recursive: "recursive archive", Out: "target-directory", Options: options{Values: "tSmog", Long: []string{"target-directory= t", "recursive rR", "archive a", "suffix= S", "mode= m", "owner= o", "group= g", "directory d", "no-target-directory T", "force f", "preserve? p", "no-clobber n", "backup? b", "link l", "symbolic-link s"}}},
	{Names: []string{"mv", "gmv"}, Operands: moves, Out: "target-directory", Options: options{Values: "tS", Long: []string{"target-directory= t", "suffix= S", "force f", "no-clobber n", "backup? b", "no-target-directory T", "verbose v"}}},
	{Names: []string{"ln", "gln", "link", "symlink"}, Operands: last, Out: "target-directory", Options: options{Values: "tS", Long: []string{"target-directory= t", "symbolic s", "force f", "suffix= S", "no-dereference n", "no-target-directory T", "relative r", "verbose v"}}},
	{Names: []string{"rename", "prename"}, Operands: all, Skip: 1, Deletes: true, Options: options{Values: "e"}},
	{Names: []string{"sed", "gsed"}, Operands: all, Only: "in-place", Options: options{Values: "efl", Attached: "i", Long: []string{"expression= e", "file= f", "in-place? i", "quiet n", "silent", "regexp-extended Er", "separate s", "null-data z", "line-length= l"}}},
	{Names: []string{"sort"}, Out: "output", Options: options{Values: "oktST", Long: []string{"output= o", "key= k", "field-separator= t", "buffer-size= S", "temporary-directory= T", "compress-program=", "files0-from=", "parallel="}}},
	{Names: []string{"uniq"}, Operands: second, Options: options{Values: "fsw", Long: []string{"skip-fields= f", "skip-chars= s", "check-chars= w"}}},
	{Names: []string{"split", "csplit"}, Operands: second, Out: "prefix", Options: options{Values: "bClnafn", Long: []string{"bytes= b", "lines= l", "number= n", "suffix-length= a", "prefix= f", "filter="}}},
	{Names: []string{"tar", "gtar", "bsdtar"}, Options: options{Bare: true, Values: "fCTXbgHLNVKF", Long: []string{"file= f", "directory= C", "extract x", "get", "create c", "list t", "append r", "update u", "files-from= T", "exclude=", "to-stdout O", "strip-components=", "use-compress-program= I", "to-command=", "checkpoint-action=", "transform=", "wildcards", "gzip z", "verbose v"}}},
	{Names: []string{"unzip", "bsdunzip"}, Hidden: "the archive's files are not in the line", Unless: "l t p v Z", Out: "d", Options: options{Values: "dxP"}},
	{Names: []string{"7z", "7za", "7zr", "unrar", "cabextract", "unar", "ar", "pax", "cpio"}, Hidden: "the archive's files are not in the line", Unless: "t list l", Options: options{Values: "oD", Long: []string{"list t", "extract i"}}},
	{Names: []string{"gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "lz4", "compress"}, Operands: all, Deletes: true, Unless: "stdout c list l test t", Out: "output o", Options: options{Values: "oS", Long: []string{"stdout c", "suffix= S", "keep k", "list l", "test t", "force f", "recursive r"}}, Recursive: "recursive"},
	{Names: []string{"zip"}, Operands: first, Options: options{Values: "bntPO", Long: []string{"move m", "output-file= O", "recurse-paths r"}}, Out: "output-file"},
	{Names: []string{"mktemp"}, Operands: all, Out: "tmpdir", Options: options{Attached: "", Values: "p", Long: []string{"directory d", "tmpdir? p", "suffix=", "quiet q", "dry-run u"}}, Unless: "dry-run"},
	{Names: []string{"go"}, Out: "o coverprofile cpuprofile memprofile blockprofile mutexprofile trace", Options: options{Single: []string{"o=", "coverprofile=", "cpuprofile=", "memprofile=", "blockprofile=", "mutexprofile=", "trace=", "run=", "tags=", "ldflags=", "count=", "timeout="}}},
	{Names: []string{"shuf"}, Out: "output", Options: options{Values: "oin", Long: []string{"output= o", "input-range= i", "head-count= n", "random-source="}}},
	{Names: []string{"patch"}, Operands: all, Hidden: "the patch is not read", Out: "output directory", Options: options{Values: "iopdDFrVgB", Long: []string{"input= i", "output= o", "strip= p", "directory= d", "reject-file= r", "dry-run", "reverse R"}}, Unless: "dry-run"},
	{Names: []string{"curl"}, Out: "output output-dir dump-header cookie-jar", Options: options{Values: "oHdXuAebcDEFKmPQrTtUwxyYz", Long: []string{"output= o", "output-dir=", "header= H", "data= d", "data-raw=", "data-binary=", "data-urlencode=", "request= X", "user= u", "user-agent= A", "referer= e", "cookie= b", "cookie-jar= c", "dump-header= D", "form= F", "config= K", "max-time= m", "upload-file= T", "write-out= w", "proxy= x", "retry=", "connect-timeout=", "url=", "cacert=", "cert= E", "key=", "location L", "silent s", "show-error S", "fail f", "remote-name O", "remote-name-all", "remote-header-name J", "insecure k", "head I"}}},
	{Names: []string{"wget"}, Out: "output-document directory-prefix output-file append-output", Options: options{Values: "OPoaUeiQRATtwDXIl", Long: []string{"output-document= O", "directory-prefix= P", "output-file= o", "append-output= a", "user-agent= U", "header=", "post-data=", "input-file= i", "quiet q", "tries= t", "timeout= T"}}},
	{Names: []string{"aria2c", "axel", "http", "https", "xh"}, Out: "out dir output", Options: options{Values: "od", Long: []string{"out= o", "dir= d", "output= o"}}},
	{Names: []string{"rsync"}, Operands: last, Tree: true, HiddenIf: "files-from", Hidden: "the list of files is not in the line", Options: options{Values: "efTBM", Long: []string{"files-from=", "rsh= e", "filter= f", "exclude=", "include=", "exclude-from=", "delete", "archive a", "recursive r", "dry-run n", "backup-dir=", "log-file=", "link-dest=", "compare-dest=", "copy-dest=", "temp-dir= T", "chmod="}}, Unless: "dry-run"},
	{Names: []string{"scp", "sftp", "rcp"}, Operands: last, Options: options{Values: "cFiJlPSoDX"}},
	{Names: []string{"ed", "red"}, Operands: all, Options: options{Values: "p", Long: []string{"prompt= p"}}},
	{Names: []string{"ex", "vi", "vim", "nvim", "view", "nano", "pico", "micro", "joe", "jed", "kak", "hx"}, Operands: all, Options: options{Values: "cSTtuUVWirw", Single: []string{"es"}, Long: []string{"cmd=", "eval="}}},
	{Names: []string{"prettier", "eslint", "stylelint", "biome", "standard", "dprint", "gofmt", "goimports", "gofumpt", "clang-format", "yapf", "autopep8", "shfmt", "yq", "rubocop", "buf", "taplo", "markdownlint", "markdownlint-cli2", "sqlfluff", "terraform", "yamlfmt", "ktlint", "google-java-format", "prettierd"}, Operands: all, Only: "write w fix in-place i inplace autocorrect A a", Options: options{Values: "c", Attached: "i", Long: []string{"write w", "fix", "in-place i", "inplace", "config= c", "style=", "parser=", "ignore-path=", "config-path="}}},
	{Names: []string{"black", "isort", "ruff", "mdformat", "rustfmt", "ssh-keygen", "swiftformat", "dartfmt", "yamlfix", "pyupgrade", "autoflake", "docformatter"}, Operands: all, Unless: "check diff", Options: options{Values: "lfr", Long: []string{"check", "diff", "config=", "line-length= l"}}},
	{Names: []string{"dos2unix", "unix2dos", "strip", "patchelf", "chrpath", "exiftool", "mogrify", "perltidy", "recode", "indent", "mkdirp", "make-dir", "crudini", "replace", "sd", "sad", "nkf", "logrotate", "savelog", "install-info"}, Operands: all, Options: options{Values: ""}},
	{Names: []string{"gcc", "cc", "clang", "g++", "clang++", "rustc", "ld", "pandoc", "protoc", "openssl", "gpg", "ffmpeg", "convert", "tsc", "esbuild", "cmake", "objcopy", "mkfs", "age", "sops", "html2text", "wkhtmltopdf", "dot", "graphviz", "iconv", "msgfmt"}, Out: "o out output outfile output-file outFile", Options: options{Values: "oO", Long: []string{"output= o", "out=", "outfile=", "output-file="}, Single: []string{"out="}}},
}

func writerOf(name string) (writer, bool) {
	for _, w := range writers {
		if slices.Contains(w.Names, name) {
			return w, true
		}
	}
	return writer{}, false
}

// writes adds the files that a program writes.
func (r *reader) writes(st *state, name string, words []string) {
	if name == "dd" {
		for _, word := range words {
			if file, ok := strings.CutPrefix(word, "of="); ok {
				r.write(st, name, file, change{})
			}
		}
		return
	}
	switch name {
	case "curl", "wget":
		r.downloads(st, name, words)
	case "docker", "podman", "nerdctl", "kubectl", "oc":
		r.fromContainer(st, name, words)
	case "gunzip", "bunzip2", "unxz", "unzstd", "gzip", "bzip2", "xz", "zstd", "lz4", "uncompress", "compress":
		r.compresses(st, name, words)
	}
	w, ok := writerOf(name)
	if !ok {
		r.generic(st, name, words)
		return
	}
	if name == "chmod" {
		words = modes(words)
	}
	p := w.Options.parse(words)
	if p.has("reference") && w.Skip == 1 { // in place of the mode or the owner
		w.Skip = 0
	}
	if name == "mktemp" && p.has("tmpdir") && len(p.operands) == 0 {
		p.operands = []string{string(anyName)}
	}
	if name == "patch" && len(p.operands) > 1 {
		p.operands = p.operands[:1]
	}
	if w.Unless != "" && p.has(strings.Fields(w.Unless)...) {
		return
	}
	dir := ""
	for _, file := range p.values(strings.Fields(w.Out)...) {
		r.into(st, name, file, p.operands)
		dir = file
	}
	switch name {
	case "rsync":
		for _, from := range p.values("link-dest") {
			for _, to := range p.operands[max(len(p.operands)-1, 0):] {
				defer r.linked(r.abs(st, to), r.abs(st, from))
			}
		}
		if len(p.operands) == 2 && strings.HasSuffix(p.operands[0], "/") {
			r.copiedFiles(st, name, p)
		}
	case "tar", "gtar", "bsdtar":
		r.tar(st, name, p)
		return
	case "ln", "gln", "link", "symlink":
		defer r.linkMade(st, p)
	case "mktemp":
		if p.has("tmpdir") {
			return
		}
	case "mkdir":
		for _, o := range p.operands {
			r.made[r.abs(st, o)] = true
		}
	case "cp", "gcp", "mv", "gmv", "install", "ginstall":
		r.copied(st, name, p)
		defer r.copyLinks(st, p)
		if dir != "" && !p.has("directory") {
			r.contents(st, name, dir, p.operands)
		}
		if dir != "" || p.has("directory") {
			if strings.HasSuffix(name, "mv") {
				for _, o := range p.operands {
					r.write(st, name, o, change{deletes: true, whole: true})
				}
			}
			if p.has("directory") {
				for _, o := range p.operands {
					r.write(st, name, o, change{})
				}
			}
			return
		}
	}
	if w.Hidden != "" && (w.HiddenIf == "" || p.has(strings.Fields(w.HiddenIf)...)) {
		switch name {
		case "unzip", "bsdunzip", "unar":
			r.fills(st, name, cmpOr(dir, "."))
		default:
			r.opaque(fact.OpaquePath, w.Hidden, strings.Join(append([]string{name}, words...), " "))
		}
	}
	if w.Only != "" && !p.has(strings.Fields(w.Only)...) {
		return
	}
	r.operandsWritten(st, name, w, p)
}

// modes writes modes such as -x so that they are no options.
func modes(words []string) []string {
	list := slices.Clone(words)
	for i, w := range list {
		if len(w) > 1 && w[0] == '-' && strings.Trim(w[1:], "rwxXstugo") == "" {
			list[i] = "a" + w
		}
	}
	return list
}

func (r *reader) operandsWritten(st *state, name string, w writer, p parsed) {
	files := p.operands[min(w.Skip, len(p.operands)):]
	if name == "sed" || name == "gsed" {
		if !p.has("expression", "file") && len(files) > 0 {
			files = files[1:]
		}
	}
	c := change{deletes: w.Deletes, recursive: p.has(strings.Fields(w.Recursive)...) && w.Recursive != "", whole: w.Tree}
	if slices.Contains([]string{"rimraf", "trash", "trash-put"}, name) {
		c.recursive = true
	}
	n := len(files)
	switch w.Operands {
	case none:
	case all:
		for _, f := range files {
			if w.Only != "" {
				f = ownGlob(f)
			}
			r.write(st, name, f, c)
		}
	case first:
		if n > 0 {
			r.write(st, name, files[0], c)
		}
		if name == "zip" && p.has("move") {
			for _, f := range files[min(1, n):] {
				r.write(st, name, f, change{deletes: true, whole: true})
			}
		}
	case second:
		if n > 1 {
			r.write(st, name, files[1], c)
		}
	case last, moves:
		if n == 0 {
			return
		}
		if n == 1 && strings.HasSuffix(name, "ln") {
			r.write(st, name, path.Base(files[0]), c)
			return
		}
		c.deletes, c.recursive = false, false
		if n > 1 {
			r.into(st, name, files[n-1], files[:n-1])
			if w.Operands == last && !strings.HasSuffix(name, "ln") && !strings.HasSuffix(name, "link") {
				r.contents(st, name, files[n-1], files[:n-1])
			}
			if slices.Contains([]string{"cp", "gcp"}, name) && n == 2 && p.has("recursive", "archive") && (p.has("no-target-directory") || !r.isDirectory(st, files[1])) {
				r.below(st, name, files[1]) // it may be a new name for what is copied
			}
		}
		if name == "rsync" && p.has("delete") {
			r.write(st, name, files[n-1], change{deletes: true, recursive: true})
		}
		if w.Operands == moves {
			for _, f := range files[:n-1] {
				r.write(st, name, f, change{deletes: true, whole: true})
			}
		}
	}
}

// ownGlob marks the wildcards that a program expands itself.
func ownGlob(name string) string {
	segments := strings.Split(glob(name), "/")
	for i, s := range segments {
		if s == string(anyRun)+string(anyRun) {
			segments[i] = string(anyDepth)
		}
	}
	return strings.Join(segments, "/")
}

// into adds a target that may be a file or a directory in which files of the same
// names are written.
func (r *reader) into(st *state, name, target string, sources []string) {
	if isRemote(name, target) {
		return
	}
	r.write(st, name, target, change{})
	for _, s := range sources {
		if b := path.Base(s); !strings.Contains(s, "://") && !isOpen(s) && b != "." && b != ".." && b != "/" {
			r.write(st, name, strings.TrimRight(target, "/")+"/"+path.Base(s), change{whole: true})
		}
	}
}

// isRemote reports whether the target of a copy is on another machine.
func isRemote(name, target string) bool {
	host, _, ok := strings.Cut(target, ":")
	return ok && !strings.Contains(host, "/") && slices.Contains([]string{"scp", "sftp", "rcp", "rsync"}, name)
}

// isDirectory reports whether a target is plainly a directory that is there already.
func (r *reader) isDirectory(st *state, target string) bool {
	abs := r.abs(st, target)
	b := path.Base(target)
	return b == "." || b == ".." || r.made[abs] || strings.HasPrefix(r.Root+"/", strings.TrimSuffix(abs, "/")+"/")
}

// contents adds what a copy of a directory's content may write: any name in the target.
func (r *reader) contents(st *state, name, target string, sources []string) {
	if isRemote(name, target) {
		return
	}
	for _, s := range sources {
		b := path.Base(s)
		if strings.HasSuffix(s, "/.") || b == "." || b == ".." || name == "rsync" && strings.HasSuffix(s, "/") {
			r.below(st, name, target)
		}
	}
}

// fills adds a write of any file below a directory, of an archive or a patch. What is run from there is
// not in the line.
func (r *reader) fills(st *state, name, dir string) {
	if isOpen(dir) {
		r.opaque(fact.OpaquePath, "the archive's files are not in the line", name)
		return
	}
	r.below(st, name, dir)
	r.filled = append(r.filled, r.abs(st, dir))
}

// isFilled reports whether a file may be one that came out of an archive.
func (r *reader) isFilled(abs string) bool {
	return slices.ContainsFunc(r.filled, func(dir string) bool {
		return strings.HasPrefix(abs, strings.TrimSuffix(dir, "/")+"/")
	})
}

// below adds a write of any file below a directory.
func (r *reader) below(st *state, name, dir string) {
	r.write(st, name, strings.TrimRight(dir, "/")+"/"+string(anyDepth), change{unsure: true})
}

// downloads adds the files that curl and wget name as their addresses do.
func (r *reader) downloads(st *state, name string, words []string) {
	w, _ := writerOf(name)
	p := w.Options.parse(words)
	dirs := append(p.values("output-dir", "directory-prefix"), ".")
	switch {
	case name == "curl" && !p.has("remote-name", "remote-name-all"),
		name == "wget" && p.has("output-document", "spider", "version", "help"):
		return
	}
	for _, u := range append(slices.Clone(p.operands), p.values("url")...) {
		bare, _, _ := strings.Cut(u, "#")
		if name == "curl" {
			bare, _, _ = strings.Cut(bare, "?")
		}
		_, bare, _ = strings.Cut(cmpOr(afterScheme(bare), bare), "/")
		file := strings.ReplaceAll(path.Base("/"+bare), string(unknownWord), string(anyName))
		file = strings.ReplaceAll(file, string(unknownWords), string(anyName))
		switch {
		case p.has("remote-header-name") || file == string(anyName):
			if r.placeOf(r.abs(st, dirs[0])) != fact.PlaceRoot {
				r.below(st, name, dirs[0])
			}
			continue
		case file == "/" || strings.HasSuffix(bare, "/"):
			file = "index.html"
		}
		r.write(st, name, dirs[0]+"/"+file, change{})
	}
	if name == "wget" && p.has("r", "recursive", "m", "mirror", "i", "input-file") {
		r.below(st, name, dirs[0])
	}
}

// afterScheme returns an address without its scheme; empty if it has none.
func afterScheme(u string) string {
	_, rest, _ := strings.Cut(u, "://")
	return rest
}

// fromContainer adds what docker cp and the like write.
func (r *reader) fromContainer(st *state, name string, words []string) {
	p := options{Values: "cn", Long: []string{"archive a", "follow-link L", "quiet q", "container= c", "namespace= n", "context=", "no-preserve", "retries="}}.parse(words)
	o := p.operands
	if len(o) > 0 && o[0] == "container" {
		o = o[1:]
	}
	if len(o) != 3 || o[0] != "cp" || o[2] == "-" {
		return
	}
	if host, _, remote := strings.Cut(o[2], ":"); remote && !strings.Contains(host, "/") {
		return
	}
	_, from, _ := strings.Cut(o[1], ":")
	r.into(st, name, o[2], []string{from})
	r.contents(st, name, o[2], []string{from})
	if !r.isDirectory(st, o[2]) {
		r.below(st, name, o[2])
	}
}

// compresses adds the files that programs such as gunzip write, by the names of those they read.
func (r *reader) compresses(st *state, name string, words []string) {
	w, _ := writerOf(name)
	p := w.Options.parse(words)
	if p.has("stdout", "c", "list", "test", "output", "o") {
		return
	}
	for _, o := range p.operands {
		if i := strings.LastIndexByte(o, '.'); (strings.HasPrefix(name, "un") || strings.Contains(name, "unzip") || p.has("d", "decompress", "uncompress")) && i > 0 {
			r.write(st, name, o[:i], change{})
		} else {
			r.write(st, name, o+"."+string(anyName), change{})
		}
	}
}

// copyLinks follows the links that cp makes in place of copies.
func (r *reader) copyLinks(st *state, p parsed) {
	if p.has("link", "symbolic-link") {
		targets := p.values("target-directory")
		sources := p.operands
		if n := len(sources); len(targets) == 0 && n > 1 {
			targets, sources = sources[n-1:], sources[:n-1]
		}
		for _, s := range sources {
			for _, t := range targets {
				r.linked(r.abs(st, t+"/"+path.Base(s)), r.abs(st, s))
				if len(sources) == 1 && !r.isDirectory(st, t) {
					r.linked(r.abs(st, t), r.abs(st, s))
				}
			}
		}
	}
}

// copied remembers the content of copies of what the line wrote.
func (r *reader) copied(st *state, name string, p parsed) {
	if len(p.operands) != 2 {
		return
	}
	from, to := r.copiedFiles(st, name, p)
	if r.placeOf(from) != fact.PlaceInside {
		r.moved[to] = from
	}
	// What was moved out of its place is still that: deleting it deletes the same.
	r.links[to] = cmpOr(r.links[to], from)
	if r.links[to] == to || strings.HasPrefix(from, to+"/") || !r.protectedTree(from) {
		delete(r.links, to)
	}
}

// copiedFiles adds the files of the line in a directory that is copied.
func (r *reader) copiedFiles(st *state, name string, p parsed) (from, to string) {
	from, to = r.abs(st, p.operands[0]), r.abs(st, p.operands[1])
	var files []string
	for file := range r.files {
		if rest, ok := strings.CutPrefix(file, from); ok && (rest == "" || rest[0] == '/') {
			files = append(files, rest)
		}
	}
	for _, rest := range files {
		r.files[to+rest] = r.files[from+rest]
		if rest != "" {
			r.write(st, name, to+rest, change{})
		}
	}
	return from, to
}

// protectedTree reports whether a path is the git directory or the root, whose copy
// elsewhere is taken for it.
func (r *reader) protectedTree(abs string) bool {
	place := r.placeOf(abs)
	return place == fact.PlaceGit || place == fact.PlaceRoot
}

// linkMade follows a link that the line makes.
func (r *reader) linkMade(st *state, p parsed) {
	if len(p.operands) == 0 {
		return
	}
	target := p.operands[0]
	name := path.Base(target)
	if len(p.operands) > 1 {
		name = p.operands[1]
	}
	for _, dir := range p.values("target-directory") {
		name = dir + "/" + path.Base(target)
	}
	from := r.abs(st, name)
	to := target
	switch {
	case isOpen(target):
		to = string(unknownWord)
	case strings.HasPrefix(target, "/"):
	case p.has("symbolic"):
		to = path.Dir(from) + "/" + target
	default:
		to = r.abs(st, target)
	}
	if !isOpen(to) {
		to = lexical(to)
	}
	if b := path.Base(target); len(p.operands) > 1 && len(p.values("target-directory")) == 0 && b != "." && b != ".." && b != "/" {
		r.linked(from+"/"+path.Base(target), to)
	}
	r.linked(from, to)
}

// linked remembers that a path is another file, or directory.
func (r *reader) linked(from, to string) {
	if from == to || strings.HasPrefix(to, from+"/") {
		return
	}
	r.links[from] = to
	if in := r.files[to]; in != nil {
		r.files[from] = in
	}
}

// tar adds what tar writes: the archive it creates, or the files that it takes out.
func (r *reader) tar(st *state, name string, p parsed) {
	for _, text := range p.values("use-compress-program", "to-command") {
		r.shellText(st, text, name)
	}
	for _, text := range p.values("checkpoint-action") {
		if cmd, ok := strings.CutPrefix(text, "exec="); ok {
			r.shellText(st, cmd, name)
		}
	}
	switch {
	case p.has("create", "append", "update"):
		for _, f := range p.values("file") {
			if f != "-" {
				r.write(st, name, f, change{})
			}
		}
		if p.has("remove-files") {
			for _, f := range p.operands {
				r.write(st, name, f, change{deletes: true, recursive: true})
			}
		}
	case p.has("extract", "get") && !p.has("to-stdout"):
		for _, dir := range p.values("directory") {
			r.write(st, name, dir, change{whole: true})
		}
		for _, f := range p.operands {
			r.write(st, name, f, change{})
		}
		if p.has("P", "absolute-names", "transform", "files-from") {
			r.opaque(fact.OpaquePath, "the archive's files are not in the line", strings.Join(p.values("file"), " "))
		}
		dirs := p.values("directory")
		dir := "."
		for _, d := range dirs { // each is relative to the one before
			if dir = dir + "/" + d; strings.HasPrefix(d, "/") || isOpen(d) {
				dir = d
			}
		}
		r.fills(st, name, dir)
	}
}

// generic adds the files of options that any program writes to, by their names.
func (r *reader) generic(st *state, name string, words []string) {
	opts := options{Long: []string{"output=", "output-file=", "out-file=", "outfile=", "out=", "output-dir=", "log-file=", "logfile="}}
	p := opts.parse(words)
	for _, file := range p.values("output", "output-file", "out-file", "outfile", "out", "output-dir", "log-file", "logfile") {
		if len(file) > 1 {
			r.write(st, name, file, change{})
		}
	}
	r.unknownText(name, words)
}

// plainly are programs whose -e or -c has no program as its value.
var plainly = strings.Fields(`grep egrep fgrep rg ag ack ugrep git-grep jq gojq wc head tail cut tr ps ping ping6 pytest py.test cat echo printf test ls diff cmp
	comm join paste date stat file du df less more man nc ncat netstat ss ip host dig nslookup jest vitest mocha playwright cypress ctest tox nox mkdocs sphinx-build
	pylint flake8 mypy bandit coverage yamllint ansible ansible-playbook vault consul nomad aws gcloud az gsutil pre-commit lefthook hugo jekyll golangci-lint
	actionlint shellcheck semgrep trivy hadolint codespell vale act ginkgo gotestsum buildah skopeo rustdoc bats caddy nginx`)

// unknownText reports a program that no table has, and that is given a text which may be a program, as in
// -e 'f(x)'.
func (r *reader) unknownText(name string, words []string) {
	if _, known := toolOf(name); known || slices.Contains(plainly, name) {
		return
	}
	for i, w := range words {
		option, value, given := strings.Cut(w, "=")
		if !slices.Contains([]string{"-e", "-c", "-E", "--eval", "--exec", "--execute", "--command", "--expr", "--run", "-eval", "-exec"}, option) {
			continue
		}
		if !given && i+1 < len(words) {
			value = words[i+1]
		}
		if strings.ContainsAny(value, "(;|>`\n") || isUnknown(value) {
			r.opaque(fact.OpaqueCommand, "a program for "+name+" is not read", value)
		}
	}
}

var (
	sedFlagW  = lazyregexp.New(`s([/|#,@!]).*[/|#,@!][gpIiMm\d]*w\s*([^\s;}]+)`)
	sedWrites = lazyregexp.New(`(?m)(?:^|[;{}/|#,\d$]|\s)[gpIiMm\d]*[wW]\s+([^\s;}]+)`)
	sedRuns   = lazyregexp.New(`(?m)(?:^|[;{}])\s*[\d$,]*\s*(?:/[^/]*/\s*)?e(?:\s+(.*))?$`)
	sedEFlag  = lazyregexp.New(`s([/|#,@!]).*[/|#,@!][gpIiMm\d]*e[gpIiMm\d]*\s*(;|}|$)`)
	bang      = lazyregexp.New(`(?m)(?:^|[:|]|\bexe\w*\s+["']?)\s*!\s*(.*)$|\bsystem\(`)
	exWrites  = lazyregexp.New(`(?:^|[|:\s])(?:w|write|sav|saveas)!?\s+(\S+)`)
)

// escapes reads the commands that editors and other programs run, and the files that
// they write, by their own small languages.
func (r *reader) escapes(st *state, name string, words []string) {
	switch name {
	case "sed", "gsed":
		w, _ := writerOf(name)
		p := w.Options.parse(words)
		texts := p.values("expression")
		if len(texts) == 0 && len(p.operands) > 0 && !p.has("file") {
			texts = p.operands[:1]
		}
		for _, text := range texts {
			for _, m := range sedWrites().FindAllStringSubmatch(text, -1) {
				r.write(st, name, m[1], change{})
			}
			for _, m := range sedFlagW().FindAllStringSubmatch(text, -1) {
				r.write(st, name, m[2], change{})
			}
			for _, m := range sedRuns().FindAllStringSubmatch(text, -1) {
				r.shellOr(st, m[1], name, text)
			}
			if sedEFlag().MatchString(text) {
				r.opaque(fact.OpaqueCommand, "sed runs what it finds", text)
			}
		}
	case "man":
		p := options{Values: "P", Long: []string{"pager= P"}}.parse(words)
		for _, text := range p.values("pager") {
			r.shellText(st, text, name)
		}
	case "vim", "vi", "nvim", "ex", "ed", "red", "view", "emacs", "less", "more":
		r.editor(st, name, words)
	case "make", "gmake":
		r.make(st, name, words)
	case "npm", "pnpm", "yarn":
		r.npm(st, name, words)
	case "split":
		for _, word := range words {
			if text, ok := strings.CutPrefix(word, "--filter="); ok {
				r.shellText(st, text, name)
			}
		}
	case "at", "batch", "crontab":
		if !slices.Contains(words, "-l") {
			r.shellInputOrFile(st, name, words)
		}
	case "rsync":
		for i, word := range words {
			if (word == "-e" || word == "--rsh") && i+1 < len(words) {
				r.shellText(st, words[i+1], name)
			}
		}
	case "ssh-agent", "xdg-open", "expect":
	case "pre-commit", "lefthook", "husky", "overcommit":
		if len(words) > 0 && words[0] == "uninstall" {
			r.write(st, name, r.gitDir()+"/hooks/"+string(anyName), change{deletes: true})
		}
		if len(words) > 0 && words[0] == "install" {
			return
		}
	}
}

// shellOr reads shell text, or reports that there is none to read.
func (r *reader) shellOr(st *state, text, by, whole string) {
	if strings.TrimSpace(text) == "" {
		r.opaque(fact.OpaqueCommand, by+" runs what it reads", whole)
		return
	}
	r.shellText(st, text, by)
}

func (r *reader) shellInputOrFile(st *state, name string, words []string) {
	if st.in != nil {
		r.shellInput(st.through(name), st.in, name)
		return
	}
	if name == "crontab" && len(words) > 0 {
		r.opaque(fact.OpaqueCommand, "crontab runs commands later", strings.Join(words, " "))
	}
}

// editor reads the commands of editors, in options and in the input.
func (r *reader) editor(st *state, name string, words []string) {
	var texts []string
	for i, w := range words {
		switch {
		case (w == "-c" || w == "--cmd" || w == "--eval") && i+1 < len(words):
			texts = append(texts, words[i+1])
		case strings.HasPrefix(w, "+") && len(w) > 1:
			texts = append(texts, w[1:])
		case strings.HasPrefix(w, "-c") && len(w) > 2:
			texts = append(texts, w[2:])
		}
	}
	if st.in != nil && name != "less" && name != "more" {
		if !st.in.known {
			r.opaque(fact.OpaqueCommand, name+" runs commands that are not in the line", "")
		}
		texts = append(texts, st.in.text)
	}
	for _, text := range texts {
		for _, m := range bang().FindAllStringSubmatch(text, -1) {
			r.shellOr(st, m[1], name, text)
		}
		for _, m := range exWrites().FindAllStringSubmatch(text, -1) {
			r.write(st, name, strings.TrimPrefix(m[1], "!"), change{})
		}
		if strings.Contains(text, "python") || strings.Contains(text, "perl ") || strings.Contains(text, "source") || strings.Contains(text, "so ") || strings.Contains(text, "call ") || strings.Contains(text, "lua ") || isUnknown(text) {
			r.opaque(fact.OpaqueCommand, name+" runs a program that is not read", text)
		}
	}
}

// make reads the makefile that the line holds.
func (r *reader) make(st *state, name string, words []string) {
	if r.isFilled(r.abs(st, "Makefile")) {
		r.opaque(fact.OpaqueCommand, "the makefile is not in the line", "Makefile")
	}
	opts := options{Values: "fCIjloW", Long: []string{"file= f", "makefile=", "directory= C", "eval=", "include-dir= I", "jobs? j", "just-print n", "dry-run"}}
	p := opts.parse(words)
	for _, text := range p.values("eval") {
		r.makefile(st, name, text)
	}
	for _, o := range p.operands {
		if n, v, ok := strings.Cut(o, "="); ok && slices.Contains([]string{"SHELL", "MAKEFLAGS", "GNUMAKEFLAGS"}, n) {
			r.opaque(fact.OpaqueCommand, name+" runs another shell", v)
		}
	}
	files := p.values("file", "makefile")
	if len(files) == 0 {
		dir := strings.Join(append(p.values("directory"), ""), "/") // the options add up
		for _, file := range []string{"GNUmakefile", "makefile", "Makefile"} {
			if in := r.files[r.abs(st, dir+file)]; in != nil {
				files = append(files, dir+file)
				break
			}
		}
	}
	for _, file := range files {
		in := r.content(st, file)
		switch {
		case in.known:
			r.makefile(st, name, in.text)
		case r.files[r.abs(st, file)] != nil, file == "-" || strings.HasPrefix(file, "/dev/") || isOpen(file) || r.placeOf(r.abs(st, file)) == fact.PlaceOutside:
			r.opaque(fact.OpaqueCommand, "the makefile is not in the line", file)
		}
	}
}

// makefile reads the recipes of a makefile as shell text.
func (r *reader) makefile(st *state, name, text string) {
	r.opaque(fact.OpaqueCommand, "a makefile's variables are not followed", text)
	for l := range strings.SplitSeq(text, "\n") {
		_, recipe, ok := strings.Cut(l, ";")
		if rest, tab := strings.CutPrefix(l, "\t"); tab {
			recipe, ok = rest, true
		}
		if ok {
			r.shellText(st, strings.TrimLeft(recipe, "@-+ "), name)
		}
	}
}

// npm reads a script that the line itself puts into package.json.
func (r *reader) npm(st *state, name string, words []string) {
	for i, w := range words {
		if w == "set-script" && i+2 < len(words) {
			r.shellText(st, words[i+2], name)
		}
		if w == "set" && i > 0 && (words[i-1] == "pkg" || words[i-1] == "config") {
			r.write(st, name, "package.json", change{})
			for _, pair := range words[i+1:] {
				if key, text, ok := strings.Cut(pair, "="); ok && (strings.HasPrefix(key, "scripts.") || key == "script-shell") {
					r.shellText(st, text, name)
				}
			}
		}
	}
}
