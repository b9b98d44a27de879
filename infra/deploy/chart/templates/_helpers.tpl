{{- define "eeg.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "eeg.labels" -}}
app.kubernetes.io/name: eeg-task-classifier
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Labels of the pods of one part: "api", "worker-light". Arguments: the root, the part. */}}
{{- define "eeg.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: eeg-task-classifier
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "eeg.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "eeg.name" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end }}

{{- define "eeg.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* Variables of every process. Secrets come whole from existingSecret. */}}
{{- define "eeg.env" -}}
- { name: HOST, value: 0.0.0.0 }
- { name: TEMPORAL_ADDRESS, value: {{ .Values.temporal.address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
{{- with .Values.temporal.tls.caFile }}
- { name: TEMPORAL_TLS_CA_FILE, value: {{ printf "/etc/eeg-tls/%s" . | quote }} }
{{- end }}
{{- with .Values.temporal.tls.certFile }}
- { name: TEMPORAL_TLS_CERT_FILE, value: {{ printf "/etc/eeg-tls/%s" . | quote }} }
{{- end }}
{{- with .Values.temporal.tls.keyFile }}
- { name: TEMPORAL_TLS_KEY_FILE, value: {{ printf "/etc/eeg-tls/%s" . | quote }} }
{{- end }}
{{- with .Values.temporal.tls.serverName }}
- { name: TEMPORAL_TLS_SERVER_NAME, value: {{ . | quote }} }
{{- end }}
- { name: OBJECT_STORE_URL, value: {{ .Values.objectStoreUrl | quote }} }
{{- with .Values.databasePooler }}
- { name: DATABASE_POOLER, value: {{ . | quote }} }
{{- end }}
{{- with .Values.referenceDataUrl }}
- { name: REFERENCE_DATA_URL, value: {{ . | quote }} }
{{- end }}
{{- if include "eeg.hasWeights" . }}
- { name: MODEL_STORE_URL, value: file:///var/lib/eeg-weights/eeg-task-classifier/models }
{{- end }}
{{- with .Values.modelsEnabled }}
- { name: MODELS_ENABLED, value: {{ join "," . | quote }} }
{{- end }}
{{- with .Values.metricsAllow }}
- { name: METRICS_ALLOW, value: {{ join "," . | quote }} }
{{- end }}
{{- with .Values.metricsHosts }}
- { name: METRICS_HOSTS, value: {{ join "," . | quote }} }
{{- end }}
- { name: LOG_FORMAT, value: json }
{{- with .Values.logLevel }}
- { name: LOG_LEVEL, value: {{ . | quote }} }
{{- end }}
{{- with .Values.otlpEndpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
{{- end }}
- { name: XDG_CACHE_HOME, value: /var/cache/eeg }
{{- range $name, $value := .Values.extraEnv }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* What every pod shares: who it runs as, that it writes nothing but caches, and how pods are spread. */}}
{{- define "eeg.pod" -}}
{{- $root := index . 0 -}}
{{- $part := index . 1 -}}
serviceAccountName: {{ include "eeg.serviceAccount" $root }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "eeg.selector" (list $root $part) | nindent 8 }}
  {{- end }}
{{- end }}

{{- define "eeg.container" -}}
image: {{ include "eeg.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
envFrom:
  - secretRef: { name: {{ required "existingSecret must name the Secret of the service" .Values.existingSecret }} }
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: cache, mountPath: /var/cache/eeg }
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.tlsSecret }}
  - { name: tls, mountPath: /etc/eeg-tls, readOnly: true }
  {{- end }}
  {{- if include "eeg.hasWeights" . }}
  - { name: weights, mountPath: /var/lib/eeg-weights, readOnly: true }
  {{- end }}
{{- end }}

{{/* Not empty where pods have a volume with weights of pretrained models. */}}
{{- define "eeg.hasWeights" -}}
{{- if or .Values.weights.pull .Values.weights.claim }}yes{{ end -}}
{{- end }}

{{/* Before a process starts: brings the weights to its volume, or finds them there. A pod that lacks them never starts:
every process must serve the same models. It knows no secret of the service. */}}
{{- define "eeg.initContainers" -}}
{{- if .Values.weights.pull }}
initContainers:
  - name: weights
    image: {{ include "eeg.image" . }}
    imagePullPolicy: {{ .Values.image.pullPolicy }}
    command: {{ concat (list "node" "infra/main/models.ts" "pull") .Values.weights.models | toJson }}
    env:
      - { name: XDG_CACHE_HOME, value: /var/lib/eeg-weights }
      {{- with .Values.modelStoreUrl }}
      - { name: MODEL_STORE_URL, value: {{ . | quote }} }
      {{- end }}
      {{- with .Values.modelsEnabled }}
      - { name: MODELS_ENABLED, value: {{ join "," . | quote }} }
      {{- end }}
      {{- range $name, $value := .Values.extraEnv }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: weights, mountPath: /var/lib/eeg-weights }
      - { name: tmp, mountPath: /tmp }
    resources: {{ toYaml .Values.weights.resources | nindent 6 }}
{{- end }}
{{- end }}

{{/* Arguments: the root, the size of the cache. */}}
{{- define "eeg.volumes" -}}
{{- $root := index . 0 -}}
- name: cache
  emptyDir: { sizeLimit: {{ index . 1 }} }
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- if $root.Values.tlsSecret }}
- name: tls
  secret: { secretName: {{ $root.Values.tlsSecret }}, defaultMode: 288 }
{{- end }}
{{- if include "eeg.hasWeights" $root }}
- name: weights
  {{- if $root.Values.weights.claim }}
  persistentVolumeClaim: { claimName: {{ $root.Values.weights.claim }} }
  {{- else }}
  emptyDir: { sizeLimit: {{ $root.Values.weights.size }} }
  {{- end }}
{{- end }}
{{- end }}

{{/* /readyz decides who gets work, /healthz who is started again. Migrations (an hour at most) and warm threads come
before the first. */}}
{{- define "eeg.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 720
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 10
  failureThreshold: 6
{{- end }}

{{/* Where a pod runs. Argument: values with nodeSelector, tolerations, affinity. */}}
{{- define "eeg.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
