package pack

import "context"

// Settings are the packs of a run: what its environment decides, and not a repository.
type Settings struct {
	Store Store
	// Organization is the pack that no repository can weaken; nil: there is none.
	Organization *Ref
	// Malformed is why the environment's name of that pack could not be read; nil: it could.
	// Whatever uses packs reports it, so that commands without rules still work.
	Malformed error
	// Verify checks the signature of a commit object; nil: packs need none.
	Verify func(ctx context.Context, commit []byte) error
}

type settingsKey struct{}

// With returns a context of a run with settings. They are in the context because no command
// may forget them: an organization's pack that one does not pass on would not be checked.
func With(ctx context.Context, s Settings) context.Context {
	return context.WithValue(ctx, settingsKey{}, s)
}

// From returns the settings of the run.
func From(ctx context.Context) Settings {
	s, _ := ctx.Value(settingsKey{}).(Settings)
	return s
}

// Organized reports whether the environment names a pack of an organization, well or not.
func (s Settings) Organized() bool { return s.Organization != nil || s.Malformed != nil }

// Open reads a fetched pack and checks its signature.
func (s Settings) Open(ctx context.Context, r Ref, digest string) (Content, error) {
	c, err := s.Store.Open(r, digest)
	if err == nil && s.Verify != nil {
		err = s.Verify(ctx, c.Commit)
	}
	return c, err
}
