package main

import (
	"context"
	"os"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/ssa"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// The controller's own names, by which it knows its annotations and its fields again.
const controller = "kustomize-controller"

var group = kustomizev1.GroupVersion.Group

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
func (r *reconciler) reconcile(ctx context.Context, one kustomization, changes map[string][]string) error {
	objects, err := r.build(ctx, one)
	if err != nil {
		return err
	}
	name, namespace := one.Name, one.Namespace
	r.manager.SetOwnerLabels(objects, name, namespace)
	applied, err := r.manager.ApplyAllStaged(ctx, objects, applyOptions(one))
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
	if one.Spec.Prune {
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
	if !one.Spec.Wait {
		return nil
	}
	return r.manager.WaitForSetWithContext(ctx, applied.ToObjMetadataSet(), ssa.WaitOptions{
		Interval: time.Second, Timeout: one.GetTimeout(), FailFast: true,
	})
}

func applyOptions(one kustomization) ssa.ApplyOptions {
	options := ssa.DefaultApplyOptions()
	options.Force = one.Spec.Force
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
