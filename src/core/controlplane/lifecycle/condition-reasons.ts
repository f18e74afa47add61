/**
 * Every condition of a TenantCluster and every reason that it can have: what it means, and what to do. Docs, the Argo CD health script and
 * the tests read this table; a reason that is not here cannot be written.
 */
export interface ConditionRow<Name extends string = string> {
  /** `normal`: True is good. `abnormal`: there only while something is the matter, and then True (kstatus) */
  readonly polarity: 'normal' | 'abnormal';
  readonly meaning: string;
  readonly reasons: Readonly<Record<Name, ReasonRow>>;
}

export interface ReasonRow {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly meaning: string;
  /** what a person does about it; undefined where nothing is to be done */
  readonly remedy?: string;
}

const good = (meaning: string): ReasonRow => ({ status: 'True', meaning });
const bad = (meaning: string, remedy: string): ReasonRow => ({ status: 'False', meaning, remedy });
const unknown = (meaning: string, remedy?: string): ReasonRow => ({ status: 'Unknown', meaning, ...(remedy !== undefined && { remedy }) });
/** of an abnormal condition that ends by itself */
const passing = (meaning: string): ReasonRow => ({ status: 'True', meaning });
/** of an abnormal condition that a person has to end */
const stuck = (meaning: string, remedy: string): ReasonRow => ({ status: 'True', meaning, remedy });

/** The reasons of each condition. */
export interface ReasonNames {
  Ready: 'Succeeded' | 'Progressing';
  Reconciling: 'Provisioning' | 'DependencyNotReady' | 'Upgrading' | 'Updating' | 'RollingRestart' | 'Deleting';
  Stalled:
    | 'ProfileMissing'
    | 'PolicyMissing'
    | 'Invalid'
    | 'ModeNotImplemented'
    | 'ModeChangeRefused'
    | 'VersionUnsupported'
    | 'DowngradeRefused'
    | 'ImmutableChange'
    | 'AuthoritiesLost'
    | 'AuthoritiesBroken'
    | 'AccessMissing'
    | 'NamespaceForeign'
    | 'NamespaceShared'
    | 'ObjectForeign'
    | 'ObjectFixed'
    | 'DatastoreSecretMissing'
    | 'StorageClassMissing';
  ControlPlaneReady:
    | 'Available'
    | 'NotStarted'
    | 'Starting'
    | 'ImagePullFailing'
    | 'PodUnschedulable'
    | 'PodRefused'
    | 'Crashing'
    | 'Unreachable';
  IsolationEnforced: 'Enforced' | 'BoundaryMissing' | 'BoundaryDrifted' | 'NotVerified';
  CertificatesValid: 'Valid' | 'RenewalDue' | 'Expired';
  Paused: 'User' | 'DeletionHeld';
}

