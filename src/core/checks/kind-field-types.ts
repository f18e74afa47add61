/**
 * The fields of kinds that hold no pod, with their types, as Kubernetes 1.28 to 1.37 know them; the form is that of `field-types.ts`. Maps whose
 * keys are worth naming in a message (data) are `any` here and looked at by their kind.
 */
export const KIND_FIELD_TYPES: string = `
Service
  apiVersion:string kind:string metadata:any spec:ServiceSpec status:any
ServiceSpec
  allocateLoadBalancerNodePorts:bool clusterIP:string clusterIPs:string[] externalIPs:string[] externalName:string
  externalTrafficPolicy:string healthCheckNodePort:int internalTrafficPolicy:string ipFamilies:string[] ipFamilyPolicy:string
  loadBalancerClass:string loadBalancerIP:string loadBalancerSourceRanges:string[] ports:ServicePort[] publishNotReadyAddresses:bool
  selector:strings sessionAffinity:string sessionAffinityConfig:SessionAffinityConfig trafficDistribution:string type:string
ServicePort
  appProtocol:string name:string nodePort:int port:int protocol:string targetPort:intstr
SessionAffinityConfig
  clientIP:ClientIPConfig
ClientIPConfig
  timeoutSeconds:int
Endpoints
  apiVersion:string kind:string metadata:any subsets:EndpointSubset[]
EndpointSubset
  addresses:EndpointAddress[] notReadyAddresses:EndpointAddress[] ports:EndpointPort[]
EndpointAddress
  hostname:string ip:string nodeName:string targetRef:ObjectReference
EndpointPort
  appProtocol:string name:string port:int protocol:string
ObjectReference
  apiVersion:string fieldPath:string kind:string name:string namespace:string resourceVersion:string uid:string
EndpointSlice
  addressType:string apiVersion:string endpoints:Endpoint[] kind:string metadata:any ports:EndpointPort[]
Endpoint
  addresses:string[] conditions:EndpointConditions deprecatedTopology:strings hints:EndpointHints hostname:string nodeName:string
  targetRef:ObjectReference zone:string
EndpointConditions
  ready:bool serving:bool terminating:bool
EndpointHints
  forNodes:NamedHint[] forZones:NamedHint[]
NamedHint
  name:string
SealedSecret
  apiVersion:string kind:string metadata:any spec:SealedSecretSpec status:any
SealedSecretSpec
  data:any encryptedData:strings template:SealedSecretTemplate
SealedSecretTemplate
  data:strings immutable:bool metadata:any type:string
ExternalSecret
  apiVersion:string kind:string metadata:any spec:ExternalSecretSpec status:any
ExternalSecretSpec
  data:ExternalSecretData[] dataFrom:ExternalSecretFrom[] refreshInterval:string refreshPolicy:string secretStoreRef:any
  target:ExternalSecretTarget
ExternalSecretData
  remoteRef:any secretKey:string sourceRef:ExternalSecretSource
ExternalSecretFrom
  extract:any find:any rewrite:any sourceRef:ExternalSecretSource
ExternalSecretSource
  generatorRef:any storeRef:any
ExternalSecretTarget
  creationPolicy:string deletionPolicy:string immutable:bool manifest:any name:any template:ExternalSecretTemplate
ExternalSecretTemplate
  data:strings engineVersion:string mergePolicy:string metadata:any templateFrom:any type:string
ConfigMap
  apiVersion:string binaryData:any data:any immutable:bool kind:string metadata:any
Secret
  apiVersion:string data:any immutable:bool kind:string metadata:any stringData:any type:string
Ingress
  apiVersion:string kind:string metadata:any spec:IngressSpec status:any
IngressSpec
  defaultBackend:IngressBackend ingressClassName:string rules:IngressRule[] tls:IngressTLS[]
IngressBackend
  resource:TypedLocalObjectReference service:IngressServiceBackend
IngressServiceBackend
  name:string port:ServiceBackendPort
ServiceBackendPort
  name:string number:int
IngressRule
  host:string http:HTTPIngressRuleValue
HTTPIngressRuleValue
  paths:HTTPIngressPath[]
HTTPIngressPath
  backend:IngressBackend path:string pathType:string
IngressTLS
  hosts:string[] secretName:string
NetworkPolicy
  apiVersion:string kind:string metadata:any spec:NetworkPolicySpec status:any
NetworkPolicySpec
  egress:NetworkPolicyEgressRule[] ingress:NetworkPolicyIngressRule[] podSelector:LabelSelector policyTypes:string[]
NetworkPolicyIngressRule
  from:NetworkPolicyPeer[] ports:NetworkPolicyPort[]
NetworkPolicyEgressRule
  ports:NetworkPolicyPort[] to:NetworkPolicyPeer[]
NetworkPolicyPeer
  ipBlock:IPBlock namespaceSelector:LabelSelector podSelector:LabelSelector
IPBlock
  cidr:string except:string[]
NetworkPolicyPort
  endPort:int port:intstr protocol:string
PodDisruptionBudget
  apiVersion:string kind:string metadata:any spec:PodDisruptionBudgetSpec status:any
PodDisruptionBudgetSpec
  maxUnavailable:intstr minAvailable:intstr selector:LabelSelector unhealthyPodEvictionPolicy:string
HorizontalPodAutoscaler
  apiVersion:string kind:string metadata:any spec:HorizontalPodAutoscalerSpec status:any
HorizontalPodAutoscalerSpec
  behavior:HorizontalPodAutoscalerBehavior maxReplicas:int metrics:MetricSpec[] minReplicas:int scaleTargetRef:CrossVersionObjectReference
  targetCPUUtilizationPercentage:int
CrossVersionObjectReference
  apiVersion:string kind:string name:string
MetricSpec
  containerResource:ContainerResourceMetricSource external:ExternalMetricSource object:ObjectMetricSource pods:PodsMetricSource
  resource:ResourceMetricSource type:string
ContainerResourceMetricSource
  container:string name:string target:MetricTarget
ExternalMetricSource
  metric:MetricIdentifier target:MetricTarget
ObjectMetricSource
  describedObject:CrossVersionObjectReference metric:MetricIdentifier target:MetricTarget
PodsMetricSource
  metric:MetricIdentifier target:MetricTarget
ResourceMetricSource
  name:string target:MetricTarget
MetricIdentifier
  name:string selector:MetricSelector
MetricSelector
  matchExpressions:MetricSelectorRequirement[] matchLabels:strings
MetricSelectorRequirement
  key:string operator:string values:string[]
MetricTarget
  averageUtilization:int averageValue:quantity type:string value:quantity
HorizontalPodAutoscalerBehavior
  scaleDown:HPAScalingRules scaleUp:HPAScalingRules
HPAScalingRules
  policies:HPAScalingPolicy[] selectPolicy:string stabilizationWindowSeconds:int tolerance:quantity
HPAScalingPolicy
  periodSeconds:int type:string value:int
`;
