{{/* Memory that a host needs. docs and the README state the same figures. */}}

{{/* A quantity of Kubernetes in MiB, rounded down. */}}
{{- define "sluice.mebibytes" -}}
{{- $text := toString . -}}
{{- $number := regexFind "^[0-9.]+" $text | float64 -}}
{{- $factor := get (dict "" (divf 1 1048576) "k" (divf 1000 1048576) "M" (divf 1000000 1048576) "G" (divf 1000000000 1048576) "T" (divf 1000000000000 1048576) "Ki" (divf 1 1024) "Mi" 1.0 "Gi" 1024.0 "Ti" 1048576.0) (regexReplaceAll "^[0-9.]+" $text "") -}}
{{- floor (mulf $number $factor) -}}
{{- end -}}

{{/*
256 MiB of the host, and for each worker 192 MiB on Trino. On DuckDB, a worker may use its address space except what Node.js maps and
does not use (1,200 MiB), and 128 MiB of its own.
*/}}
{{- define "sluice.memoryNeededMib" -}}
{{- $workers := .host.workers -}}
{{- $each := ternary 192 (sub (int $workers.memoryMiB) 1072 | int) (ne .root.Values.engine.url "") -}}
{{- add 256 (mul (int $workers.max) $each) -}}
{{- end -}}
