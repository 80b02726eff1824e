{{/* Deployment of a host. Takes root, component, valuesKey and port. */}}
{{- define "sluice.deployment" -}}
{{- $values := .root.Values -}}
{{- $host := get $values .valuesKey -}}
{{- $drain := $values.drain -}}
{{- $groups := include "sluice.secretGroups" . | fromJsonArray -}}
{{- $isScaled := or $host.autoscaling.enabled (dig "keda" "enabled" false $host) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "sluice.fullname" .root }}-{{ .component }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "sluice.labels" . | nindent 4 }}
spec:
  {{- if not $isScaled }}
  replicas: {{ $host.replicas }}
  {{- end }}
  # A new pod is ready before an old one ends.
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels: {{- include "sluice.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "sluice.labels" . | nindent 8 }}
        {{- with $host.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $host.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "sluice.podSettings" . | nindent 6 }}
      serviceAccountName: {{ include "sluice.serviceAccountName" . }}
      terminationGracePeriodSeconds: {{ include "sluice.gracePeriodSeconds" .root }}
      {{- with $host.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with $host.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $host.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $host.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints: {{- include "sluice.topologySpread" . | trim | nindent 8 }}
      {{- with $host.initContainers }}
      initContainers: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "sluice.image" . }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          command: [node, dist/main.js]
          env:
            {{- include "sluice.environment" . | nindent 12 }}
            {{- with $host.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          {{- with $host.envFrom }}
          envFrom: {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - { name: http, containerPort: {{ .port }} }
            {{- if $values.metrics.enabled }}
            - { name: metrics, containerPort: {{ $values.metrics.port }} }
            {{- end }}
          {{- include "sluice.probes" . | nindent 10 }}
          {{- if gt (int $drain.preStopSeconds) 0 }}
          lifecycle:
            preStop: { sleep: { seconds: {{ $drain.preStopSeconds }} } }
          {{- end }}
          resources: {{- toYaml $host.resources | nindent 12 }}
          {{- include "sluice.containerSecurity" . | nindent 10 }}
          volumeMounts:
            - { name: temp, mountPath: /tmp }
            {{- range $groups }}
            {{- with include "sluice.secretMount" . | trim }}{{ . | nindent 12 }}{{ end }}
            {{- end }}
            {{- with $host.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
        {{- with $host.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        - name: temp
          {{- $files := ternary (int $values.results.filesMiB) 0 (and (eq .valuesKey "streamHost") (not (empty (or $values.results.bucket $values.results.folder)))) }}
          emptyDir: { sizeLimit: {{ printf "%dMi" (add (mul (int $host.workers.max) (int $host.workers.tempMiB)) $files 512) }} }
        {{- range $groups }}
        {{- with include "sluice.secretVolume" . | trim }}{{ . | nindent 8 }}{{ end }}
        {{- end }}
        {{- with $host.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end -}}

{{/* A host is restarted only if the process itself hangs, and gets no traffic while it drains. */}}
{{- define "sluice.probes" -}}
startupProbe:
  httpGet: { path: /live, port: http }
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 30
livenessProbe:
  httpGet: { path: /live, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /health, port: http }
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 3
{{- end -}}
