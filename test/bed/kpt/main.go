// The `kpt fn` and `kpt live` commands from kpt's own Go module. The whole of kpt cannot be built from a module proxy: one of
// its alpha commands needs a module that is not published. These two need none of that, and they are all that our tests drive.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/kptdev/kpt/commands/fn"
	"github.com/kptdev/kpt/commands/live"
	"github.com/kptdev/kpt/pkg/lib/errors/resolver"
	"github.com/kptdev/kpt/pkg/printer"
	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "kpt", SilenceUsage: true, SilenceErrors: true, Version: "fn, live"}
	root.PersistentFlags().BoolVar(&printer.TruncateOutput, "truncate-output", true, "cut long output of functions")
	ctx := printer.WithContext(context.Background(), printer.New(os.Stdout, os.Stderr))
	root.AddCommand(fn.GetCommand(ctx, "kpt"), live.GetCommand(ctx, "kpt", "fn, live"))
	err := root.ExecuteContext(ctx)
	if err == nil {
		return
	}
	if resolved, ok := resolver.ResolveError(err); ok {
		fmt.Fprintln(os.Stderr, resolved.Message)
	} else {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
	}
	os.Exit(1)
}
