/**
 * The fields of a pod spec, of the workloads' specs and of a claim's spec, with their types, as Kubernetes 1.28 to 1.37 know them (facts of
 * k8s.io/api, types.go). Closed: a field that is not here is refused, since a server may give it a meaning that no check looked at.
 *
 * One type a paragraph: its name, then `field:type`. `[]` is a list; `strings` and `quantities` are maps; `intstr` is a port by
 * number or name; `any` is looked at by nobody here (refused elsewhere, or metadata, or a template of its own).
 */
export const FIELD_TYPES: string = `
PodSpec
  activeDeadlineSeconds:int affinity:Affinity automountServiceAccountToken:bool containers:Container[] dnsConfig:PodDNSConfig
  dnsPolicy:string enableServiceLinks:bool ephemeralContainers:EphemeralContainer[] evictionResponders:EvictionResponder[]
  hostAliases:HostAlias[] hostIPC:bool hostNetwork:bool hostPID:bool hostUsers:bool hostname:string hostnameOverride:string
  imagePullSecrets:LocalObjectReference[] initContainers:Container[] nodeName:string nodeSelector:strings os:PodOS overhead:quantities
  preemptionPolicy:string priority:int priorityClassName:string readinessGates:PodReadinessGate[] resourceClaims:PodResourceClaim[]
  resources:ResourceRequirements restartPolicy:string runtimeClassName:string schedulerName:string schedulingGates:PodSchedulingGate[]
  schedulingGroup:PodSchedulingGroup securityContext:PodSecurityContext serviceAccount:string serviceAccountName:string
  setHostnameAsFQDN:bool shareProcessNamespace:bool subdomain:string terminationGracePeriodSeconds:int tolerations:Toleration[]
  topologySpreadConstraints:TopologySpreadConstraint[] volumes:Volume[] workloadRef:any
DeploymentSpec
  minReadySeconds:int paused:bool progressDeadlineSeconds:int replicas:int revisionHistoryLimit:int selector:LabelSelector
  strategy:DeploymentStrategy template:any
StatefulSetSpec
  minReadySeconds:int ordinals:StatefulSetOrdinals
  persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy podManagementPolicy:string replicas:int
  revisionHistoryLimit:int selector:LabelSelector serviceName:string template:any updateStrategy:StatefulSetUpdateStrategy
  volumeClaimTemplates:PersistentVolumeClaim[]
DaemonSetSpec
  minReadySeconds:int revisionHistoryLimit:int selector:LabelSelector template:any updateStrategy:DaemonSetUpdateStrategy
ReplicaSetSpec
  minReadySeconds:int replicas:int selector:LabelSelector template:any
ReplicationControllerSpec
  minReadySeconds:int replicas:int selector:strings template:any
JobSpec
  activeDeadlineSeconds:int backoffLimit:int backoffLimitPerIndex:int completionMode:string completions:int managedBy:string
  manualSelector:bool maxFailedIndexes:int parallelism:int podFailurePolicy:PodFailurePolicy podReplacementPolicy:string
  scheduling:any selector:LabelSelector successPolicy:SuccessPolicy suspend:bool template:any ttlSecondsAfterFinished:int
CronJobSpec
  concurrencyPolicy:string failedJobsHistoryLimit:int jobTemplate:JobTemplateSpec schedule:string startingDeadlineSeconds:int
  successfulJobsHistoryLimit:int suspend:bool timeZone:string
PersistentVolumeClaimSpec
  accessModes:string[] dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference resources:VolumeResourceRequirements
  selector:LabelSelector storageClassName:string volumeAttributesClassName:string volumeMode:string volumeName:string
Volume
  awsElasticBlockStore:any azureDisk:any azureFile:any cephfs:any cinder:any configMap:ConfigMapVolumeSource csi:CSIVolumeSource
  downwardAPI:DownwardAPIVolumeSource emptyDir:EmptyDirVolumeSource ephemeral:EphemeralVolumeSource fc:any flexVolume:any flocker:any
  gcePersistentDisk:any gitRepo:any glusterfs:any hostPath:any image:ImageVolumeSource iscsi:any name:string nfs:any
  persistentVolumeClaim:PersistentVolumeClaimVolumeSource photonPersistentDisk:any portworxVolume:any projected:ProjectedVolumeSource
  quobyte:any rbd:any scaleIO:any secret:SecretVolumeSource storageos:any vsphereVolume:any
Container
  args:string[] command:string[] env:EnvVar[] envFrom:EnvFromSource[] image:string imagePullPolicy:string lifecycle:Lifecycle
  livenessProbe:Probe name:string ports:ContainerPort[] readinessProbe:Probe resizePolicy:ContainerResizePolicy[]
  resources:ResourceRequirements restartPolicy:string restartPolicyRules:ContainerRestartRule[] securityContext:SecurityContext
  startupProbe:Probe stdin:bool stdinOnce:bool terminationMessagePath:string terminationMessagePolicy:string tty:bool
  volumeDevices:VolumeDevice[] volumeMounts:VolumeMount[] workingDir:string
EphemeralContainer
  args:string[] command:string[] env:EnvVar[] envFrom:EnvFromSource[] image:string imagePullPolicy:string lifecycle:Lifecycle
  livenessProbe:Probe name:string ports:ContainerPort[] readinessProbe:Probe resizePolicy:ContainerResizePolicy[]
  resources:ResourceRequirements restartPolicy:string restartPolicyRules:ContainerRestartRule[] securityContext:SecurityContext
  startupProbe:Probe stdin:bool stdinOnce:bool targetContainerName:string terminationMessagePath:string
  terminationMessagePolicy:string tty:bool volumeDevices:VolumeDevice[] volumeMounts:VolumeMount[] workingDir:string
PodSecurityContext
  appArmorProfile:AppArmorProfile fsGroup:int fsGroupChangePolicy:string runAsGroup:int runAsNonRoot:bool runAsUser:int
  seLinuxChangePolicy:string seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile supplementalGroups:int[]
  supplementalGroupsPolicy:string sysctls:Sysctl[] windowsOptions:WindowsSecurityContextOptions
LocalObjectReference
  name:string
Affinity
  nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity
Toleration
  effect:string key:string operator:string tolerationSeconds:int value:string
HostAlias
  hostnames:string[] ip:string
PodDNSConfig
  nameservers:string[] options:PodDNSConfigOption[] searches:string[]
PodReadinessGate
  conditionType:string
TopologySpreadConstraint
  labelSelector:LabelSelector matchLabelKeys:string[] maxSkew:int minDomains:int nodeAffinityPolicy:string nodeTaintsPolicy:string
  topologyKey:string whenUnsatisfiable:string
PodOS
  name:string
PodSchedulingGate
  name:string
PodResourceClaim
  name:string resourceClaimName:string resourceClaimTemplateName:string
ResourceRequirements
  claims:ResourceClaim[] limits:quantities requests:quantities
PodSchedulingGroup
  podGroupName:string
EvictionResponder
  name:string priority:int
LabelSelector
  matchExpressions:LabelSelectorRequirement[] matchLabels:strings
DeploymentStrategy
  rollingUpdate:RollingUpdateDeployment type:string
PersistentVolumeClaim
  apiVersion:string kind:string metadata:any spec:PersistentVolumeClaimSpec status:any
StatefulSetUpdateStrategy
  rollingUpdate:RollingUpdateStatefulSetStrategy type:string
StatefulSetPersistentVolumeClaimRetentionPolicy
  whenDeleted:string whenScaled:string
StatefulSetOrdinals
  start:int
DaemonSetUpdateStrategy
  rollingUpdate:RollingUpdateDaemonSet type:string
PodFailurePolicy
  rules:PodFailurePolicyRule[]
SuccessPolicy
  rules:SuccessPolicyRule[]
JobTemplateSpec
  metadata:any spec:JobSpec
VolumeResourceRequirements
  limits:quantities requests:quantities
TypedLocalObjectReference
  apiGroup:string kind:string name:string
TypedObjectReference
  apiGroup:string kind:string name:string namespace:string
EmptyDirVolumeSource
  medium:string mode:int sizeLimit:quantity
SecretVolumeSource
  defaultMode:int defaultUser:int items:KeyToPath[] optional:bool secretName:string
PersistentVolumeClaimVolumeSource
  claimName:string readOnly:bool
DownwardAPIVolumeSource
  defaultMode:int defaultUser:int items:DownwardAPIVolumeFile[]
ConfigMapVolumeSource
  defaultMode:int defaultUser:int items:KeyToPath[] name:string optional:bool
ProjectedVolumeSource
  defaultMode:int defaultUser:int sources:VolumeProjection[]
CSIVolumeSource
  driver:string fsType:string nodePublishSecretRef:LocalObjectReference readOnly:bool volumeAttributes:strings
EphemeralVolumeSource
  volumeClaimTemplate:PersistentVolumeClaimTemplate
ImageVolumeSource
  pullPolicy:string reference:string
ContainerPort
  containerPort:int hostIP:string hostPort:int name:string protocol:string
EnvFromSource
  configMapRef:ConfigMapEnvSource prefix:string secretRef:SecretEnvSource
EnvVar
  name:string value:string valueFrom:EnvVarSource
ContainerResizePolicy
  resourceName:string restartPolicy:string
ContainerRestartRule
  action:string exitCodes:ContainerRestartRuleOnExitCodes
VolumeMount
  bindMountOptions:string[] mountPath:string mountPropagation:string name:string readOnly:bool recursiveReadOnly:string subPath:string
  subPathExpr:string
VolumeDevice
  devicePath:string name:string
Probe
  exec:ExecAction failureThreshold:int grpc:GRPCAction httpGet:HTTPGetAction initialDelaySeconds:int periodSeconds:int
  successThreshold:int tcpSocket:TCPSocketAction terminationGracePeriodSeconds:int timeoutSeconds:int
Lifecycle
  postStart:LifecycleHandler preStop:LifecycleHandler stopSignal:string
SecurityContext
  allowPrivilegeEscalation:bool appArmorProfile:AppArmorProfile capabilities:Capabilities privileged:bool procMount:string
  readOnlyRootFilesystem:bool runAsGroup:int runAsNonRoot:bool runAsUser:int seLinuxOptions:SELinuxOptions
  seccompProfile:SeccompProfile windowsOptions:WindowsSecurityContextOptions
SELinuxOptions
  level:string role:string type:string user:string
WindowsSecurityContextOptions
  gmsaCredentialSpec:string gmsaCredentialSpecName:string hostProcess:bool runAsUserName:string
Sysctl
  name:string value:string
SeccompProfile
  localhostProfile:string type:string
AppArmorProfile
  localhostProfile:string type:string
NodeAffinity
  preferredDuringSchedulingIgnoredDuringExecution:PreferredSchedulingTerm[]
  requiredDuringSchedulingIgnoredDuringExecution:NodeSelector
PodAffinity
  preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm[]
  requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm[]
PodAntiAffinity
  preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm[]
  requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm[]
PodDNSConfigOption
  name:string value:string
ResourceClaim
  name:string request:string
LabelSelectorRequirement
  key:string operator:string values:string[]
RollingUpdateDeployment
  maxSurge:intstr maxUnavailable:intstr
RollingUpdateStatefulSetStrategy
  maxUnavailable:intstr partition:int
RollingUpdateDaemonSet
  maxSurge:intstr maxUnavailable:intstr
PodFailurePolicyRule
  action:string onExitCodes:PodFailurePolicyOnExitCodesRequirement onPodConditions:PodFailurePolicyOnPodConditionsPattern[]
SuccessPolicyRule
  succeededCount:int succeededIndexes:string
KeyToPath
  key:string mode:int path:string user:int
DownwardAPIVolumeFile
  fieldRef:ObjectFieldSelector mode:int path:string resourceFieldRef:ResourceFieldSelector user:int
VolumeProjection
  clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection downwardAPI:DownwardAPIProjection
  podCertificate:PodCertificateProjection secret:SecretProjection serviceAccountToken:ServiceAccountTokenProjection
PersistentVolumeClaimTemplate
  metadata:any spec:PersistentVolumeClaimSpec
ConfigMapEnvSource
  name:string optional:bool
SecretEnvSource
  name:string optional:bool
EnvVarSource
  configMapKeyRef:ConfigMapKeySelector fieldRef:ObjectFieldSelector fileKeyRef:FileKeySelector resourceFieldRef:ResourceFieldSelector
  secretKeyRef:SecretKeySelector
ContainerRestartRuleOnExitCodes
  operator:string values:int[]
ExecAction
  command:string[]
HTTPGetAction
  host:string httpHeaders:HTTPHeader[] path:string port:intstr protocol:string scheme:string
TCPSocketAction
  host:string port:intstr
GRPCAction
  mode:string port:int service:string
LifecycleHandler
  exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction tcpSocket:TCPSocketAction
Capabilities
  add:string[] drop:string[]
NodeSelector
  nodeSelectorTerms:NodeSelectorTerm[]
PreferredSchedulingTerm
  preference:NodeSelectorTerm weight:int
PodAffinityTerm
  labelSelector:LabelSelector matchLabelKeys:string[] mismatchLabelKeys:string[] namespaceSelector:LabelSelector namespaces:string[]
  topologyKey:string
WeightedPodAffinityTerm
  podAffinityTerm:PodAffinityTerm weight:int
PodFailurePolicyOnExitCodesRequirement
  containerName:string operator:string values:int[]
PodFailurePolicyOnPodConditionsPattern
  status:string type:string
ObjectFieldSelector
  apiVersion:string fieldPath:string
ResourceFieldSelector
  containerName:string divisor:quantity resource:string
SecretProjection
  items:KeyToPath[] name:string optional:bool
DownwardAPIProjection
  items:DownwardAPIVolumeFile[]
ConfigMapProjection
  items:KeyToPath[] name:string optional:bool
ServiceAccountTokenProjection
  audience:string expirationSeconds:int path:string user:int
ClusterTrustBundleProjection
  labelSelector:LabelSelector name:string optional:bool path:string signerName:string user:int
PodCertificateProjection
  certificateChainPath:string credentialBundlePath:string keyPath:string keyType:string maxExpirationSeconds:int signerName:string
  user:int userAnnotations:strings
ConfigMapKeySelector
  key:string name:string optional:bool
SecretKeySelector
  key:string name:string optional:bool
FileKeySelector
  key:string optional:bool path:string volumeName:string
HTTPHeader
  name:string value:string
SleepAction
  seconds:int
NodeSelectorTerm
  matchExpressions:NodeSelectorRequirement[] matchFields:NodeSelectorRequirement[]
NodeSelectorRequirement
  key:string operator:string values:string[]
`;
