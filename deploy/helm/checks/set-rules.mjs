/** Assertions on the objects that some value sets render, by name of the set. */
import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { shippedFiles } from './render-chart.mjs';

const find = (objects, kind, name) => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  assert.ok(found, `${kind} ${name} is missing`);
  return found;
};
const kindsOf = (objects) => new Set(objects.map(({ kind }) => kind));
const containerOf = (objects, host) => find(objects, 'Deployment', `sluice-${host}`).spec.template.spec.containers[0];
const environmentOf = (objects, host) =>
  Object.fromEntries(containerOf(objects, host).env.map(({ name, value }) => [name, value]));
const routesOf = (objects) =>
  Object.fromEntries(
    objects.filter(({ kind }) => kind === 'HTTPRoute').map(({ metadata, spec }) => [metadata.name, spec.hostnames]),
  );

const shippedGroups = () => Object.values(shippedFiles('alerts')).flatMap((text) => parse(text).groups);
const alertGroups = (objects) => find(objects, 'PrometheusRule', 'sluice').spec.groups;

/** The alerts of the chart's files, with the address of the section of each alert instead of its name in the documentation. */
function assertRunbooks(objects, url) {
  const expected = shippedGroups();
  for (const { alert, annotations } of expected.flatMap(({ rules }) => rules)) {
    const [, section] = annotations.runbook.split('#');
    assert.equal(section, alert.toLowerCase());
    delete annotations.runbook;
    annotations.runbook_url = `${url}#${section}`;
  }
  assert.deepEqual(alertGroups(objects), expected);
}

/** The dashboards of the chart's files, unchanged. */
function assertDashboards(objects) {
  const dashboards = shippedFiles('dashboards');
  if (Object.keys(dashboards).length > 0)
    assert.deepEqual(find(objects, 'ConfigMap', 'sluice-dashboards').data, dashboards);
}

/** Prometheus names the jobs of both hosts as the alert about a missing host expects, whatever the release is called. */
function assertJobs(objects) {
  const rules = shippedGroups().flatMap((group) => group.rules);
  const [, selected] = /job=~"([^"]*)"/.exec(rules.find(({ alert }) => alert === 'SluiceHostDown').expr);
  const [{ relabelings }] = find(objects, 'ServiceMonitor', 'sluice').spec.endpoints;
  const [{ sourceLabels, targetLabel, replacement }] = relabelings;
  assert.deepEqual(sourceLabels, ['__meta_kubernetes_service_label_app_kubernetes_io_component']);
  assert.equal(targetLabel, 'job');
  const services = objects.filter(({ kind }) => kind === 'Service');
  const jobs = services.map(({ metadata }) =>
    replacement.replace('$1', metadata.labels['app.kubernetes.io/component']),
  );
  assert.deepEqual(jobs.toSorted(), ['sluice-api-host', 'sluice-stream-host']);
  for (const job of jobs) assert.match(job, new RegExp(`^(?:${selected})$`));
}

const TENANT_HOSTS = ['acme-api', 'acme-stream', 'globex-api', 'globex-stream'];

