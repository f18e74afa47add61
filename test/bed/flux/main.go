// Reconciles Flux Kustomizations once, as Flux's kustomize-controller does, with Flux's own packages, and says what it did
// to each object, which the controller does not. Reads Kustomizations on stdin and prints what changed as one line of JSON for each.
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
	"sync"
	"time"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
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
	kustomizations, err := kustomizationsOf(objects)
	if err != nil {
		return err
	}
	ordered, err := inOrder(kustomizations)
	if err != nil {
		return err
	}
	reconciler, err := newReconciler(kubeconfig, source, inventory)
	if err != nil {
		return err
	}
	reports := reconcileAll(ordered, reconciler.reconcile)
	out := json.NewEncoder(os.Stdout)
	failed := 0
	for _, said := range reports {
		if said.Error != "" {
			failed++
		}
		if err := out.Encode(said); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d Kustomizations failed", failed, len(ordered))
	}
	return nil
}

// As many at a time as the controller's default, each behind what it depends on. Reports are in the order in which they ended.
func reconcileAll(ordered []kustomization, reconcile func(context.Context, kustomization, map[string][]string) error) []report {
	ended := map[string]chan struct{}{}
	for _, one := range ordered {
		ended[one.Name] = make(chan struct{})
	}
	var lock sync.Mutex
	var reports []report
	failed := map[string]bool{}
	slots := make(chan struct{}, 4)
	var all sync.WaitGroup
	for _, one := range ordered {
		all.Go(func() {
			defer close(ended[one.Name])
			said := report{Name: one.Name, Changes: map[string][]string{}}
			var err error
			for _, other := range one.Spec.DependsOn {
				<-ended[other.Name]
				lock.Lock()
				if failed[other.Name] {
					err = fmt.Errorf("dependency %s is not ready", other.Name)
				}
				lock.Unlock()
			}
			if err == nil {
				slots <- struct{}{}
				begin := time.Now()
				err = reconcile(context.Background(), one, said.Changes)
				said.Seconds = time.Since(begin).Seconds()
				<-slots
			}
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				failed[one.Name] = true
				said.Error = err.Error()
			}
			reports = append(reports, said)
		})
	}
	all.Wait()
	return reports
}

// A Kustomization as Flux's own types read it, and as it was written: the build takes the latter.
type kustomization struct {
	kustomizev1.Kustomization
	written unstructured.Unstructured
}

// A field that Flux does not know is an error, as it is to its API.
func kustomizationsOf(objects []*unstructured.Unstructured) ([]kustomization, error) {
	var found []kustomization
	for _, object := range objects {
		if object.GroupVersionKind() != kustomizev1.GroupVersion.WithKind("Kustomization") {
			continue
		}
		one := kustomization{written: *object}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object.Object, &one.Kustomization, true); err != nil {
			return nil, fmt.Errorf("Kustomization %s: %w", object.GetName(), err)
		}
		found = append(found, one)
	}
	return found, nil
}

// Dependencies before what depends on them, else as given.
func inOrder(waiting []kustomization) ([]kustomization, error) {
	var ordered []kustomization
	done := map[string]bool{}
	for len(waiting) > 0 {
		ready := func(one kustomization) bool {
			missing := func(other meta.DependencyReference) bool { return !done[other.Name] }
			return !slices.ContainsFunc(one.Spec.DependsOn, missing)
		}
		next := slices.IndexFunc(waiting, ready)
		if next < 0 {
			return nil, errors.New("dependsOn of " + waiting[0].Name + " names nothing that is here, or goes in a circle")
		}
		ordered = append(ordered, waiting[next])
		done[waiting[next].Name] = true
		waiting = slices.Delete(waiting, next, next+1)
	}
	return ordered, nil
}
