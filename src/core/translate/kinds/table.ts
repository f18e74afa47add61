import type { KindTranslation } from '../translation.ts';
import { configMap } from './config-map.ts';
import { endpointSlice } from './endpoint-slice.ts';
import { endpoints } from './endpoints.ts';
import { externalSecret } from './external-secret.ts';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler.ts';
import { ingress } from './ingress.ts';
import { networkPolicy } from './network-policy.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { podDisruptionBudget } from './pod-disruption-budget.ts';
import { sealedSecret } from './sealed-secret.ts';
import { secret } from './secret.ts';
import { service } from './service.ts';

/** Kinds that hold no pod. Those that do have a table of their own beside the rules for pods. */
export const KIND_TRANSLATIONS: readonly KindTranslation[] = [
  service,
  endpoints,
  endpointSlice,
  configMap,
  secret,
  persistentVolumeClaim,
  ingress,
  networkPolicy,
  podDisruptionBudget,
  horizontalPodAutoscaler,
  externalSecret,
  sealedSecret,
];