export const SET_RULES = {
  minimal(objects) {
    assert.equal(find(objects, 'Deployment', 'sluice-stream-host').spec.replicas, 2);
    assert.equal(containerOf(objects, 'api-host').image, 'sluice/api-host:0.1.0');
    const kinds = kindsOf(objects);
    for (const kind of ['HTTPRoute', 'Gateway', 'Ingress', 'HorizontalPodAutoscaler', 'ServiceMonitor', 'ConfigMap']) {
      assert.ok(!kinds.has(kind), kind);
    }
    const environment = environmentOf(objects, 'stream-host');
    assert.equal(environment.ISSUER_TEMPLATE, 'https://{tenant}-api.data.example.com/auth/{tenant}');
    assert.equal(environment.STREAM_HOST_SUFFIX, 'stream.data.example.com');
    assert.equal(environment.JWKS_URL, 'http://sluice-api-host:8080/.well-known/jwks.json');
    assert.equal(environment.SLUICE_MASTER_KEY_FILE, undefined);
  },

  'two-tenants'(objects) {
    for (const host of ['api-host', 'stream-host']) {
      const environment = environmentOf(objects, host);
      assert.equal(environment.ENGINE_TENANTS_FILE, '/etc/sluice/engine/tenants.json');
      assert.equal(environment.ENGINE_CA_FILE, '/etc/sluice/engine/ca.crt');
    }
    const { egress } = find(objects, 'NetworkPolicy', 'sluice-stream-host').spec;
    assert.ok(egress.some(({ ports }) => ports[0].port === 8443));
    assert.deepEqual(alertGroups(objects), shippedGroups());
  },

  gateway(objects) {
    assert.deepEqual(
      routesOf(objects),
      Object.fromEntries(TENANT_HOSTS.map((host) => [`sluice-${host}`, [`${host}.data.example.com`]])),
    );
    assert.deepEqual(find(objects, 'HTTPRoute', 'sluice-acme-stream').spec.parentRefs, [
      { name: 'public', namespace: 'gateways' },
    ]);
    assert.ok(!kindsOf(objects).has('Gateway'));
    assert.equal(environmentOf(objects, 'api-host').TRUSTED_PROXIES, '10.0.0.0/8');
  },

  ingress(objects) {
    const api = find(objects, 'Ingress', 'sluice-api-host');
    const stream = find(objects, 'Ingress', 'sluice-stream-host');
    assert.deepEqual(stream.metadata.annotations, {
      'haproxy.org/timeout-server': '1h',
      'haproxy.org/timeout-tunnel': '1h',
    });
    assert.equal(api.metadata.annotations, undefined);
    const hosts = [...api.spec.rules, ...stream.spec.rules].map(({ host }) => host.replace('.data.example.com', ''));
    assert.deepEqual(hosts.toSorted(), TENANT_HOSTS);
    assert.deepEqual(api.spec.tls, [{ secretName: 'wildcard-data-example-com', hosts: ['*.data.example.com'] }]);
  },

  'tls-per-tenant'(objects) {
    const gateway = find(objects, 'Gateway', 'sluice');
    assert.deepEqual(gateway.metadata.annotations, { 'cert-manager.io/cluster-issuer': 'letsencrypt' });
    assert.deepEqual(
      gateway.spec.listeners.map(({ hostname, tls }) => [hostname, tls.certificateRefs[0].name]),
      TENANT_HOSTS.map((host) => [
        `${host}.data.example.com`,
        host.startsWith('acme') ? 'acme-own-certificate' : 'sluice-globex-tls',
      ]),
    );
    assert.deepEqual(find(objects, 'HTTPRoute', 'sluice-globex-api').spec.parentRefs, [{ name: 'sluice' }]);
  },

  'one-replica'(objects) {
    assert.ok(!kindsOf(objects).has('PodDisruptionBudget'), 'a budget would block the drain of the node');
    const environment = environmentOf(objects, 'api-host');
    assert.equal(environment.REDIS_URL_FILE, undefined);
    assert.equal(environment.DATABASE_URL_FILE, '/mnt/secrets/api-url');
    assert.equal(environment.DUCKDB_CATALOGS, 'sales=/data/sales.duckdb');
    const stream = environmentOf(objects, 'stream-host');
    assert.deepEqual(
      [stream.RESULT_FOLDER, stream.RESULT_KEY_FILE, stream.RESULT_KEEP_MAX, stream.RESULT_BUCKET],
      ['/results', '/mnt/secrets/result-key', '24h', undefined],
    );
    // The API host reports the limits, and never gets the key.
    assert.deepEqual([environment.RESULT_KEEP_MAX, environment.RESULT_KEY_FILE], ['24h', undefined]);
  },

  everything(objects) {
    const kinds = kindsOf(objects);
    for (const kind of ['HorizontalPodAutoscaler', 'ScaledObject', 'ServiceMonitor']) {
      assert.ok(kinds.has(kind), kind);
    }
    assertRunbooks(objects, 'https://runbooks.example.com/sluice/operations.md');
    assertDashboards(objects);
    assertJobs(objects);
    const deployment = find(objects, 'Deployment', 'sluice-stream-host');
    assert.equal(deployment.spec.replicas, undefined, 'the autoscaler sets the replicas');
    assert.match(
      containerOf(objects, 'stream-host').image,
      /^registry\.example\.com\/data\/sluice\/stream-host:0\.1\.0@sha256:/,
    );
    const pod = deployment.spec.template;
    assert.equal(pod.metadata.annotations['example.com/log'], 'json');
    assert.equal(pod.metadata.labels['example.com/tier'], 'query');
    assert.deepEqual(
      [pod.spec.initContainers, pod.spec.containers].map((containers) => containers.map(({ name }) => name)),
      [['wait-for-trino'], ['stream-host', 'log-agent']],
    );
    assert.deepEqual(pod.spec.containers[0].envFrom, [
      { configMapRef: { name: 'query-settings' } },
      { prefix: 'PROXY_', secretRef: { name: 'proxy', optional: true } },
    ]);
    const other = find(objects, 'Deployment', 'sluice-api-host').spec.template.spec;
    assert.deepEqual([other.initContainers, other.containers.length], [undefined, 1]);
    assert.deepEqual(pod.spec.imagePullSecrets, [{ name: 'registry' }]);
    assert.equal(pod.spec.terminationGracePeriodSeconds, 138);
    assert.ok(pod.spec.tolerations && pod.spec.affinity && pod.spec.nodeSelector && pod.spec.priorityClassName);
    assert.ok(pod.spec.volumes.some(({ name }) => name === 'extra'));
    assert.equal(environmentOf(objects, 'stream-host').QUERY_TIME, '10m');
    const api = environmentOf(objects, 'api-host');
    assert.deepEqual(
      [api.SMTP_URL_FILE, api.MAIL_FROM, api.MAIL_LANGUAGE],
      ['/etc/sluice/mail/smtp-url', 'Sluice <sluice@example.com>', 'de'],
    );
    const stream = environmentOf(objects, 'stream-host');
    assert.equal(stream.SMTP_URL_FILE, undefined);
    assert.deepEqual(
      [stream.RESULT_BUCKET, stream.RESULT_BUCKET_PREFIX, stream.RESULT_BUCKET_REGION, stream.RESULT_BUCKET_URL],
      ['acme-results', 'production', 'eu-central-1', 'https://minio.example.com:9000'],
    );
    assert.deepEqual(
      [stream.RESULT_KEY_FILE, stream.RESULT_KEEP_MAX, stream.RESULT_BYTES_MAX],
      ['/etc/sluice/results/result-key', '7d', '20GiB'],
    );
    assert.ok(
      pod.spec.volumes.some(({ name, secret }) => name === 'results' && secret.secretName === 'sluice-results'),
    );
    const toBucket = find(objects, 'NetworkPolicy', 'sluice-stream-host').spec.egress.find(
      ({ ports }) => ports[0].port === 9000,
    );
    assert.deepEqual(toBucket.to, [{ ipBlock: { cidr: '10.20.4.0/24' } }]);
    const toMail = find(objects, 'NetworkPolicy', 'sluice-api-host').spec.egress.find(
      ({ ports }) => ports[0].port === 465,
    );
    assert.deepEqual(toMail.to, [{ ipBlock: { cidr: '10.20.3.0/24' } }]);
    assert.equal(environmentOf(objects, 'api-host').OPERATOR_TOKEN_FILE, '/etc/sluice/secrets/operator-token');
    const { ingress } = find(objects, 'NetworkPolicy', 'sluice-stream-host').spec;
    assert.ok(
      ingress.every(({ from }) => from?.length > 0),
      'ingress from named peers only',
    );
  },
};
