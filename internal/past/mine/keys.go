package mine

import "path"

// Keys are the keys of a manifest that its lock file depends on.
type Keys struct {
	Pointer string   `json:"pointer"`
	Edit    []string `json:"-"` // lines of an example that changes one of them
}

// lockedKeys has the keys of manifests that lock files depend on: those of dependencies.
var lockedKeys = map[string]Keys{
	"package.json": {
		"/{dependencies,devDependencies,optionalDependencies,peerDependencies}/**",
		[]string{`- {"dependencies": {"a": "1"}}`, `+ {"dependencies": {"a": "2"}}`},
	},
	"Cargo.toml": {
		"/{dependencies,dev-dependencies,build-dependencies,workspace/dependencies}/**",
		[]string{"- [dependencies]", `- a = "1"`, "+ [dependencies]", `+ a = "2"`},
	},
	"pyproject.toml": {
		"/{project/dependencies,project/optional-dependencies,dependency-groups,tool/poetry/dependencies,tool/poetry/dev-dependencies,tool/poetry/group}/**",
		[]string{"- [project]", `- dependencies = ["a"]`, "+ [project]", `+ dependencies = ["a", "b"]`},
	},
	"go.mod":        {"/{require,replace}/**", []string{"- require example.com/a v1.0.0", "+ require example.com/a v1.1.0"}},
	"composer.json": {"/{require,require-dev}/**", []string{`- {"require": {"a/a": "1"}}`, `+ {"require": {"a/a": "2"}}`}},
}

// keysOf returns the keys of its trigger that a form depends on, if it is about a manifest and
// a lock file, and held in the newest part.
func (p *past) keysOf(f scored) (keys Keys, found bool) {
	trigger, place := p.templates[f.triggers[0]].String(), p.templates[f.places[0]].String()
	if f.since.Held < leastProving || f.mode != ModePair || len(f.places) > 1 || !isManifest(place) || !isLock(place) {
		return keys, false
	}
	keys, found = lockedKeys[path.Base(trigger)]
	return keys, found
}
