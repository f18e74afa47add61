// The API server's own evaluation of ValidatingAdmissionPolicies, without a server, to see what it costs: takes policies and
// requests as JSON on stdin and prints, a line for each request, the CEL cost of the policy's match conditions, of its dearest
// validation with the variables that it asks for, of all validations with their messages, and of its audit annotations.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	admissionv1 "k8s.io/api/admission/v1"
	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
)

type question struct {
	Policies []v1.ValidatingAdmissionPolicy `json:"policies"`
	Requests []request                      `json:"requests"`
}

type request struct {
	Policy      string            `json:"policy"`
	Operation   string            `json:"operation"`
	Group       string            `json:"group"`
	Resource    string            `json:"resource"`
	Subresource string            `json:"subresource"`
	Object      wholeNumbers      `json:"object"`
	OldObject   wholeNumbers      `json:"oldObject"`
	Namespace   *corev1.Namespace `json:"namespace"`
	User        string            `json:"user"`
	Groups      []string          `json:"groups"`
}

// wholeNumbers is an object whose whole numbers are integers, as they are for the API server.
type wholeNumbers map[string]interface{}

func (w *wholeNumbers) UnmarshalJSON(text []byte) error {
	return utiljson.Unmarshal(text, (*map[string]interface{})(w))
}

// answer has costs in the API server's units, beside what it allows.
type answer struct {
	Policy          string   `json:"policy"`
	MatchConditions int64    `json:"matchConditions"`
	Dearest         int64    `json:"dearest"`
	Validations     int64    `json:"validations"`
	Annotations     int64    `json:"annotations"`
	Refused         bool     `json:"refused"`
	Errors          []string `json:"errors"`
	Limits          limits   `json:"limits"`
}

type limits struct {
	Expression      int64 `json:"expression"`
	Policy          int64 `json:"policy"`
	MatchConditions int64 `json:"matchConditions"`
}

var allowed = limits{
	Expression:      celconfig.PerCallLimit,
	Policy:          celconfig.RuntimeCELCostBudget,
	MatchConditions: celconfig.RuntimeCELCostBudgetMatchConditions,
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	var asked question
	if err := json.NewDecoder(bufio.NewReader(in)).Decode(&asked); err != nil {
		return err
	}
	compiled := map[string]*policy{}
	for index := range asked.Policies {
		one, err := compile(&asked.Policies[index])
		if err != nil {
			return err
		}
		compiled[asked.Policies[index].Name] = one
	}
	lines := json.NewEncoder(out)
	for _, each := range asked.Requests {
		one := compiled[each.Policy]
		if one == nil {
			return fmt.Errorf("no policy %s", each.Policy)
		}
		said := one.answer(each)
		said.Policy = each.Policy
		said.Limits = allowed
		if err := lines.Encode(said); err != nil {
			return err
		}
	}
	return nil
}

// policy is a policy as the API server compiles it: conditions, validations, messages and annotations over the same variables.
type policy struct {
	conditions  cel.ConditionEvaluator
	each        []cel.ConditionEvaluator
	validations cel.ConditionEvaluator
	messages    cel.ConditionEvaluator
	annotations cel.ConditionEvaluator
}

