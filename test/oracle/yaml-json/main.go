// Command yaml-json answers what kubectl reads from YAML texts: it runs the library that kubectl uses.
//
// stdin: a JSON list of texts. stdout: a JSON list of answers, {"value": ...} or {"error": "..."}. In a value every
// number is "n:<digits>" and every string "s:<text>", so that a reader of JSON without 64-bit integers loses nothing.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"

	"sigs.k8s.io/yaml"
)

type answer struct {
	Value any    `json:"value,omitempty"`
	Null  bool   `json:"null,omitempty"`
	Error string `json:"error,omitempty"`
}

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		log.Fatal(err)
	}
	answers := make([]answer, len(texts))
	for i, text := range texts {
		answers[i] = read(text)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(answers); err != nil {
		log.Fatal(err)
	}
}

func read(text string) answer {
	converted, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return answer{Error: err.Error()}
	}
	decoder := json.NewDecoder(bytes.NewReader(converted))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: mark(value), Null: value == nil}
}

func mark(value any) any {
	switch v := value.(type) {
	case json.Number:
		return "n:" + v.String()
	case string:
		return "s:" + v
	case []any:
		for i := range v {
			v[i] = mark(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = mark(v[key])
		}
	}
	return value
}
