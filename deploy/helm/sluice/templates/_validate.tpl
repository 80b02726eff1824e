{{/* Contradictions between values, as one sentence each. All of them are reported at once. */}}

{{- define "sluice.validate" -}}
{{- $violations := list -}}
{{- range list "addresses" "secrets" "backEnds" "results" "routes" "capacity" "extraEnvironment" "pods" "observability" -}}
{{- range splitList "\n" (include (printf "sluice.validate.%s" .) $) -}}
{{- with trim . }}{{ $violations = append $violations . }}{{ end -}}
{{- end -}}
{{- end -}}
{{- with $violations }}{{ fail (printf "\n%s" (join "\n" .)) }}{{ end -}}
{{- end -}}

{{- define "sluice.validate.addresses" -}}
{{- $values := .Values -}}
{{- if not (regexMatch "^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$" $values.domain) }}
`domain` is {{ $values.domain | quote }}: set it to the domain of all host names, such as `data.example.com`.
{{- end }}
{{- $seen := dict -}}
{{- range $values.tenants }}
{{- $label := printf "%s-%s" .name $values.hosts.streamSuffix }}
{{- if or (not (regexMatch "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" .name)) (gt (len $label) 63) (gt (len (printf "%s-%s" .name $values.hosts.apiSuffix)) 63) }}
The tenant name {{ .name | quote }} in `tenants` cannot be part of a host name: use lower-case letters, digits and inner hyphens, at most 63 characters with the suffix of `hosts`.
{{- end }}
{{- if hasKey $seen .name }}
`tenants` has {{ .name | quote }} twice: remove one of the two.
{{- end }}
{{- $_ := set $seen .name true }}
{{- end }}
{{- if eq $values.hosts.apiSuffix $values.hosts.streamSuffix }}
`hosts.apiSuffix` and `hosts.streamSuffix` are both {{ $values.hosts.apiSuffix | quote }}: give each host its own.
{{- end }}
{{- end -}}

{{- define "sluice.validate.secrets" -}}
{{- range $name := list "database" "redis" "mail" "secrets" "engine" "results" }}
{{- $group := get $.Values $name }}
{{- if and $group.existingSecret $group.directory }}
`{{ $name }}.existingSecret` and `{{ $name }}.directory` are both set: keep the one that has the secrets.
{{- end }}
{{- if and (has $name (list "database" "secrets")) (not $group.existingSecret) (not $group.directory) }}
`{{ $name }}.existingSecret` is empty: set it to the name of an existing Secret with the keys of `{{ $name }}.keys`.
{{- end }}
{{- end }}
{{- range $name := list "masterKey" "auditNameKey" }}
{{- if not (get $.Values.secrets.keys $name) }}
`secrets.keys.{{ $name }}` is empty: set it to the key of that secret.
{{- end }}
{{- end }}
{{- $hasMail := or .Values.mail.existingSecret .Values.mail.directory -}}
{{- if and $hasMail (not .Values.mail.from) }}
`mail.from` is empty: set it to the sender of the mails, such as `sluice@example.com`.
{{- end }}
{{- if and .Values.mail.from (not $hasMail) }}
`mail.from` is set without a Secret: set `mail.existingSecret` to the name of the Secret with the URL of the SMTP server.
{{- end }}
{{- $used := dict -}}
{{- range $name, $key := .Values.engine.keys }}{{ if $key }}{{ $_ := set $used $name $key }}{{ end }}{{ end }}
{{- if and $used (not .Values.engine.existingSecret) (not .Values.engine.directory) }}
`engine.keys.{{ keys $used | sortAlpha | first }}` is set without a Secret: set `engine.existingSecret` to the name of the Secret that has that key.
{{- end }}
{{- end -}}

{{- define "sluice.validate.backEnds" -}}
{{- $engine := .Values.engine -}}
{{- if and (not $engine.url) (not $engine.duckdb.catalogs) }}
No engine is set: set `engine.url` to the address of Trino, or `engine.duckdb.catalogs` to DuckDB files.
{{- end }}
{{- if and $engine.url $engine.duckdb.catalogs }}
`engine.url` and `engine.duckdb.catalogs` are both set: keep the one that runs the queries.
{{- end }}
{{- if and $engine.url (not $engine.catalogs) (not $engine.keys.tenants) }}
`engine.url` is set without catalogs, so every query is rejected: set `engine.catalogs`, or `engine.keys.tenants` to the key of a Secret with the catalogs of each tenant.
{{- end }}
{{- if and $engine.user (not $engine.keys.password) }}
`engine.user` is set without a password: set `engine.keys.password` to the key of its Secret.
{{- end }}
{{- range $key, $component := dict "apiHost" "API host" "streamHost" "stream host" }}
{{- $isScaled := or (get $.Values $key).autoscaling.enabled (dig "keda" "enabled" false (get $.Values $key)) }}
{{- $replicas := int (ternary (get $.Values $key).autoscaling.maxReplicas (get $.Values $key).replicas $isScaled) }}
{{- if and (gt $replicas 1) (not $.Values.redis.existingSecret) (not $.Values.redis.directory) }}
{{ $replicas }} replicas of the {{ $component }} need Redis: set `redis.existingSecret`, or `{{ $key }}.replicas: 1` without autoscaling.
{{- end }}
{{- end }}
{{- end -}}

