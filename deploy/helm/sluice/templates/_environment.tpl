{{/* Environment of the hosts. Secrets are files, so that neither the environment nor a dump of it has them. */}}

{{- define "sluice.environment" -}}
{{ include "sluice.commonEnvironment" . }}
{{ include (ternary "sluice.apiEnvironment" "sluice.streamEnvironment" (eq .component "api-host")) . }}
{{- end -}}

{{/* Folder with the secrets of a group of values, as the pods see it. */}}
{{- define "sluice.secretFolder" -}}
{{- default (printf "/etc/sluice/%s" .name) .group.directory -}}
{{- end -}}

{{/* `<NAME>_FILE` of a key, unless the key has no name. */}}
{{- define "sluice.secretFile" -}}
{{- if and (or .group.existingSecret .group.directory) .key }}
- name: {{ .setting }}_FILE
  value: {{ printf "%s/%s" (include "sluice.secretFolder" .) .key | quote }}
{{- end }}
{{- end -}}

{{- define "sluice.commonEnvironment" -}}
{{- $values := .root.Values -}}
{{- $host := get $values .valuesKey -}}
{{- $databaseKey := ternary $values.database.keys.api $values.database.keys.stream (eq .component "api-host") -}}
{{- $api := include "sluice.hostname" (dict "root" .root "component" "api-host" "tenant" "{tenant}") -}}
{{- $stream := include "sluice.hostname" (dict "root" .root "component" "stream-host" "tenant" "{tenant}") -}}
{{- $scheme := include "sluice.scheme" .root -}}
- name: DATABASE_CONNECTIONS
  value: {{ $values.database.connections | quote }}
{{- include "sluice.secretFile" (dict "setting" "DATABASE_URL" "name" "database" "group" $values.database "key" $databaseKey) }}
{{- include "sluice.secretFile" (dict "setting" "REDIS_URL" "name" "redis" "group" $values.redis "key" $values.redis.key) }}
- name: REDIS_PREFIX
  value: {{ $values.redis.prefix | quote }}
{{- include "sluice.secretFile" (dict "setting" "AUDIT_NAME_KEY" "name" "secrets" "group" $values.secrets "key" $values.secrets.keys.auditNameKey) }}
- name: ISSUER_TEMPLATE
  value: {{ printf "%s://%s/auth/{tenant}" $scheme $api | quote }}
- name: TENANT_ORIGINS
  value: {{ printf "%s://%s,%s://%s" $scheme $api $scheme $stream | quote }}
- name: STREAM_PUBLIC_URL
  value: {{ printf "%s://%s" $scheme $stream | quote }}
{{- with $values.trustedProxies }}
- name: TRUSTED_PROXIES
  value: {{ join "," . | quote }}
{{- end }}
- name: LOG_LEVEL
  value: {{ $values.logLevel }}
{{- if $values.metrics.enabled }}
- name: METRICS_PORT
  value: {{ $values.metrics.port | quote }}
- name: METRICS_HOST
  value: 0.0.0.0
{{- end }}
- name: DRAIN_DELAY
  value: {{ printf "%ds" (int $values.drain.delaySeconds) }}
- name: DRAIN_GRACE
  value: {{ printf "%ds" (int $values.drain.graceSeconds) }}
- name: WORKER_MEMORY
  value: {{ printf "%dMiB" (int $host.workers.memoryMiB) }}
- name: WORKER_TEMP
  value: {{ printf "%dMiB" (int $host.workers.tempMiB) }}
{{- if or $values.results.bucket $values.results.folder }}
- name: RESULT_KEEP_MAX
  value: {{ $values.results.keepMax | quote }}
- name: RESULT_BYTES_MAX
  value: {{ $values.results.bytesMax | quote }}
{{- end }}
{{- include "sluice.engineEnvironment" $values.engine }}
{{- end -}}

{{- define "sluice.engineEnvironment" -}}
{{- if .url }}
- name: ENGINE_URL
  value: {{ .url | quote }}
{{- end }}
{{- with .catalogs }}
- name: ENGINE_CATALOGS
  value: {{ join "," . | quote }}
{{- end }}
{{- with .schema }}
- name: ENGINE_SCHEMA
  value: {{ . | quote }}
{{- end }}
{{- with .user }}
- name: ENGINE_USER
  value: {{ . | quote }}
{{- end }}
{{- $settings := dict "password" "ENGINE_PASSWORD" "token" "ENGINE_TOKEN" "certificate" "ENGINE_CERTIFICATE" "key" "ENGINE_KEY" "passphrase" "ENGINE_KEY_PASSPHRASE" "ca" "ENGINE_CA" "tenants" "ENGINE_TENANTS" }}
{{- range $name, $setting := $settings }}
{{- include "sluice.secretFile" (dict "setting" $setting "name" "engine" "group" $ "key" (get $.keys $name)) }}
{{- end }}
{{- with .duckdb.catalogs }}
- name: DUCKDB_CATALOGS
  value: {{ join "," . | quote }}
{{- end }}
{{- with .duckdb.defaultSchema }}
- name: DUCKDB_DEFAULT_SCHEMA
  value: {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "sluice.apiEnvironment" -}}
{{- $values := .root.Values -}}
- name: API_PORT
  value: "8080"
