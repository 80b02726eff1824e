{{/* Names, labels and images. A host is `api-host` or `stream-host`; its values are under `apiHost` or `streamHost`. */}}

{{- define "sluice.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Short enough for every suffix that the chart appends. */}}
{{- define "sluice.fullname" -}}
{{- $name := include "sluice.name" . -}}
{{- $combined := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- default $combined .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "sluice.selectorLabels" -}}
app.kubernetes.io/name: {{ include "sluice.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "sluice.labels" -}}
{{ include "sluice.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ include "sluice.name" .root }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Image of a host, by tag or, if there is one, by digest. */}}
{{- define "sluice.image" -}}
{{- $image := .root.Values.image -}}
{{- $digest := get $image.digest .valuesKey -}}
{{- $repository := printf "%s/%s" $image.repository .component -}}
{{- with $image.registry }}{{ $repository = printf "%s/%s" (trimSuffix "/" .) $repository }}{{ end -}}
{{- printf "%s:%s" $repository (default .root.Chart.AppVersion $image.tag) -}}
{{- with $digest }}@{{ . }}{{ end -}}
{{- end -}}

{{- define "sluice.serviceAccountName" -}}
{{- $account := (get .root.Values .valuesKey).serviceAccount -}}
{{- if $account.create -}}
{{- default (printf "%s-%s" (include "sluice.fullname" .root) .component) $account.name -}}
{{- else -}}
{{- default "default" $account.name -}}
{{- end -}}
{{- end -}}

{{- define "sluice.scheme" -}}
{{- ternary "https" "http" .Values.tls.enabled -}}
{{- end -}}

{{/* Host name of a tenant's host; the tenant may be `{tenant}` or `*`. */}}
{{- define "sluice.hostname" -}}
{{- $suffix := ternary .root.Values.hosts.apiSuffix .root.Values.hosts.streamSuffix (eq .component "api-host") -}}
{{- printf "%s-%s.%s" .tenant $suffix .root.Values.domain -}}
{{- end -}}

{{/* Secret with the certificate of a tenant, or of the domain without a tenant. */}}
{{- define "sluice.tlsSecretName" -}}
{{- $fullname := include "sluice.fullname" .root -}}
{{- if .tenant -}}
{{- default (printf "%s-%s-tls" $fullname .tenant.name) (dig "tls" "secretName" "" .tenant) -}}
{{- else -}}
{{- default (printf "%s-tls" $fullname) .root.Values.tls.secretName -}}
{{- end -}}
{{- end -}}

{{- define "sluice.certManagerAnnotations" -}}
{{- with .Values.tls.certManager.clusterIssuer }}
cert-manager.io/cluster-issuer: {{ . }}
{{- end }}
{{- with .Values.tls.certManager.issuer }}
cert-manager.io/issuer: {{ . }}
{{- end }}
{{- end -}}

{{/* The port in Trino's address, or that of its scheme. */}}
{{- define "sluice.enginePort" -}}
{{- include "sluice.portOf" .Values.engine.url -}}
{{- end -}}

{{/* Port of an address, or of its scheme. */}}
{{- define "sluice.portOf" -}}
{{- $url := urlParse . -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- default (ternary "443" "80" (eq $url.scheme "https")) $port -}}
{{- end -}}

{{- define "sluice.replicasMin" -}}
{{- $host := get .root.Values .valuesKey -}}
{{- $isScaled := or $host.autoscaling.enabled (dig "keda" "enabled" false $host) -}}
{{- ternary $host.autoscaling.minReplicas $host.replicas $isScaled -}}
{{- end -}}
