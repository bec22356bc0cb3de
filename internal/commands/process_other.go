//go:build !linux

package commands

import (
	"context"
	"os/exec"
)

// supervise runs cmd. When ctx ends it is killed, and with it, or after its own
// end, all that it started where the system has process groups.
func supervise(ctx context.Context, cmd *exec.Cmd, _ guard, started func()) error {
	alone(cmd)
	err := cmd.Start()
	started()
	if err != nil {
		return err
	}
	var status error
	over := make(chan struct{})
	go func() {
		status = cmd.Wait()
		close(over)
	}()
	select {
	case <-over:
		end(cmd)
		return status
	case <-ctx.Done():
		end(cmd)
		<-over
		return ctx.Err()
	}
}

// sweep would find what left its group; there is no way to here.
func sweep(string) []string { return nil }
