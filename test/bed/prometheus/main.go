// Prometheus' own code for rules and queries, without a server. `check FILE` reads a file of rules as Prometheus does when it starts.
// `names` takes one query a line on stdin and prints, a line each, what is wrong with it or which metrics it asks for:
// `{"error": "...", "names": [...]}`. `eval` takes questions on stdin (eval.go).
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

type answer struct {
	Error string   `json:"error,omitempty"`
	Names []string `json:"names"`
}

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	queries := parser.NewParser(parser.Options{})
	switch {
	case len(args) == 2 && args[0] == "check":
		_, problems := rulefmt.ParseFile(args[1], false, model.UTF8Validation, queries, slog.New(slog.DiscardHandler))
		return errors.Join(problems...)
	case len(args) == 1 && args[0] == "names":
		return names(queries, in, out)
	case len(args) == 1 && args[0] == "eval":
		return evaluate(queries, in, out)
	}
	return errors.New("usage: check FILE | names | eval")
}

func names(queries parser.Parser, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	encoder := json.NewEncoder(out)
	for lines.Scan() {
		if err := encoder.Encode(ask(queries, lines.Text())); err != nil {
			return err
		}
	}
	return lines.Err()
}

func ask(queries parser.Parser, query string) answer {
	expr, err := queries.ParseExpr(query)
	if err != nil {
		return answer{Error: err.Error(), Names: []string{}}
	}
	found := []string{}
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if selector, ok := node.(*parser.VectorSelector); ok {
			found = append(found, selector.Name)
		}
		return nil
	})
	slices.Sort(found)
	return answer{Names: slices.Compact(found)}
}
