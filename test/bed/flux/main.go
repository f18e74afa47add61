// Reconciles Flux Kustomizations once, as Flux's kustomize-controller does, with Flux's own packages: the controller itself
// cannot be built from a module proxy. Reads Kustomizations on stdin and prints what changed as one line of JSON for each.
//
//	flux -kubeconfig FILE -source FOLDER -inventory FOLDER < kustomizations.yaml
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
)

// What is printed for each Kustomization.
type report struct {
	Name string `json:"name"`
	// "Namespace/team-dev" or "ConfigMap/team-dev/settings", by what was done to it
	Changes map[string][]string `json:"changes"`
	Error   string              `json:"error,omitempty"`
	Seconds float64             `json:"seconds"`
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the cluster")
	source := flag.String("source", "", "the root that spec.path counts from")
	inventory := flag.String("inventory", "", "folder that remembers what was applied")
	flag.Parse()
	log.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	if err := run(*kubeconfig, *source, *inventory); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig, source, inventory string) error {
	objects, err := utils.ReadObjects(os.Stdin)
	if err != nil {
		return err
	}
	ordered, err := inOrder(kustomizationsOf(objects))
	if err != nil {
		return err
	}
	reconciler, err := newReconciler(kubeconfig, source, inventory)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	failed := map[string]bool{}
	for _, kustomization := range ordered {
		begin := time.Now()
		said := report{Name: kustomization.GetName(), Changes: map[string][]string{}}
		blocked := slices.IndexFunc(dependencies(kustomization), func(name string) bool { return failed[name] })
		if blocked >= 0 {
			err = fmt.Errorf("dependency %s is not ready", dependencies(kustomization)[blocked])
		} else {
			err = reconciler.reconcile(context.Background(), kustomization, said.Changes)
		}
		if err != nil {
			failed[said.Name] = true
			said.Error = err.Error()
		}
		said.Seconds = time.Since(begin).Seconds()
		if err := out.Encode(said); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d Kustomizations failed", len(failed), len(ordered))
	}
	return nil
}

func kustomizationsOf(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	return slices.DeleteFunc(objects, func(object *unstructured.Unstructured) bool {
		return object.GroupVersionKind().Group != group || object.GetKind() != "Kustomization"
	})
}

// What a Kustomization waits for by spec.dependsOn.
func dependencies(kustomization *unstructured.Unstructured) []string {
	entries, _, _ := unstructured.NestedSlice(kustomization.Object, "spec", "dependsOn")
	var names []string
	for _, entry := range entries {
		if fields, ok := entry.(map[string]any); ok {
			names = append(names, fmt.Sprint(fields["name"]))
		}
	}
	return names
}

// Dependencies before what depends on them, else as given.
func inOrder(waiting []*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	var ordered []*unstructured.Unstructured
	done := map[string]bool{}
	for len(waiting) > 0 {
		ready := func(kustomization *unstructured.Unstructured) bool {
			return !slices.ContainsFunc(dependencies(kustomization), func(name string) bool { return !done[name] })
		}
		next := slices.IndexFunc(waiting, ready)
		if next < 0 {
			return nil, errors.New("dependsOn of " + waiting[0].GetName() + " names nothing that is here, or goes in a circle")
		}
		ordered = append(ordered, waiting[next])
		done[waiting[next].GetName()] = true
		waiting = slices.Delete(waiting, next, next+1)
	}
	return ordered, nil
}
