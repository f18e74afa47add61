package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

type options map[string][]string

func (o options) has(name string) bool { return o.get(name, "false") == "true" }

// get is the value of a flag; the last one counts.
func (o options) get(name, otherwise string) string {
	if values := o[name]; len(values) > 0 {
		return values[len(values)-1]
	}
	return otherwise
}

// list has the values of a flag, which may be given several times and may hold commas.
func (o options) list(name string) []string {
	var all []string
	for _, value := range o[name] {
		all = append(all, strings.Split(value, ",")...)
	}
	return all
}

// path is one below the data folder's part for servers.
func (o options) path(parts ...string) string {
	return filepath.Join(append([]string{o.get("data-dir", "/var/lib/rancher/k3s"), "server"}, parts...)...)
}

func (o options) port() string { return o.get("https-listen-port", "6443") }

// parseOptions reads arguments as k3s does, in its words where it refuses.
func parseOptions(args []string, lookup func(string) (string, bool)) (options, error) {
	parsed := options{}
	for variable, name := range environment {
		if value, found := lookup(variable); found && value != "" {
			if flags[name].effect == refused {
				return nil, fmt.Errorf("the stand-in does not do what %s says", variable)
			}
			parsed[name] = []string{value}
		}
	}
	given := map[string]bool{}
	for at := 0; at < len(args); at++ {
		dashed, value, hasValue := strings.Cut(args[at], "=")
		name := strings.TrimLeft(dashed, "-")
		if name == dashed {
			return nil, fmt.Errorf("the stand-in takes no argument %q", dashed)
		}
		if long, found := shorts[name]; found {
			name = long
		}
		row, found := flags[name]
		switch {
		case !found:
			return nil, fmt.Errorf("flag provided but not defined: -%s", name)
		case row.effect == refused:
			return nil, fmt.Errorf("the stand-in does not do what --%s says", name)
		case given[name] && !row.many && row.value:
			return nil, fmt.Errorf("--%s is given twice", name)
		case row.value && !hasValue:
			at++
			if at == len(args) {
				return nil, fmt.Errorf("flag needs an argument: -%s", name)
			}
			value = args[at]
		case !row.value && !hasValue:
			value = "true"
		case !row.value:
			if _, err := strconv.ParseBool(value); err != nil {
				return nil, fmt.Errorf("invalid boolean value %q for -%s", value, name)
			}
		}
		if !given[name] {
			parsed[name] = nil // an argument counts more than the environment
		}
		given[name] = true
		parsed[name] = append(parsed[name], value)
	}
	if err := parsed.addFile(); err != nil {
		return nil, err
	}
	if !parsed.has("disable-agent") {
		return nil, fmt.Errorf("the stand-in has no agent: --disable-agent is missing")
	}
	return parsed, nil
}

// addFile adds what the file of --config says: a flag a line, without its dashes. Arguments and environment count more.
func (o options) addFile() error {
	file := o.get("config", "")
	if file == "" {
		return nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, line := range strings.Split(string(content), "\n") {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if row, found := flags[name]; name != "" && (!found || row.effect == refused) {
			return fmt.Errorf("%s: the stand-in does not do what %s says", file, name)
		}
		if name != "" && o[name] == nil {
			o[name] = []string{value}
		}
	}
	return nil
}

// token is what servers of one cluster share; undefined makes k3s choose one, which nobody would know.
func (o options) token() (string, error) {
	if file := o.get("token-file", ""); file != "" {
		content, err := os.ReadFile(file)
		return strings.TrimSpace(string(content)), err
	}
	if token := o.get("token", ""); token != "" {
		return token, nil
	}
	return "", fmt.Errorf("the stand-in chooses no token: --token-file is missing")
}
