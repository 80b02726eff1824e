{{/* Service, ServiceAccount and PodDisruptionBudget of a host. Each takes root, component, valuesKey and port. */}}

{{- define "sluice.service" -}}
{{- $service := (get .root.Values .valuesKey).service -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "sluice.fullname" .root }}-{{ .component }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "sluice.labels" . | nindent 4 }}
  {{- with $service.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ $service.type }}
  selector: {{- include "sluice.selectorLabels" . | nindent 4 }}
  ports:
    - { name: http, port: {{ $service.port }}, targetPort: http, appProtocol: http }
    {{- if .root.Values.metrics.enabled }}
    - { name: metrics, port: {{ .root.Values.metrics.port }}, targetPort: metrics, appProtocol: http }
    {{- end }}
{{- end -}}

{{- define "sluice.serviceAccount" -}}
{{- $account := (get .root.Values .valuesKey).serviceAccount -}}
{{- if $account.create -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "sluice.serviceAccountName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "sluice.labels" . | nindent 4 }}
  {{- with $account.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}
{{- end -}}

{{/* None for one replica, which would block every drain of its node. */}}
{{- define "sluice.podDisruptionBudget" -}}
{{- $budget := (get .root.Values .valuesKey).podDisruptionBudget -}}
{{- if and $budget.enabled (gt (int (include "sluice.replicasMin" .)) 1) -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "sluice.fullname" .root }}-{{ .component }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "sluice.labels" . | nindent 4 }}
spec:
  maxUnavailable: {{ $budget.maxUnavailable }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "sluice.selectorLabels" . | nindent 6 }}
{{- end -}}
{{- end -}}
