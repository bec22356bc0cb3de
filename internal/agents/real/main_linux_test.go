package real_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sys/unix"
)

// The environment of these tests: see "make real-agents".
const (
	agentsEnv   = "AGENTS"          // the directory that scripts/agents.sh prints
	programEnv  = "RULECHECK"       // the program to test
	requiredEnv = "AGENTS_REQUIRED" // to fail instead of skipping
	roleEnv     = "REAL_AGENTS_ROLE"
)

// The roles of this program.
const (
	roleInside = "inside" // runs the tests, in a network namespace
	roleEcho   = "echo"   // an MCP server
)

// missing is why no agent can run; empty: they can.
var missing string

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleEnv); {
	case role == roleEcho:
		serveEcho()
		return
	case role == roleInside:
		if err := raiseLoopback(); err != nil {
			missing = "the loopback device cannot be used: " + err.Error()
		}
	case os.Getenv(agentsEnv) == "" || os.Getenv(programEnv) == "":
		missing = "run: make real-agents"
	default:
		status, err := runInside()
		if err == nil {
			os.Exit(status)
		}
		missing = "this system denies network namespaces: " + err.Error()
	}
	os.Exit(m.Run())
}

// runInside runs the tests in a new network namespace, so that agents reach nothing but
// the scripted model. Where only users' own namespaces are allowed, it is in one of them.
func runInside() (status int, err error) {
	own := &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWUSER, Pdeathsig: syscall.SIGKILL,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	for _, attributes := range []*syscall.SysProcAttr{{Cloneflags: unix.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}, own} {
		cmd := exec.CommandContext(context.Background(), "/proc/self/exe", os.Args[1:]...)
		cmd.Env = append(os.Environ(), roleEnv+"="+roleInside)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		cmd.SysProcAttr = attributes
		err = cmd.Run()
		var exit *exec.ExitError
		if err == nil || errors.As(err, &exit) {
			return cmd.ProcessState.ExitCode(), nil
		}
	}
	return 0, err
}

// raiseLoopback switches the loopback device on, in a new namespace.
func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return fmt.Errorf("socket: %w", err)
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

// serveEcho is an MCP server with one tool.
func serveEcho() {
	type text struct {
		Text string `json:"text"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "probe", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "echoes text"}, func(_ context.Context, _ *mcp.CallToolRequest, in text) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "echo: " + in.Text}}}, nil, nil
	})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
