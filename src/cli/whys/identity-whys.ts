import type { IDENTITY_REASONS } from '../../core/decision/registry/identity-reasons.ts';
import type { WhysOf } from './why.ts';

/** Why the rules of TP1xxx exist. One row for each reason; append only, like the registry. */
export const IDENTITY_WHYS: WhysOf<typeof IDENTITY_REASONS> = {
  NameMapped: ['names', 'Reserved: each decision names its source and its host object already, so no render gives this one.'],
  NameHashed: [
    'names',
    'All virtual namespaces of a tenant share one namespace of the host, so a readable name that is too long, or that could be read in two ways, would be refused or stand for two objects.',
  ],
  NameCollision: [
    'names',
    'On the host both would write one object, so neither is rendered rather than one of them by luck; it takes a controller that makes an object of a name it is given, such as two ExternalSecrets with one target.',
  ],
  HostObjectForeign: [
    'names',
    'A render that wrote over a file it did not make would destroy somebody’s work, and a label alone could be set by anyone.',
  ],
  SourceDuplicated: ['concepts', 'Which of two definitions wins would depend on the order of files, which nobody reviews.'],
  ReferenceUnresolved: [
    'names',
    'The name is translated as if its target were there, so that both meet once it is; until then what reads it on the host finds nothing.',
  ],
  TenantMetadataDropped: [
    'isolation',
    'An annotation acts on a controller of the host, so one that claims a host of others, or that names nothing of the tenant’s, must not reach it.',
  ],
  LabelRekeyed: [
    'names',
    'Tools of the host read labels of these keys as their own, and would take the tenant’s object for one that they manage.',
  ],
  InvalidName: ['names', 'The API server would refuse the object only after the merge, in the middle of an apply.'],
  NameMissing: [
    'names',
    'Host name, file and decision all follow from the tenant’s name, and a name that the API server makes differs at each apply.',
  ],
  TenantMismatch: [
    'concepts',
    'The folder decides whose an object is; were a line inside the file to decide, a tenant could write itself into another.',
  ],
  ShortNameMade: [
    'dns',
    'Applications call a Service by its short name, and the host’s DNS completes that with the pod’s own namespace, where the Service has its host name only.',
  ],
};
