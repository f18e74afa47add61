package main

import (
	"context"
	"os"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/pkg/ssa"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// The controller's own names, by which it knows its annotations and its fields again.
const (
	group      = "kustomize.toolkit.fluxcd.io"
	controller = "kustomize-controller"
)

type reconciler struct {
	client    client.Client
	manager   *ssa.ResourceManager
	source    string
	inventory string
}

func newReconciler(kubeconfig, source, inventory string) (*reconciler, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	// the controller's defaults
	config.QPS, config.Burst = 50, 300
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, httpClient)
	if err != nil {
		return nil, err
	}
	kube, err := client.New(config, client.Options{HTTPClient: httpClient, Mapper: mapper})
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(inventory, 0o755); err != nil {
		return nil, err
	}
	poller := polling.NewStatusPoller(kube, mapper, polling.Options{})
	manager := ssa.NewResourceManager(kube, poller, ssa.Owner{Field: controller, Group: group})
	manager.SetConcurrency(4)
	return &reconciler{client: kube, manager: manager, source: source, inventory: inventory}, nil
}

// Builds, applies, prunes what is in the inventory and no longer in the build, and waits where the Kustomization says so.
func (r *reconciler) reconcile(ctx context.Context, kustomization *unstructured.Unstructured, changes map[string][]string) error {
	objects, err := r.build(ctx, kustomization)
	if err != nil {
		return err
	}
	name, namespace := kustomization.GetName(), kustomization.GetNamespace()
	r.manager.SetOwnerLabels(objects, name, namespace)
	applied, err := r.manager.ApplyAllStaged(ctx, objects, applyOptions(kustomization))
	tell(changes, applied)
	if err != nil {
		return err
	}
	before, err := r.remembered(name)
	if err != nil {
		return err
	}
	if err := r.remember(name, applied.ToObjMetadataSet()); err != nil {
		return err
	}
	if isSet(kustomization, "prune") {
		gone, err := r.asObjects(before.Diff(applied.ToObjMetadataSet()))
		if err != nil {
			return err
		}
		deleted, err := r.manager.DeleteAll(ctx, gone, ssa.DeleteOptions{
			PropagationPolicy: "Background",
			Inclusions:        r.manager.GetOwnerLabels(name, namespace),
			Exclusions:        map[string]string{group + "/prune": "disabled", group + "/reconcile": "disabled"},
		})
		tell(changes, deleted)
		if err != nil {
			return err
		}
	}
	if !isSet(kustomization, "wait") {
		return nil
	}
	return r.manager.WaitForSetWithContext(ctx, applied.ToObjMetadataSet(), ssa.WaitOptions{
		Interval: time.Second, Timeout: duration(kustomization, "timeout", time.Minute), FailFast: true,
	})
}

func applyOptions(kustomization *unstructured.Unstructured) ssa.ApplyOptions {
	options := ssa.DefaultApplyOptions()
	options.Force = isSet(kustomization, "force")
	options.ForceSelector = map[string]string{group + "/force": "enabled"}
	options.ExclusionSelector = map[string]string{group + "/reconcile": "disabled", group + "/ssa": "Ignore"}
	options.IfNotPresentSelector = map[string]string{group + "/ssa": "IfNotPresent"}
	options.WaitInterval = 500 * time.Millisecond
	return options
}

func tell(changes map[string][]string, set *ssa.ChangeSet) {
	if set == nil {
		return
	}
	for action, subjects := range set.ToGroupedMap() {
		changes[string(action)] = append(changes[string(action)], subjects...)
	}
}

func isSet(kustomization *unstructured.Unstructured, field string) bool {
	value, _, _ := unstructured.NestedBool(kustomization.Object, "spec", field)
	return value
}

func duration(kustomization *unstructured.Unstructured, field string, otherwise time.Duration) time.Duration {
	text, _, _ := unstructured.NestedString(kustomization.Object, "spec", field)
	if value, err := time.ParseDuration(text); err == nil {
		return value
	}
	return otherwise
}