func compile(object *v1.ValidatingAdmissionPolicy) (*policy, error) {
	compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		return nil, err
	}
	authorized := cel.OptionalVariableDeclarations{HasAuthorizer: true}
	for _, variable := range object.Spec.Variables {
		made := compiler.CompileAndStoreVariable(&validating.Variable{Name: variable.Name, Expression: variable.Expression}, authorized, environment.StoredExpressions)
		if made.Error != nil {
			return nil, fmt.Errorf("%s, variable %s: %w", object.Name, variable.Name, made.Error)
		}
	}
	var conditions, validations, messages, annotations []cel.ExpressionAccessor
	for index := range object.Spec.MatchConditions {
		conditions = append(conditions, (*matchconditions.MatchCondition)(&object.Spec.MatchConditions[index]))
	}
	for _, validation := range object.Spec.Validations {
		validations = append(validations, &validating.ValidationCondition{Expression: validation.Expression})
		if validation.MessageExpression != "" {
			messages = append(messages, &validating.MessageExpressionCondition{MessageExpression: validation.MessageExpression})
		}
	}
	for _, annotation := range object.Spec.AuditAnnotations {
		annotations = append(annotations, &validating.AuditAnnotationCondition{Key: annotation.Key, ValueExpression: annotation.ValueExpression})
	}
	of := func(expressions []cel.ExpressionAccessor, declared cel.OptionalVariableDeclarations) cel.ConditionEvaluator {
		return compiler.CompileCondition(expressions, declared, environment.StoredExpressions)
	}
	made := &policy{
		conditions:  of(conditions, authorized),
		validations: of(validations, authorized),
		messages:    of(messages, cel.OptionalVariableDeclarations{}),
		annotations: of(annotations, authorized),
	}
	for _, validation := range validations {
		made.each = append(made.each, of([]cel.ExpressionAccessor{validation}, authorized))
	}
	wrong := append(made.conditions.CompilationErrors(), made.validations.CompilationErrors()...)
	wrong = append(append(wrong, made.messages.CompilationErrors()...), made.annotations.CompilationErrors()...)
	return made, errors.Join(wrong...)
}

func (p *policy) answer(asked request) answer {
	said := answer{Errors: []string{}}
	attributes := attributesOf(asked)
	cost := func(evaluator cel.ConditionEvaluator, budget int64) int64 {
		// a message that cannot be worked out is replaced by the literal one
		message := evaluator == p.messages
		results, left, err := evaluator.ForInput(context.Background(), attributes, admissionRequest(attributes), cel.OptionalVariableBindings{}, cel.CreateNamespaceObject(asked.Namespace), budget)
		if err != nil {
			said.Errors = append(said.Errors, err.Error())
			return budget
		}
		for _, result := range results {
			if result.Error != nil && !message {
				said.Errors = append(said.Errors, result.Error.Error())
			} else if result.Error == nil && result.EvalResult != nil && result.EvalResult.Value() == false {
				said.Refused = true
			}
		}
		return budget - left
	}
	said.Annotations = cost(p.annotations, allowed.Policy)
	for _, validation := range p.each {
		said.Dearest = max(said.Dearest, cost(validation, allowed.Policy))
	}
	said.Validations = cost(p.validations, allowed.Policy) + cost(p.messages, allowed.Policy)
	// a condition that is false is no refusal
	refused := said.Refused
	said.MatchConditions = cost(p.conditions, allowed.MatchConditions)
	said.Refused = refused
	return said
}

func admissionRequest(attributes *admission.VersionedAttributes) *admissionv1.AdmissionRequest {
	return cel.CreateAdmissionRequest(attributes.Attributes, metav1.GroupVersionResource(attributes.GetResource()), metav1.GroupVersionKind(attributes.VersionedKind))
}

func attributesOf(asked request) *admission.VersionedAttributes {
	object, old := objectOf(asked.Object), objectOf(asked.OldObject)
	var kind schema.GroupVersionKind
	var name, namespace string
	for _, each := range []*unstructured.Unstructured{old, object} {
		if each != nil {
			kind, name = each.GroupVersionKind(), each.GetName()
		}
	}
	if asked.Namespace != nil {
		namespace = asked.Namespace.Name
	}
	resource := schema.GroupVersionResource{Group: asked.Group, Version: kind.Version, Resource: asked.Resource}
	who := &user.DefaultInfo{Name: asked.User, Groups: asked.Groups}
	record := admission.NewAttributesRecord(orNil(object), orNil(old), kind, namespace, name, resource, asked.Subresource, admission.Operation(asked.Operation), nil, false, who)
	made := &admission.VersionedAttributes{Attributes: record, VersionedKind: kind}
	made.VersionedObject.Set(orNil(object))
	made.VersionedOldObject.Set(orNil(old))
	return made
}

func objectOf(fields wholeNumbers) *unstructured.Unstructured {
	if fields == nil {
		return nil
	}
	return &unstructured.Unstructured{Object: fields}
}

// orNil keeps a nil pointer from becoming an interface that is not nil.
func orNil(object *unstructured.Unstructured) runtime.Object {
	if object == nil {
		return nil
	}
	return object
}
