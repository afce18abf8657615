{{- define "carillon.name" -}}
{{- if contains "carillon" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-carillon" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "carillon.selector" -}}
app.kubernetes.io/name: carillon
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "carillon.routerSelector" -}}
app.kubernetes.io/name: carillon-router
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Are there routers of the chart? Empty: no. */}}
{{- define "carillon.hasRouters" -}}
{{- if gt (int .Values.cluster.router.replicas) 0 }}yes{{ end }}
{{- end }}

{{- define "carillon.labels" -}}
{{ include "carillon.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "carillon.check" -}}
{{- if and (gt (int .Values.replicas) 1) (not .Values.cluster.enabled) }}{{ fail "replicas: more than one server needs cluster.enabled" }}{{ end }}
{{- if and .Values.cluster.enabled (not .Values.cluster.keySecret) }}{{ fail "cluster.keySecret: a cluster needs a secret with its key" }}{{ end }}
{{- if and .Values.cluster.enabled (lt (int .Values.replicas) 3) }}{{ fail "replicas: a cluster needs three servers" }}{{ end }}
{{- if include "carillon.hasRouters" . }}
{{- if not .Values.cluster.enabled }}{{ fail "cluster.router.replicas: routers need cluster.enabled" }}{{ end }}
{{- if .Values.cluster.routers }}{{ fail "cluster.routers: they stand elsewhere, or cluster.router.replicas says how many the chart makes; not both" }}{{ end }}
{{- if not (regexMatch "^.+:[0-9]+$" .Values.cluster.address) }}{{ fail "cluster.address: HOST:PORT of the Service of the routers, as phones know it" }}{{ end }}
{{- if .Values.hostNetwork }}{{ fail "hostNetwork: routers of the chart stand behind a Service" }}{{ end }}
{{- end }}
{{- if not .Values.http.tokenSecret }}{{ fail "http.tokenSecret: the metrics are open to the network, so a secret with a key token is needed" }}{{ end }}
{{- if and .Values.database.user (not .Values.database.passwordSecret) }}{{ fail "database.passwordSecret: a secret with the user's password is needed" }}{{ end }}
{{- if and (ne .Values.service.type "ClusterIP") (ne .Values.service.type "NodePort") (ne .Values.service.type "LoadBalancer") }}{{ fail "service.type: ClusterIP, NodePort or LoadBalancer" }}{{ end }}
{{- end }}

{{/* Settings: what the chart knows, over it what the owner says. */}}
{{- define "carillon.config" -}}
{{- $listen := list -}}
{{- range .Values.sip.transports }}{{ $listen = append $listen (printf "%s:0.0.0.0:%d" . (int $.Values.sip.port)) }}{{ end -}}
{{- if .Values.tls.secret }}{{ $listen = append $listen (printf "tls:0.0.0.0:%d" (int .Values.sip.tlsPort)) }}{{ end -}}
{{- if include "carillon.hasRouters" . }}{{ $listen = list }}{{ end -}}
{{- $sip := dict "listen" $listen -}}
{{- if .Values.sip.externalAddress }}{{ $_ := set $sip "external-host" .Values.sip.externalAddress }}{{ end -}}
{{- $http := dict "listen" (printf "0.0.0.0:%d" (int .Values.http.port)) -}}
{{- $settings := dict "sip" $sip "http" $http "drain" (dict "calls" (printf "%d s" (int .Values.drainSeconds))) -}}
{{- if .Values.applications.volume }}{{ $_ := set $settings "deploy" (dict "folder" "/applications") }}{{ end -}}
{{- if .Values.tls.secret }}{{ $_ := set $settings "tls" (dict "certificates" (list (dict "certificate" "/secrets/tls/tls.crt" "key" "/secrets/tls/tls.key"))) }}{{ end -}}
{{- if .Values.database.url -}}
{{- $database := dict "url" .Values.database.url -}}
{{- if .Values.database.user }}{{ $_ := set $database "user" .Values.database.user }}{{ $_ := set $database "password-file" "/secrets/database/password" }}{{ end -}}
{{- $_ := set $settings "database" $database -}}
{{- end -}}
{{- if .Values.cluster.enabled -}}
{{- $nodes := list -}}
{{- range $i, $_ := until (int .Values.replicas) }}{{ $nodes = append $nodes (printf "%s-%d.%s-nodes:%d" (include "carillon.name" $) $i (include "carillon.name" $) (int $.Values.cluster.port)) }}{{ end -}}
{{- $cluster := dict "name" .Values.cluster.name "nodes" $nodes "key-file" "/secrets/cluster/key" -}}
{{- if .Values.cluster.address }}{{ $_ := set $cluster "address" .Values.cluster.address }}{{ end -}}
{{- if .Values.cluster.routers }}{{ $_ := set $cluster "routers" .Values.cluster.routers }}{{ end -}}
{{- if include "carillon.hasRouters" . -}}
{{- $routers := list -}}
{{- range $i, $_ := until (int .Values.cluster.router.replicas) }}{{ $routers = append $routers (printf "%s-router-%d.%s-routers:%d" (include "carillon.name" $) $i (include "carillon.name" $) (int $.Values.cluster.router.port)) }}{{ end -}}
{{- $host := regexReplaceAll ":[0-9]+$" .Values.cluster.address "" -}}
{{- $streams := list -}}
{{- range .Values.sip.transports }}{{ if ne . "udp" }}{{ $streams = append $streams (printf "%s:%s:%d" . $host (int $.Values.sip.port)) }}{{ end }}{{ end -}}
{{- if .Values.tls.secret }}{{ $streams = append $streams (printf "tls:%s:%d" $host (int .Values.sip.tlsPort)) }}{{ end -}}
{{- $_ := set $cluster "routers" $routers -}}
{{- if $streams }}{{ $_ := set $cluster "streams" $streams }}{{ end -}}
{{- end -}}
{{- $_ := set $settings "cluster" $cluster -}}
{{- end -}}
{{- toYaml (mergeOverwrite $settings (deepCopy .Values.config)) -}}
{{- end }}
