{{/* Settings that all pods of the chart share, the migration's too. */}}

{{- define "sluice.podSettings" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "sluice.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "sluice.topologySpread" -}}
{{- $own := (get .root.Values .valuesKey).topologySpreadConstraints -}}
{{- if $own -}}
{{- toYaml $own -}}
{{- else -}}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "sluice.selectorLabels" $ | nindent 6 }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* What the drain needs, and time to close connections. */}}
{{- define "sluice.drainSeconds" -}}
{{- add .Values.drain.preStopSeconds .Values.drain.delaySeconds .Values.drain.graceSeconds 10 -}}
{{- end -}}

{{- define "sluice.gracePeriodSeconds" -}}
{{- default (include "sluice.drainSeconds" .) .Values.drain.terminationGracePeriodSeconds -}}
{{- end -}}