export const CONDITIONS: { readonly [T in ConditionType]: ConditionRow<ReasonNames[T]> } = {
  Ready: {
    polarity: 'normal',
    meaning:
      'The summary: the tenant’s API answers, inside the isolation that is declared. Where it is False, its reason is that of the condition that is to blame.',
    reasons: {
      Succeeded: good('Everything is as the spec says.'),
      Progressing: unknown('The reconciler is at work; Reconciling says at what.'),
    },
  },
  Reconciling: {
    polarity: 'abnormal',
    meaning: 'The reconciler is at work, or waits for something that usually comes by itself.',
    reasons: {
      Provisioning: passing('The control plane is being made and started.'),
      DependencyNotReady: stuck(
        'Something that Git brings is not there yet, or is not as planned: a namespace, or the boundary.',
        'Wait for the applier, or look why it did not apply the tenant’s folder below host/. IsolationEnforced names what is missing.',
      ),
      Upgrading: passing('The control plane goes to another Kubernetes version, one minor at a time.'),
      Updating: passing('The control plane’s pods are being replaced, for a change of the spec.'),
      RollingRestart: passing('The control plane is restarted so that it renews its certificates.'),
      Deleting: passing('The control plane is being taken down.'),
    },
  },
  Stalled: {
    polarity: 'abnormal',
    meaning: 'Nothing goes on until somebody changes something.',
    reasons: {
      ProfileMissing: stuck(
        'The IsolationProfile that the spec names is not on the host.',
        'Apply it (host/config of the render), or correct spec.isolationProfileRef.name.',
      ),
      PolicyMissing: stuck(
        'The SyncPolicy that the spec names is not on the host.',
        'Apply it (host/config of the render), or correct spec.syncPolicyRef.name.',
      ),
      Invalid: stuck(
        'The TenantCluster, its profile or its policy contradicts itself.',
        'Correct what the message names; tenantplane validate says the same before it is applied.',
      ),
      ModeNotImplemented: stuck('spec.mode: private is held until it is implemented.', 'Use shared or dedicated.'),
      ModeChangeRefused: stuck(
        'spec.mode changed, and nobody consented.',
        'Set spec.migration.allowModeChange: true, or set the mode back.',
      ),
      VersionUnsupported: stuck(
        'No tested k3s release is known for spec.kubernetesVersion.',
        'Use a version that the message lists, or give the reconciler the release (--releases).',
      ),
      DowngradeRefused: stuck(
        'spec.kubernetesVersion is older than what runs: a datastore never goes back.',
        'Set the version back, or restore a backup into a new tenant.',
      ),
      ImmutableChange: stuck(
        'The spec changes what Kubernetes never changes of a StatefulSet: the volume’s size or class, or the datastore.',
        'Set the field back, or back up, delete the TenantCluster and restore.',
      ),
      AuthoritiesLost: stuck(
        'The Secret with the authorities or the token is gone or another, and a volume made with the first is there. Others would lock the tenant out of its data, so none are made.',
        'Restore the Secret from a backup; or delete the volume’s claim, which loses the tenant’s data.',
      ),
      AuthoritiesBroken: stuck(
        'The Secret with the authorities or the token is there, and cannot be used: a file of it is missing or is not what it should be.',
        'Restore the Secret from a backup (delete it first: it is immutable). Where no volume was made with it yet, delete it: another is made.',
      ),
      AccessMissing: stuck(
        'The TenantCluster is deleted, and the reconciler may not look into its control plane’s namespace: its Role or RoleBinding there went first.',
        'Apply both again, from the tenant’s folder of the render before it was removed; or delete that namespace, if nothing in it is to be kept.',
      ),
      NamespaceForeign: stuck(
        'The control plane’s namespace exists and is not this tenant’s.',
        'Rename the tenant, or delete that namespace if it is nobody’s.',
      ),
      NamespaceShared: stuck(
        'Another TenantCluster has the same namespace, and was there first.',
        'Give each tenant a namespace of its own.',
      ),
      ObjectForeign: stuck('An object under a name that the control plane needs is somebody else’s.', 'Delete or rename that object.'),
      ObjectFixed: stuck(
        'An object of the control plane stands there in a form that is of no use, and that Kubernetes never changes: made by hand, or restored from elsewhere.',
        'Delete the object that the message names: it is made anew. A StatefulSet’s claims stay, and are taken up again.',
      ),
      DatastoreSecretMissing: stuck(
        'The Secret with the address of the PostgreSQL database is not there.',
        'Create it in the control plane’s namespace, with the key that spec.controlPlane.datastore.secretRef names.',
      ),
      StorageClassMissing: stuck(
        'No StorageClass would make the volume: the one that the spec names is not there, or the host has no default.',
        'Set spec.controlPlane.storage.className to one of the host’s.',
      ),
    },
  },
  ControlPlaneReady: {
    polarity: 'normal',
    meaning: 'The tenant’s API server runs and answers.',
    reasons: {
      Available: good('All servers are ready, and the API answers.'),
      NotStarted: bad('It was not started yet.', 'Look at Reconciling and Stalled for what it waits for.'),
      Starting: unknown('Its pods are starting.'),
      ImagePullFailing: bad(
        'A node cannot pull the image.',
        'Look at the registry and the image that the message names; or set spec.kubernetesVersion to another release, the one before too, as long as none of this one ran. With postgres, delete the pod then: its StatefulSet does not replace one that never was ready.',
      ),
      PodUnschedulable: bad('No node takes the pod.', 'Look at the scheduler’s message: resources, taints, or a volume in another zone.'),
      PodRefused: bad(
        'The API server refuses the pod, by quota, Pod Security or admission.',
        'Look at the message, and at the events of the StatefulSet.',
      ),
      Crashing: bad('The server ends again and again.', 'kubectl logs --previous of the pod that the message names.'),
      Unreachable: bad(
        'The pods are ready, but the API does not answer the reconciler.',
        'Look at NetworkPolicies of the control plane’s namespace, and at what the message says.',
      ),
    },
  },
  IsolationEnforced: {
    polarity: 'normal',
    meaning: 'The boundary on the host is the one that profile and TenantCluster compile to.',
    reasons: {
      Enforced: good('Each object of the boundary is there, as planned.'),
      BoundaryMissing: bad('An object of the boundary is not there.', 'Apply the tenant’s folder below host/ and host/platform.'),
      BoundaryDrifted: bad(
        'An object of the boundary is not as planned, or another one opens it.',
        'Apply the render again, and find out who changed the object that the message names.',
      ),
      NotVerified: unknown('It could not be compared yet.', 'Look at Stalled.'),
    },
  },
  CertificatesValid: {
    polarity: 'normal',
    meaning: 'Certificates that the tenant’s API depends on are valid, for a while to come.',
    reasons: {
      Valid: good('None is past two thirds of its life.'),
      RenewalDue: good('One is past two thirds of its life, and is being renewed.'),
      Expired: bad(
        'One has expired.',
        'The reconciler renews certificates by a rolling restart; if an authority expired, restore the tenant into a new one.',
      ),
    },
  },
  Paused: {
    polarity: 'abnormal',
    meaning: 'A person asked the reconciler to leave the tenant alone.',
    reasons: {
      User: stuck('The annotation tenantplane.io/paused is "true".', 'Remove the annotation.'),
      DeletionHeld: stuck(
        'The annotation tenantplane.io/paused is "true", and the TenantCluster is deleted: nothing is taken down while it is paused.',
        'Remove the annotation: the deletion goes on.',
      ),
    },
  },
};

export type ConditionType = keyof ReasonNames;
export type ReasonOf<T extends ConditionType> = ReasonNames[T];
/** of every condition but Ready, which is made of them */
export type Part = Exclude<ConditionType, 'Ready'>;

/** What is found of one condition, before it is written. */
export type Found = { [T in Part]: { readonly type: T; readonly reason: ReasonOf<T>; readonly message: string } }[Part];

export function found<T extends Part>(type: T, reason: ReasonOf<T>, message: string): Found {
  return { type, reason, message } as Found;
}

export function rowOf({ type, reason }: Found): ReasonRow {
  const row = (CONDITIONS[type].reasons as Readonly<Record<string, ReasonRow>>)[reason];
  if (row === undefined) throw new TypeError(`condition ${type} has no reason ${reason}`);
  return row;
}
