package bash

import (
	"slices"
	"strings"
)

// tool is a program with subcommands, or whose options may come before the subcommand.
type tool struct {
	Names   []string
	Options options // before and after the subcommand
}

// tools lists programs whose subcommand may follow options, so that a rule finds it
// as the first word of the normal form.
var tools = []tool{
	{[]string{"npm", "pnpm", "yarn", "bun", "corepack", "npx"}, options{Values: "CFw", Long: []string{"prefix=", "workspace= w", "filter= F", "dir= C", "cwd=", "registry=", "loglevel=", "cache=", "userconfig=", "tag="}}},
	{[]string{"pip", "pip3", "pipx", "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "conda", "mamba", "micromamba", "pixi"}, options{Values: "crnpitC", Long: []string{"requirement= r", "constraint= c", "python= p", "proxy=", "log=", "cache-dir=", "index-url= i", "extra-index-url=", "target= t", "prefix=", "directory=", "project=", "config-file=", "color=", "timeout=", "name= n", "channel=", "editable= e"}}},
	{[]string{"apt", "apt-get", "aptitude", "yum", "dnf", "microdnf", "zypper", "apk", "brew", "snap", "flatpak", "pacman", "paru", "yay", "port", "nix-env", "emerge", "pkg", "choco", "winget", "scoop", "opkg", "tdnf", "rpm", "dpkg", "xbps-install", "guix", "nix", "urpmi"}, options{Values: "otcRX", Long: []string{"option= o", "target-release= t", "config-file= c", "root=", "repository= X", "enablerepo=", "disablerepo=", "installroot=", "repo=", "arch="}}},
	{[]string{"go", "cargo", "gem", "bundle", "bundler", "composer", "dotnet", "mix", "rebar3", "cabal", "stack", "opam", "luarocks", "cpan", "cpanm", "rustup", "nuget", "pod", "swift", "raco", "mvn", "gradle", "sbt", "lein", "deno", "dart", "flutter", "pub", "juliaup", "asdf", "mise", "nvm", "fnm", "volta", "sdk", "gup", "helm", "krew", "kubectl", "terraform", "ansible-galaxy", "tlmgr", "docker", "podman", "make", "gmake", "code", "gh", "vcpkg", "conan"}, options{Values: "C", Long: []string{"manifest-path=", "config=", "color=", "working-dir= d", "directory="}}},
}

func toolOf(name string) (tool, bool) {
	bare := strings.TrimRight(name, "0123456789.")
	for _, t := range tools {
		if slices.Contains(t.Names, name) || slices.Contains(t.Names, bare) && bare == "pip" {
			return t, true
		}
	}
	return tool{}, false
}

// recordKnown adds a command, with its subcommand first where that is known.
func (r *reader) recordKnown(st *state, name string, argv []string) {
	if t, ok := toolOf(name); ok {
		words := argv[1:]
		if len(words) > 0 && strings.HasPrefix(words[0], "+") { // a toolchain, as of cargo
			words = words[1:]
		}
		p := t.Options.parse(words)
		c := command{argv: argv, parsed: &p}
		if len(p.operands) > 0 && !isOpen(p.operands[0]) {
			c.subcommand = p.operands[0]
			rest := p
			rest.operands = p.operands[1:]
			c.parsed = &rest
		}
		r.record(st, c)
		return
	}
	if w, ok := writerOf(name); ok {
		p := w.Options.parse(argv[1:])
		r.record(st, command{argv: argv, parsed: &p, roles: p.roles})
		return
	}
	r.record(st, command{argv: argv})
}