- name: API_HOST_SUFFIX
  value: {{ printf "%s.%s" $values.hosts.apiSuffix $values.domain | quote }}
- name: API_PUBLIC_URL
  value: {{ printf "%s://%s" (include "sluice.scheme" .root) (include "sluice.hostname" (dict "root" .root "component" "api-host" "tenant" "{tenant}")) | quote }}
- name: API_WORKERS_MAX
  value: {{ $values.apiHost.workers.max | quote }}
{{- include "sluice.secretFile" (dict "setting" "SMTP_URL" "name" "mail" "group" $values.mail "key" $values.mail.key) }}
{{- with $values.mail.from }}
- name: MAIL_FROM
  value: {{ . | quote }}
- name: MAIL_LANGUAGE
  value: {{ $values.mail.language }}
{{- end }}
{{- range $name, $setting := dict "masterKey" "SLUICE_MASTER_KEY" "auditSigningKey" "AUDIT_SIGNING_KEY" "operatorToken" "OPERATOR_TOKEN" }}
{{- include "sluice.secretFile" (dict "setting" $setting "name" "secrets" "group" $values.secrets "key" (get $values.secrets.keys $name)) }}
{{- end }}
{{- end -}}

{{- define "sluice.streamEnvironment" -}}
{{- $values := .root.Values -}}
- name: STREAM_PORT
  value: "8081"
- name: STREAM_HOST_SUFFIX
  value: {{ printf "%s.%s" $values.hosts.streamSuffix $values.domain | quote }}
- name: JWKS_URL
  value: {{ printf "http://%s-api-host:%d/.well-known/jwks.json" (include "sluice.fullname" .root) (int $values.apiHost.service.port) | quote }}
- name: WORKERS_MAX
  value: {{ $values.streamHost.workers.max | quote }}
{{- if $values.trinoDoor.enabled }}
- name: TRINO_DOOR
  value: "true"
{{- end }}
{{- $settings := dict "bucket" "RESULT_BUCKET" "prefix" "RESULT_BUCKET_PREFIX" "region" "RESULT_BUCKET_REGION" "url" "RESULT_BUCKET_URL" "folder" "RESULT_FOLDER" }}
{{- range $name, $setting := $settings }}
{{- with get $values.results $name }}
- name: {{ $setting }}
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- if or $values.results.bucket $values.results.folder }}
- name: RESULT_FILES_MAX
  value: {{ printf "%dMiB" (int $values.results.filesMiB) }}
{{- end }}
{{- include "sluice.secretFile" (dict "setting" "RESULT_KEY" "name" "results" "group" $values.results "key" $values.results.key) }}
{{- end -}}

{{/* Volumes with exactly the keys that a host needs, or none for a group that has a folder. */}}
{{- define "sluice.secretVolume" -}}
{{- $keys := without (uniq .keys) "" -}}
{{- if and .group.existingSecret (not .group.directory) $keys }}
- name: {{ .name }}
  secret:
    secretName: {{ .group.existingSecret }}
    defaultMode: 0440
    items:
      {{- range $keys }}
      - { key: {{ . | quote }}, path: {{ . | quote }} }
      {{- end }}
{{- end }}
{{- end -}}

{{- define "sluice.secretMount" -}}
{{- if and .group.existingSecret (not .group.directory) (without .keys "") }}
- name: {{ .name }}
  mountPath: /etc/sluice/{{ .name }}
  readOnly: true
{{- end }}
{{- end -}}

{{/* Groups of Secrets of a host as JSON: name, group and keys. */}}
{{- define "sluice.secretGroups" -}}
{{- $values := .root.Values -}}
{{- $isApi := eq .component "api-host" -}}
{{- $own := $values.secrets.keys -}}
{{- $groups := list
  (dict "name" "database" "group" $values.database "keys" (list (ternary $values.database.keys.api $values.database.keys.stream $isApi)))
  (dict "name" "redis" "group" $values.redis "keys" (list $values.redis.key))
  (dict "name" "secrets" "group" $values.secrets "keys" (ternary (list $own.masterKey $own.auditNameKey $own.auditSigningKey $own.operatorToken) (list $own.auditNameKey) $isApi))
  (dict "name" "engine" "group" $values.engine "keys" (values $values.engine.keys | sortAlpha)) -}}
{{- $last := ternary (dict "name" "mail" "group" $values.mail "keys" (list $values.mail.key)) (dict "name" "results" "group" $values.results "keys" (list $values.results.key)) $isApi -}}
{{- $groups = append $groups $last -}}
{{- toJson $groups -}}
{{- end -}}
