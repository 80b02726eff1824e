/** Values that `helm template` rejects, on top of the minimal ones, and the sentence that it prints. */
export const BAD_VALUES = [
  { set: ['domian=example.com'], says: "at '': additional properties 'domian' not allowed" },
  { set: ['streamHost.worker.max=3'], says: "at '/streamHost': additional properties 'worker' not allowed" },
  { set: ['secrets.masterKey=abc'], says: "at '/secrets': additional properties 'masterKey' not allowed" },
  { set: ['tenants[0].nmae=acme'], says: "additional properties 'nmae' not allowed" },
  { set: ['streamHost.replicas=two'], says: "at '/streamHost/replicas': got string, want integer" },
  { set: ['domain='], says: '`domain` is "": set it to the domain of all host names, such as `data.example.com`.' },
  { set: ['domain=https://example.com'], says: '`domain` is "https://example.com": set it to the domain' },
  {
    set: ['tenants[0].name=Acme_1'],
    says: 'The tenant name "Acme_1" in `tenants` cannot be part of a host name: use lower-case letters, digits and inner hyphens',
  },
  { set: [`tenants[0].name=${'a'.repeat(57)}`], says: 'at most 63 characters with the suffix of `hosts`.' },
  {
    set: ['tenants[0].name=acme', 'tenants[1].name=acme'],
    says: '`tenants` has "acme" twice: remove one of the two.',
  },
  {
    set: ['database.existingSecret='],
    says: '`database.existingSecret` is empty: set it to the name of an existing Secret with the keys of `database.keys`.',
  },
  {
    set: ['secrets.existingSecret='],
    says: '`secrets.existingSecret` is empty: set it to the name of an existing Secret with the keys of `secrets.keys`.',
  },
  {
    set: ['database.directory=/run/secrets'],
    says: '`database.existingSecret` and `database.directory` are both set: keep the one that has the secrets.',
  },
  { set: ['secrets.keys.masterKey='], says: '`secrets.keys.masterKey` is empty: set it to the key of that secret.' },
  {
    set: ['engine.keys.token=token'],
    says: '`engine.keys.token` is set without a Secret: set `engine.existingSecret` to the name of the Secret that has that key.',
  },
  { set: ['engine.user=sluice'], says: '`engine.user` is set without a password: set `engine.keys.password`' },
  {
    set: ['redis.existingSecret='],
    says: '2 replicas of the stream host need Redis: set `redis.existingSecret`, or `streamHost.replicas: 1` without autoscaling.',
  },
  {
    set: ['redis.existingSecret=', 'apiHost.replicas=1', 'streamHost.replicas=1', 'streamHost.keda.enabled=true'],
    says: '10 replicas of the stream host need Redis',
  },
  {
    set: ['results.bucket=acme-results'],
    says: '`results.bucket` is set without a key: set `results.existingSecret` to the name of the Secret with the key of kept results.',
  },
  {
    set: ['results.bucket=acme-results', 'results.existingSecret=keys', 'results.key='],
    says: '`results.bucket` is set without a key',
  },
  {
    set: ['results.bucket=acme-results', 'results.folder=/data', 'results.existingSecret=keys'],
    says: '`results.bucket` and `results.folder` are both set: keep the one that has the kept results.',
  },
  {
    set: ['results.existingSecret=keys'],
    says: '`results.existingSecret` is set without a store: set `results.bucket`, or `results.folder` with one replica.',
  },
  {
    set: ['results.folder=/data', 'results.existingSecret=keys'],
    says: '`results.folder` is set with 2 replicas of the stream host, which do not share a folder: set `results.bucket`, or `streamHost.replicas: 1` without autoscaling.',
  },
  {
    set: [
      'results.folder=/data',
      'results.existingSecret=keys',
      'streamHost.replicas=1',
      'streamHost.keda.enabled=true',
    ],
    says: '`results.folder` is set with 10 replicas of the stream host',
  },
  { set: ['results.url=https://user:secret@minio'], says: "at '/results/url'" },
  { set: ['results.folder=data'], says: "at '/results/folder'" },
  {
    set: ['streamHost.extraEnv[0].name=AWS_SECRET_ACCESS_KEY', 'streamHost.extraEnv[0].value=secret'],
    says: '`streamHost.extraEnv` has the secret AWS_SECRET_ACCESS_KEY as a value',
  },
  { set: ['engine.url='], says: 'No engine is set: set `engine.url` to the address of Trino' },
  { set: ['engine.catalogs=null'], says: '`engine.url` is set without catalogs, so every query is rejected' },
  { set: ['metrics.prometheusRule.runbookUrl=docs/operations.md'], says: "at '/metrics/prometheusRule/runbookUrl'" },
  { set: ['engine.url=http://sluice:secret@trino'], says: "at '/engine/url'" },
  {
    set: ['engine.duckdb.catalogs[0]=a=/a.db'],
    says: '`engine.url` and `engine.duckdb.catalogs` are both set: keep the one that runs the queries.',
  },
  {
    set: ['streamHost.workers.max=40'],
    says: '`streamHost.resources.limits.memory` is 5Gi, but the stream host needs 7936Mi for 40 workers: raise the limit, or lower `streamHost.workers.max`.',
  },
  {
    set: ['apiHost.resources.limits.memory=600M'],
    says: '`apiHost.resources.limits.memory` is 600M, but the API host needs 640Mi for 2 workers',
  },
  {
    set: ['engine.url=', 'engine.duckdb.catalogs[0]=a=/a.db', 'streamHost.workers.memoryMiB=4096'],
    says: '`streamHost.resources.limits.memory` is 5Gi, but the stream host needs 12352Mi for 4 workers',
  },
  {
    set: ['drain.terminationGracePeriodSeconds=30'],
    says: '`drain.terminationGracePeriodSeconds` is 30, but the drain takes 78 s (3 + 5 + 60 + 10): raise it, or lower `drain.graceSeconds`.',
  },
  { set: ['gateway.enabled=true'], says: '`gateway.enabled` is true without tenants: add at least one to `tenants`' },
  {
    set: ['gateway.enabled=true', 'tenants[0].name=acme'],
    says: '`gateway.parentRefs` is empty: name the Gateway that the routes attach to, or set `gateway.create: true`.',
  },
  {
    set: ['gateway.enabled=true', 'ingress.enabled=true', 'tenants[0].name=acme'],
    says: '`gateway.enabled` and `ingress.enabled` are both true: keep the one that your cluster routes with.',
  },
  {
    set: ['gateway.enabled=true', 'gateway.create=true', 'tenants[0].name=acme', 'tls.secretName=wildcard'],
    says: '`gateway.create` is true without a class: set `gateway.className` to the GatewayClass of your controller.',
  },
  {
    set: ['ingress.enabled=true', 'tenants[0].name=acme'],
    says: '`tls.secretName` is empty: set it to a Secret with the certificate of `*.data.example.com`, or name an issuer in `tls.certManager`.',
  },
  {
    set: ['ingress.enabled=true', 'tenants[0].name=acme', 'tls.perTenant=true'],
    says: 'The tenant "acme" has no certificate: set its `tls.secretName` in `tenants`, or name an issuer in `tls.certManager`.',
  },
  { set: ['tls.perTenant=true', 'tls.secretName=x'], says: '`tls.perTenant` and `tls.secretName` are both set' },
  {
    set: ['tls.certManager.issuer=a', 'tls.certManager.clusterIssuer=b'],
    says: '`tls.certManager.clusterIssuer` and `tls.certManager.issuer` are both set: keep one.',
  },
  {
    set: ['streamHost.extraEnv[0].name=WORKERS_MAX', 'streamHost.extraEnv[0].value=nine'],
    says: '`streamHost.extraEnv` sets WORKERS_MAX, which the chart sets from another value: remove it from `extraEnv`.',
  },
  { set: ['streamHost.envFrom[0].secretRef.key=x'], says: "at '/streamHost/envFrom/0/secretRef'" },
  { set: ['apiHost.initContainers[0].name=wait'], says: "at '/apiHost/initContainers/0': missing property 'image'" },
  {
    set: ['apiHost.extraContainers[0].name=api-host', 'apiHost.extraContainers[0].image=agent'],
    says: '`apiHost` has two containers api-host: rename the one in `initContainers` or `extraContainers`.',
  },
  {
    set: ['streamHost.podLabels.app\\.kubernetes\\.io/name=other'],
    says: '`streamHost.podLabels` sets app.kubernetes.io/name, which the chart sets: remove it, or use `commonLabels` for a label of all objects.',
  },
  {
    set: ['apiHost.extraEnv[0].name=OPERATOR_TOKEN', 'apiHost.extraEnv[0].value=secret'],
    says: '`apiHost.extraEnv` has the secret OPERATOR_TOKEN as a value: name a Secret in `valueFrom.secretKeyRef` instead.',
  },
  {
    set: ['streamHost.autoscaling.enabled=true', 'streamHost.autoscaling.minReplicas=11'],
    says: '`streamHost.autoscaling.minReplicas` is more than `maxReplicas`: lower it to 10 or less.',
  },
  {
    set: [
      'streamHost.autoscaling.enabled=true',
      'streamHost.keda.enabled=true',
      'streamHost.keda.serverAddress=http://p',
    ],
    says: '`streamHost.autoscaling.enabled` and `streamHost.keda.enabled` are both true: keep one',
  },
  { set: ['streamHost.keda.enabled=true'], says: '`streamHost.keda.serverAddress` is empty' },
  {
    set: ['metrics.enabled=false', 'metrics.serviceMonitor.enabled=true'],
    says: '`metrics.enabled` is false, but the autoscaling of the stream host or the ServiceMonitor reads the metrics',
  },
];
