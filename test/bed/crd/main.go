// The API server's own code for custom resources, without a server: reads the CRDs of a folder, refuses them as the API
// server would, then takes one object a line on stdin and prints, a line each, what the API server would say of it:
// `{"errors": [...], "unknown": [...], "value": {...}}`, where the value has defaults applied and unknown fields pruned.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apiservervalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

type kind struct {
	structural *schema.Structural
	fields     apiservervalidation.SchemaValidator
	rules      *cel.Validator
}

type question struct {
	Object   map[string]interface{} `json:"object"`
	Previous map[string]interface{} `json:"previous"`
}

type answer struct {
	Errors  []string               `json:"errors"`
	Unknown []string               `json:"unknown"`
	Value   map[string]interface{} `json:"value"`
}

func main() {
	if err := run(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder string, in io.Reader, out io.Writer) error {
	kinds, err := readCRDs(folder)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), 1<<26)
	encoder := json.NewEncoder(out)
	for lines.Scan() {
		asked, err := read(lines.Bytes())
		if err != nil {
			return err
		}
		known, found := kinds[fmt.Sprint(asked.Object["kind"])]
		if !found {
			return fmt.Errorf("no CRD for kind %v", asked.Object["kind"])
		}
		if err := encoder.Encode(known.ask(asked)); err != nil {
			return err
		}
	}
	return lines.Err()
}

// Integers stay integers, as in the API server.
func read(line []byte) (question, error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	asked := question{}
	if err := decoder.Decode(&asked); err != nil {
		return asked, err
	}
	return asked, errors.Join(utiljson.ConvertMapNumbers(asked.Object, 0), utiljson.ConvertMapNumbers(asked.Previous, 0))
}

func readCRDs(folder string) (map[string]*kind, error) {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no CRDs in %s: %w", folder, err)
	}
	kinds := map[string]*kind{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		crd := &v1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(text, crd); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		scheme.Default(crd)
		internal := &apiextensions.CustomResourceDefinition{}
		if err := scheme.Convert(crd, internal, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		internal.Status.StoredVersions = []string{crd.Spec.Versions[0].Name}
		// structural schema, defaults, and the types and estimated cost of every CEL rule
		if problems := validation.ValidateCustomResourceDefinition(context.Background(), internal); len(problems) > 0 {
			return nil, fmt.Errorf("%s: %w", file, problems.ToAggregate())
		}
		// conversion moves the schema of a single version to the top
		properties := internal.Spec.Validation
		if properties == nil {
			properties = internal.Spec.Versions[0].Schema
		}
		if properties == nil {
			return nil, errors.New(file + ": no schema")
		}
		structural, err := schema.NewStructural(properties.OpenAPIV3Schema)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		fields, _, err := apiservervalidation.NewSchemaValidator(properties.OpenAPIV3Schema)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		kinds[internal.Spec.Names.Kind] = &kind{structural, fields, cel.NewValidator(structural, true, celconfig.PerCallLimit)}
	}
	return kinds, nil
}

// In the order of the API server: prune, drop nulls, default, fields, rules.
func (k *kind) ask(asked question) answer {
	said := answer{Errors: []string{}, Unknown: []string{}}
	said.Unknown = append(said.Unknown, k.settle(asked.Object)...)
	for _, problem := range apiservervalidation.ValidateCustomResource(nil, asked.Object, k.fields) {
		said.Errors = append(said.Errors, problem.Error())
	}
	if len(said.Errors) == 0 {
		var old interface{}
		if asked.Previous != nil {
			k.settle(asked.Previous)
			old = asked.Previous
		}
		problems, _ := k.rules.Validate(context.Background(), field.NewPath(""), k.structural, asked.Object, old, celconfig.RuntimeCELCostBudget)
		for _, problem := range problems {
			said.Errors = append(said.Errors, problem.Error())
		}
	}
	said.Value = asked.Object
	return said
}

func (k *kind) settle(object map[string]interface{}) []string {
	options := schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown := pruning.PruneWithOptions(object, k.structural, true, options)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, k.structural)
	defaulting.Default(object, k.structural)
	return unknown
}
