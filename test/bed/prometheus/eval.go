package main

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
)

// A question: what a query gives at a moment, over series in the words of Prometheus' own tests (`load 1m`, then one line each).
type question struct {
	Load  string `json:"load"`
	Query string `json:"query"`
	After string `json:"after"`
}

// What it gives: the labels of each series of the result.
type found struct {
	Error  string              `json:"error,omitempty"`
	Series []map[string]string `json:"series"`
}

func evaluate(queries parser.Parser, in io.Reader, out io.Writer) error {
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	for {
		asked := question{}
		if err := decoder.Decode(&asked); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		series, err := asked.series(queries)
		answer := found{Series: series}
		if err != nil {
			answer.Error = err.Error()
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
	}
}

func (asked question) series(queries parser.Parser) (found []map[string]string, err error) {
	found = []map[string]string{}
	after, err := time.ParseDuration(asked.After)
	if err != nil {
		return found, err
	}
	loader, err := promqltest.NewLazyLoader(asked.Load, promqltest.LazyLoaderOpts{EnableAtModifier: true, EnableNegativeOffset: true, Parser: queries})
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, loader.Close()) }()
	moment := time.Unix(0, 0).UTC().Add(after)
	loader.WithSamplesTill(moment, func(problem error) { err = problem })
	if err != nil {
		return found, err
	}
	query, err := loader.QueryEngine().NewInstantQuery(loader.Context(), loader.Queryable(), nil, asked.Query, moment)
	if err != nil {
		return found, err
	}
	defer query.Close()
	vector, err := query.Exec(loader.Context()).Vector()
	if err != nil {
		return found, err
	}
	for _, sample := range vector {
		found = append(found, sample.Metric.Map())
	}
	return found, nil
}