{{- define "sluice.validate.results" -}}
{{- $results := .Values.results -}}
{{- $hasStore := or $results.bucket $results.folder -}}
{{- $hasKey := and $results.key (or $results.existingSecret $results.directory) -}}
{{- $stream := .Values.streamHost -}}
{{- $isScaled := or $stream.autoscaling.enabled $stream.keda.enabled -}}
{{- $replicas := int (ternary $stream.autoscaling.maxReplicas $stream.replicas $isScaled) -}}
{{- if and $results.bucket $results.folder }}
`results.bucket` and `results.folder` are both set: keep the one that has the kept results.
{{- end }}
{{- if and $hasStore (not $hasKey) }}
`results.{{ ternary "bucket" "folder" (not (empty $results.bucket)) }}` is set without a key: set `results.existingSecret` to the name of the Secret with the key of kept results.
{{- end }}
{{- if and $results.existingSecret (not $hasStore) }}
`results.existingSecret` is set without a store: set `results.bucket`, or `results.folder` with one replica.
{{- end }}
{{- if and $results.folder (gt $replicas 1) }}
`results.folder` is set with {{ $replicas }} replicas of the stream host, which do not share a folder: set `results.bucket`, or `streamHost.replicas: 1` without autoscaling.
{{- end }}
{{- end -}}

{{- define "sluice.validate.routes" -}}
{{- $values := .Values -}}
{{- $tls := $values.tls -}}
{{- $isIssued := or $tls.certManager.clusterIssuer $tls.certManager.issuer -}}
{{- $usesCertificate := and $tls.enabled (or $values.ingress.enabled (and $values.gateway.enabled $values.gateway.create)) -}}
{{- if and $values.gateway.enabled $values.ingress.enabled }}
`gateway.enabled` and `ingress.enabled` are both true: keep the one that your cluster routes with.
{{- end }}
{{- if and (or $values.gateway.enabled $values.ingress.enabled) (not $values.tenants) }}
`{{ ternary "gateway" "ingress" $values.gateway.enabled }}.enabled` is true without tenants: add at least one to `tenants`, because each has its own routes.
{{- end }}
{{- if and $values.gateway.enabled (not $values.gateway.create) (not $values.gateway.parentRefs) }}
`gateway.parentRefs` is empty: name the Gateway that the routes attach to, or set `gateway.create: true`.
{{- end }}
{{- if and $values.gateway.create (not $values.gateway.className) }}
`gateway.create` is true without a class: set `gateway.className` to the GatewayClass of your controller.
{{- end }}
{{- if and $values.gateway.create (not $tls.enabled) }}
`gateway.create` is true, but `tls.enabled` is false: set `tls.enabled: true`, or name a Gateway without TLS in `gateway.parentRefs`.
{{- end }}
{{- if and $values.gateway.create $tls.perTenant (gt (len $values.tenants) 32) }}
A Gateway has at most 64 listeners, which is 32 tenants with `tls.perTenant`: use a wildcard certificate in `tls.secretName`, or your own Gateways in `gateway.parentRefs`.
{{- end }}
{{- if and $tls.certManager.clusterIssuer $tls.certManager.issuer }}
`tls.certManager.clusterIssuer` and `tls.certManager.issuer` are both set: keep one.
{{- end }}
{{- if and $tls.perTenant $tls.secretName }}
`tls.perTenant` and `tls.secretName` are both set: remove `tls.secretName`, or set `tls.perTenant: false` to use the wildcard certificate.
{{- end }}
{{- if and $usesCertificate (not $isIssued) }}
{{- if not $tls.perTenant }}
{{- if not $tls.secretName }}
`tls.secretName` is empty: set it to a Secret with the certificate of `*.{{ $values.domain }}`, or name an issuer in `tls.certManager`.
{{- end }}
{{- else }}
{{- range $values.tenants }}
{{- if not (dig "tls" "secretName" "" .) }}
The tenant {{ .name | quote }} has no certificate: set its `tls.secretName` in `tenants`, or name an issuer in `tls.certManager`.
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "sluice.validate.capacity" -}}
{{- $drain := .Values.drain -}}
{{- $needed := int (include "sluice.drainSeconds" .) -}}
{{- $grace := int (include "sluice.gracePeriodSeconds" .) -}}
{{- if lt $grace $needed }}
`drain.terminationGracePeriodSeconds` is {{ $grace }}, but the drain takes {{ $needed }} s ({{ $drain.preStopSeconds }} + {{ $drain.delaySeconds }} + {{ $drain.graceSeconds }} + 10): raise it, or lower `drain.graceSeconds`.
{{- end }}
{{- range $key, $component := dict "apiHost" "API host" "streamHost" "stream host" }}
{{- $host := get $.Values $key }}
{{- $limit := dig "limits" "memory" "" $host.resources }}
{{- $needed := int (include "sluice.memoryNeededMib" (dict "root" $ "host" $host)) }}
{{- if and $limit (lt (int (include "sluice.mebibytes" $limit)) $needed) }}
`{{ $key }}.resources.limits.memory` is {{ $limit }}, but the {{ $component }} needs {{ $needed }}Mi for {{ $host.workers.max }} workers: raise the limit, or lower `{{ $key }}.workers.max`.
{{- end }}
{{- if gt (int $host.autoscaling.minReplicas) (int $host.autoscaling.maxReplicas) }}
`{{ $key }}.autoscaling.minReplicas` is more than `maxReplicas`: lower it to {{ $host.autoscaling.maxReplicas }} or less.
{{- end }}
{{- end }}
{{- end -}}

