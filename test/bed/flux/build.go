package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/ssa/normalize"
	"github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// What kustomize makes of spec.path, with a kustomization.yaml generated where there is none and spec.postBuild substituted. The
// controller works on a copy of its source as well.
func (r *reconciler) build(ctx context.Context, one kustomization) ([]*unstructured.Unstructured, error) {
	root, err := os.MkdirTemp("", "flux-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	folder := filepath.Join(root, filepath.Clean("/"+one.Spec.Path))
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(r.source, one.Spec.Path))); err != nil {
		return nil, err
	}
	if _, err := kustomize.NewGenerator(root, one.written).WriteFile(folder); err != nil {
		return nil, err
	}
	built, err := kustomize.SecureBuild(root, folder, false)
	if err != nil {
		return nil, err
	}
	for _, resource := range built.Resources() {
		substituted, err := kustomize.SubstituteVariables(ctx, r.client, one.written, resource)
		if err != nil {
			return nil, err
		}
		if substituted == nil {
			continue
		}
		if _, err := built.Replace(substituted); err != nil {
			return nil, err
		}
	}
	text, err := built.AsYaml()
	if err != nil {
		return nil, err
	}
	objects, err := utils.ReadObjects(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return objects, normalize.UnstructuredList(objects)
}
