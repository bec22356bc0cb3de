package treesitter

import (
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

//go:embed grammars
var grammars embed.FS

const (
	maxPages   = 4096    // of 64 KiB: 256 MiB of memory for one instance
	maxModule  = 8 << 20 // of a grammar, decompressed
	stack      = 1 << 20 // bytes of memory before the data
	maxRecords = 1 << 24 // words of an answer
)

// machine is the runtime that compiles all grammars. It lives as long as the program.
var machine = sync.OnceValues(func() (rt wazero.Runtime, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("no compiler of WebAssembly for this system and processor")
		}
	}()
	config := wazero.NewRuntimeConfigCompiler().WithMemoryLimitPages(maxPages)
	if cache := openCache(); cache != nil {
		config = config.WithCompilationCache(cache)
	}
	return wazero.NewRuntimeWithConfig(context.Background(), config), nil
})

// openCache opens the cache of compiled grammars in the user's cache directory; nil if it
// cannot be written: compiling again costs about 0.2 s for each language.
func openCache() wazero.CompilationCache {
	home, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	dir := filepath.Join(home, "rulecheck", "grammars")
	if os.MkdirAll(dir, 0o700) != nil {
		return nil
	}
	probe, err := os.CreateTemp(dir, "probe")
	if err != nil {
		return nil
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return nil
	}
	return cache
}

// grammar is a grammar of the program and the query that reads declarations by it.
type grammar struct {
	name, query string

	once   sync.Once
	module wazero.CompiledModule // without data
	data   []byte                // what its memory holds after the stack when it begins
	err    error
	mutex  sync.Mutex
	free   []*instance
}

// open loads the grammar once.
func (g *grammar) open() error {
	g.once.Do(func() {
		g.err = errors.New("the parser cannot be loaded")
		defer func() { _ = recover() }()
		g.err = g.load()
	})
	return g.err
}

// load loads code and data at the same time, and makes the first instance.
func (g *grammar) load() error {
	data := sync.OnceValues(func() ([]byte, error) { return unpack(g.name + ".data") })
	go func() { _, _ = data() }()
	code, err := unpack(g.name + ".code")
	if err != nil {
		return err
	}
	rt, err := machine()
	if err != nil {
		return err
	}
	ctx := context.Background()
	if g.module, err = rt.CompileModule(experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0)), code); err != nil {
		return err
	}
	if g.data, err = data(); err != nil {
		return err
	}
	first, err := g.instantiate(ctx)
	g.free = []*instance{first}
	return err
}

// unpack returns what is in a file of the grammars.
func unpack(name string) ([]byte, error) {
	packed, err := fs.ReadFile(grammars, "grammars/"+name+".zst")
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxModule), zstd.IgnoreChecksum(true))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	content, err := decoder.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("grammar %s: %w", name, err)
	}
	return content, nil
}

// instance is one grammar with its own memory, which one goroutine uses at a time.
type instance struct {
	module    api.Module
	functions map[string]api.Function // that were called, with their stacks
	memory    api.Memory
	captures  []string
	patterns  []pattern
	parsed    string // the text of its tree, if it was parsed as a whole
}

// call calls an exported function that returns one value, or none.
func (i *instance) call(ctx context.Context, name string, args ...uint64) (uint32, error) {
	function := i.functions[name]
	if function == nil {
		function = i.module.ExportedFunction(name)
		i.functions[name] = function
	}
	results, err := function.Call(ctx, args...)
	switch {
	case err != nil:
		return 0, &crash{}
	case len(results) == 0:
		return 0, nil
	}
	return api.DecodeU32(results[0]), nil
}

// crash is the end of an instance: no steps or no memory are left.
type crash struct{}

func (*crash) Error() string {
	return "parsing takes more steps or memory than a file of its size may; want a simpler one"
}

// put copies bytes into the instance; the caller releases them.
func (i *instance) put(ctx context.Context, data string) (uint32, error) {
	at, err := i.call(ctx, "allocate", uint64(len(data)+1))
	if err == nil && !i.memory.WriteString(at, data) {
		err = errors.New("the parser's memory ended")
	}
	return at, err
}

// pass calls a function with a list whose elements have some words each.
func (i *instance) pass(ctx context.Context, function string, words []uint32, each int) (uint32, error) {
	var data []byte
	for _, word := range words {
		data = binary.LittleEndian.AppendUint32(data, word)
	}
	at, err := i.put(ctx, string(data))
	if err != nil {
		return 0, err
	}
	defer func() { _, _ = i.call(context.WithoutCancel(ctx), "release", uint64(at)) }()
	return i.call(ctx, function, uint64(at), uint64(len(words)/each)) //nolint:gosec // not negative
}

// answer returns the words of the last answer.
func (i *instance) answer(ctx context.Context) ([]uint32, error) {
	at, err := i.call(ctx, "answer")
	if err != nil {
		return nil, err
	}
	n, err := i.call(ctx, "answered")
	if err != nil {
		return nil, err
	}
	return i.words(at, n)
}

func (i *instance) words(at, n uint32) ([]uint32, error) {
	data, ok := i.memory.Read(at, 4*n)
	if !ok {
		return nil, errors.New("the parser's answer is outside of its memory")
	}
	words := make([]uint32, n)
	for w := range words {
		words[w] = binary.LittleEndian.Uint32(data[4*w:])
	}
	return words, nil
}

// text returns the text that an exported function points to.
func (i *instance) text(ctx context.Context, function string, id uint32) (string, error) {
	at, err := i.call(ctx, function, uint64(id))
	if err != nil {
		return "", err
	}
	n, err := i.call(ctx, "sized")
	if err != nil {
		return "", err
	}
	data, ok := i.memory.Read(at, n)
	if !ok {
		return "", errors.New("the parser's answer is outside of its memory")
	}
	return string(data), nil
}

// take returns an instance for one caller, if possible the one that has the tree of a text.
func (g *grammar) take(ctx context.Context, text string) (*instance, error) {
	if err := g.open(); err != nil {
		return nil, err
	}
	g.mutex.Lock()
	if n := len(g.free); n > 0 {
		at := max(slices.IndexFunc(g.free, func(i *instance) bool { return i.parsed == text }), 0)
		i := g.free[at]
		g.free = slices.Delete(g.free, at, at+1)
		g.mutex.Unlock()
		return i, nil
	}
	g.mutex.Unlock()
	return g.instantiate(ctx)
}

func (g *grammar) instantiate(ctx context.Context) (*instance, error) {
	rt, err := machine()
	if err != nil {
		return nil, err
	}
	m, err := rt.InstantiateModule(withMemory(ctx), g.module, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, err
	}
	i := &instance{module: m, functions: map[string]api.Function{}, memory: m.Memory()}
	if !i.memory.Write(stack, g.data) {
		return nil, errors.New("the parser's memory ended")
	}
	if err := i.prepare(ctx, g.query); err != nil {
		_ = m.Close(ctx)
		return nil, fmt.Errorf("query of %s: %w", g.name, err)
	}
	return i, nil
}

// give keeps an instance for the next file, unless it failed or became large.
func (g *grammar) give(ctx context.Context, i *instance, failed bool) {
	if failed || i.memory.Size() > 64<<20 {
		_ = i.module.Close(ctx)
		return
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.free = append(g.free, i)
}