{{/* Settings whose values must not be in the history of releases. */}}
{{- define "sluice.secretSettings" -}}
^(DATABASE_URL|REDIS_URL|SMTP_URL|RESULT_KEY|AWS_(SECRET_ACCESS_KEY|SESSION_TOKEN)|SLUICE_MASTER_KEY.*|AUDIT_(NAME|SIGNING)_KEY|OPERATOR_TOKEN|ENGINE_(PASSWORD|TOKEN|CERTIFICATE|KEY|KEY_PASSPHRASE|TENANTS))$
{{- end -}}

{{- define "sluice.validate.extraEnvironment" -}}
{{- range $key, $component := dict "apiHost" "api-host" "streamHost" "stream-host" }}
{{- $arguments := dict "root" $ "component" $component "valuesKey" $key }}
{{- $set := include "sluice.environment" $arguments | fromYamlArray }}
{{- range $extra := (get $.Values $key).extraEnv }}
{{- range $set }}
{{- if eq (trimSuffix "_FILE" .name) (trimSuffix "_FILE" $extra.name) }}
`{{ $key }}.extraEnv` sets {{ $extra.name }}, which the chart sets from another value: remove it from `extraEnv`.
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- range $key := list "apiHost" "streamHost" }}
{{- range (get $.Values $key).extraEnv }}
{{- if and (regexMatch (include "sluice.secretSettings" $) .name) (hasKey . "value") }}
`{{ $key }}.extraEnv` has the secret {{ .name }} as a value: name a Secret in `valueFrom.secretKeyRef` instead.
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "sluice.validate.pods" -}}
{{- range $key, $component := dict "apiHost" "api-host" "streamHost" "stream-host" }}
{{- $host := get $.Values $key }}
{{- $own := include "sluice.labels" (dict "root" $ "component" $component) | fromYaml }}
{{- range $label, $value := $host.podLabels }}
{{- if hasKey $own $label }}
`{{ $key }}.podLabels` sets {{ $label }}, which the chart sets: remove it, or use `commonLabels` for a label of all objects.
{{- end }}
{{- end }}
{{- $names := dict $component true }}
{{- range concat $host.initContainers $host.extraContainers }}
{{- if hasKey $names .name }}
`{{ $key }}` has two containers {{ .name }}: rename the one in `initContainers` or `extraContainers`.
{{- end }}
{{- $_ := set $names .name true }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "sluice.validate.observability" -}}
{{- $metrics := .Values.metrics -}}
{{- $stream := .Values.streamHost -}}
{{- if and $stream.autoscaling.enabled $stream.keda.enabled }}
`streamHost.autoscaling.enabled` and `streamHost.keda.enabled` are both true: keep one, because each sets the replicas.
{{- end }}
{{- if and $stream.keda.enabled (not $stream.keda.serverAddress) }}
`streamHost.keda.serverAddress` is empty: set it to the address of Prometheus.
{{- end }}
{{- if and (not $metrics.enabled) (or $stream.autoscaling.enabled $stream.keda.enabled $metrics.serviceMonitor.enabled) }}
`metrics.enabled` is false, but the autoscaling of the stream host or the ServiceMonitor reads the metrics: set it to true.
{{- end }}
{{- end -}}
