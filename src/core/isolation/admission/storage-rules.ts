import { every, list, orEmpty, some, unchanged } from './cel.ts';
import { allowedClasses, choosesNoVolume, noOldClass, ownSource } from './claim-expressions.ts';
import type { Rule } from './rule.ts';

const SPEC = 'object.spec';
const OLD = 'oldObject.spec';

export const STORAGE_RULES: readonly Rule[] = [
  {
    id: 'pvc-volume',
    group: 'claims',
    matches: 'PersistentVolumeClaims, also when changed',
    controls: ['storageClasses'],
    // Kubernetes binds a claim by writing the volume's name into it.
    expression: () =>
      `request.operation == 'UPDATE' ? ${some(['variables.kubernetes', `${orEmpty(`${SPEC}.volumeName`)} == ${orEmpty(`${OLD}.volumeName`)}`])} : ${choosesNoVolume(SPEC)}`,
    message: ['the claim chooses a volume of the host', 'Leave volumeName and selector out, and let the class provision one.'],
    doc: 'names no volume and selects none; only Kubernetes binds it',
  },
  {
    id: 'pvc-source',
    group: 'claims',
    matches: 'PersistentVolumeClaims',
    controls: ['storageClasses'],
    expression: () => some([`request.operation == 'UPDATE'`, ownSource(SPEC)]),
    message: [
      'the claim copies what is not a claim of its namespace',
      'Clone from a PersistentVolumeClaim of the same namespace, or leave the source out.',
    ],
    doc: 'copies nothing but a claim of its own namespace',
  },
  {
    id: 'pvc-class',
    group: 'claims',
    matches: 'PersistentVolumeClaims, also when changed',
    controls: ['storageClasses'],
    // Behind the API server's defaulting, a default class cannot be told from a named one: what controllers and trusted writers
    // ask for was looked at in templates and by the render.
    expression: (profile, { defaultStorageClass }) =>
      some([
        unchanged(['spec.storageClassName', 'spec.volumeAttributesClassName', 'spec.volumeName']),
        every([
          some(['variables.trusted', 'variables.kubernetes']),
          some([`!has(${SPEC}.storageClassName)`, `${SPEC}.storageClassName != ''`]),
        ]),
        allowedClasses(SPEC, profile, defaultStorageClass === undefined ? [] : [defaultStorageClass]),
      ]),
    message: ['the storage class is not one of the profile', 'Name a class of allow.storageClasses.'],
    found: `has(${SPEC}.storageClassName) ? ${SPEC}.storageClassName : 'no class'`,
    doc: 'has a class of `allow.storageClasses`, or the host’s default',
  },
  {
    id: 'pvc-old-class',
    group: 'claims',
    matches: 'PersistentVolumeClaims',
    controls: ['storageClasses'],
    // The API lets nobody change it later.
    expression: () => some([`request.operation == 'UPDATE'`, noOldClass('object.metadata')]),
    message: ['an annotation names the storage class', 'Use spec.storageClassName.'],
    doc: 'names its class in `spec` and not in the old annotation, which would count before it',
  },
  {
    id: 'sec',
    group: 'secrets',
    matches: 'Secrets',
    controls: ['secretTypes'],
    expression: () =>
      some(['!has(object.type)', `!(object.type in ${list(['kubernetes.io/service-account-token', 'bootstrap.kubernetes.io/token'])})`]),
    message: ['the host fills a Secret of this type with a credential of its own', 'Use type Opaque.'],
    found: 'object.type',
    doc: 'is of no type that the host fills with a credential of its own',
  },
];
