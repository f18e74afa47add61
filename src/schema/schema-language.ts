/**
 * The language that the schema literals of this folder are written in: the part of OpenAPI v3 that a structural schema of
 * Kubernetes may hold, with formats by name and a description on every field. Everything else (types, validation, defaults,
 * CRDs, JSON Schema, reference tables) is made from the literals.
 */
import type { FormatName } from './formats.ts';
import type { Json } from './json.ts';

interface Described {
  readonly description: string;
}

export interface StringSchema extends Described {
  readonly type: 'string';
  readonly enum?: readonly string[];
  readonly format?: FormatName;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: string;
  /** `""` is accepted and means that the field is not set, as it does for Go's `omitempty` in the public API */
  readonly emptyIsUnset?: true;
}

export interface IntegerSchema extends Described {
  readonly type: 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface BooleanSchema extends Described {
  readonly type: 'boolean';
  readonly default?: boolean;
}

export interface ListSchema extends Described {
  readonly type: 'array';
  readonly items: Schema;
  readonly maxItems?: number;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

/** An object with a closed set of fields. */
export interface FieldsSchema extends Described {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** only `{}`: the defaults of the fields do the rest */
  readonly default?: Readonly<Record<string, never>>;
}

/** A map with keys of the user's. */
export interface MapSchema extends Described {
  readonly type: 'object';
  readonly additionalProperties: Schema;
  readonly keyFormat?: FormatName;
}

/** A value that somebody else defines; it is copied and never looked at. */
export interface OpaqueSchema extends Described {
  readonly 'x-kubernetes-preserve-unknown-fields': true;
}

export type Schema = StringSchema | IntegerSchema | BooleanSchema | ListSchema | FieldsSchema | MapSchema | OpaqueSchema;

/** The TypeScript type of a value after validation: a field is there where it is required or has a default. */
export type Infer<S> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly type: 'string' }
    ? string
    : S extends { readonly type: 'integer' }
      ? number
      : S extends { readonly type: 'boolean' }
        ? boolean
        : S extends { readonly items: infer I }
          ? readonly Infer<I>[]
          : S extends { readonly properties: infer P }
            ? InferFields<P, S extends { readonly required: readonly (infer R)[] } ? R : never>
            : S extends { readonly additionalProperties: infer A }
              ? Readonly<Record<string, Infer<A>>>
              : Json;

type Present<P, R> = { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : K extends R ? K : never }[keyof P];
type InferFields<P, R> = Flat<
  { readonly [K in Present<P, R>]: Infer<P[K]> } & { readonly [K in Exclude<keyof P, Present<P, R>>]?: Infer<P[K]> }
>;
type Flat<T> = { [K in keyof T]: T[K] };
