package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fluxcd/cli-utils/pkg/object"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// The controller keeps what it applied in status.inventory of its Kustomization; here it is a file.
func (r *reconciler) file(name string) string {
	return filepath.Join(r.inventory, name+".json")
}

func (r *reconciler) remembered(name string) (object.ObjMetadataSet, error) {
	text, err := os.ReadFile(r.file(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []string
	if err := json.Unmarshal(text, &ids); err != nil {
		return nil, err
	}
	var set object.ObjMetadataSet
	for _, id := range ids {
		metadata, err := object.ParseObjMetadata(id)
		if err != nil {
			return nil, err
		}
		set = append(set, metadata)
	}
	return set, nil
}

func (r *reconciler) remember(name string, set object.ObjMetadataSet) error {
	ids := make([]string, 0, len(set))
	for _, metadata := range set {
		ids = append(ids, metadata.String())
	}
	text, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	return os.WriteFile(r.file(name), text, 0o644)
}

// Enough of each object to delete it by. The version is the one that the API server prefers.
func (r *reconciler) asObjects(set object.ObjMetadataSet) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	for _, metadata := range set {
		mapping, err := r.client.RESTMapper().RESTMapping(metadata.GroupKind)
		if err != nil {
			return nil, err
		}
		one := &unstructured.Unstructured{}
		one.SetGroupVersionKind(mapping.GroupVersionKind)
		one.SetName(metadata.Name)
		one.SetNamespace(metadata.Namespace)
		objects = append(objects, one)
	}
	return objects, nil
}
