{{- define "shelfwire.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- /* Labels that select the pods of a role: (dict "root" $ "role" "api"). They never change. */ -}}
{{- define "shelfwire.selector" -}}
app.kubernetes.io/name: shelfwire
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- define "shelfwire.labels" -}}
{{ include "shelfwire.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{- /* The spec of a pod: (dict "root" $ "role" "api" "args" (list "serve") "values" .Values.api "probes" true). */ -}}
{{- define "shelfwire.pod" -}}
{{- $values := .root.Values -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65534
  runAsGroup: 65534
  fsGroup: 65534
  seccompProfile: { type: RuntimeDefault }
terminationGracePeriodSeconds: 45
containers:
  - name: shelfwire
    image: "{{ $values.image.repository }}:{{ $values.image.tag | default .root.Chart.AppVersion }}"
    imagePullPolicy: {{ $values.image.pullPolicy }}
    args: {{ toJson .args }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    env:
      {{- range $key, $setting := $values.secret.keys }}
      - { name: {{ $setting }}, value: /run/secrets/shelfwire/{{ $key }} }
      {{- end }}
      {{- range $name, $value := merge (dict) .values.settings $values.settings }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
    {{- if .probes }}
    ports:
      {{- if eq .role "api" }}
      - { name: http, containerPort: 8080 }
      {{- end }}
      - { name: metrics, containerPort: 9464 }
    startupProbe: { httpGet: { path: /healthz, port: metrics }, periodSeconds: 5, failureThreshold: 120 }
    livenessProbe: { httpGet: { path: /healthz, port: metrics }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
    readinessProbe: { httpGet: { path: /readyz, port: metrics }, periodSeconds: 5, timeoutSeconds: 5 }
    {{- /* the endpoints of the service are told before the process closes its port */}}
    lifecycle: { preStop: { exec: { command: [node, -e, 'setTimeout(() => {}, 5000)'] } } }
    {{- end }}
    resources: {{ toYaml .values.resources | nindent 6 }}
    volumeMounts:
      - { name: data, mountPath: /data }
      - { name: tmp, mountPath: /tmp }
      - { name: secrets, mountPath: /run/secrets/shelfwire, readOnly: true }
volumes:
  - name: data
    {{- if $values.data.existingClaim }}
    persistentVolumeClaim: { claimName: {{ $values.data.existingClaim }} }
    {{- else }}
    emptyDir: {}
    {{- end }}
  - name: tmp
    emptyDir: {}
  - name: secrets
    secret: { secretName: {{ required "secret.name must name a Secret" $values.secret.name }}, defaultMode: 0440 }
{{- with $values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- if .probes }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "shelfwire.selector" . | nindent 8 }}
{{- end }}
{{- end -}}
