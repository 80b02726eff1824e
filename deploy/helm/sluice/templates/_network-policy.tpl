{{/* Rules that several network policies share. */}}

{{- define "sluice.egressDns" -}}
- to: [{ namespaceSelector: {} }]
  ports: [{ protocol: UDP, port: 53 }, { protocol: TCP, port: 53 }]
{{- end -}}

{{/* Egress to peers, or to any address, on one port. */}}
{{- define "sluice.egressTo" -}}
- ports: [{ protocol: TCP, port: {{ .port }} }]
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "sluice.egressBackEnds" -}}
{{- $policy := .Values.networkPolicy -}}
{{ include "sluice.egressDns" . }}
{{ include "sluice.egressTo" (dict "port" .Values.database.port "to" $policy.databaseTo) }}
{{- if or .Values.redis.existingSecret .Values.redis.directory }}
{{ include "sluice.egressTo" (dict "port" .Values.redis.port "to" $policy.redisTo) }}
{{- end }}
{{- if .Values.engine.url }}
{{ include "sluice.egressTo" (dict "port" (include "sluice.enginePort" .) "to" $policy.engineTo) }}
{{- end }}
{{- end -}}

{{/* Ingress of a host: clients through the gateway, and Prometheus. */}}
{{- define "sluice.ingressRules" -}}
{{- $values := .root.Values -}}
- ports: [{ protocol: TCP, port: http }]
  {{- with $values.networkPolicy.ingressFrom }}
  from: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- if $values.metrics.enabled }}
- ports: [{ protocol: TCP, port: metrics }]
  {{- with $values.networkPolicy.metricsFrom }}
  from: {{- toYaml . | nindent 4 }}
  {{- else }}
  from: [{ namespaceSelector: {} }]
  {{- end }}
{{- end }}
{{- end -}}
