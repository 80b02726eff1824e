/** Rules for the objects that the chart renders. Each takes all objects of one value set, and throws on a violation. */
import assert from 'node:assert/strict';

const ofKind = (objects, kind) => objects.filter((object) => object.kind === kind);
const workloads = (objects) => objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
const deployments = (objects) => ofKind(objects, 'Deployment');
const podOf = ({ spec }) => spec.template.spec;
const labelsOf = ({ spec }) => spec.template.metadata.labels;
const nameOf = ({ kind, metadata }) => `${kind} ${metadata.name}`;
const selects = (selector, labels) => Object.entries(selector).every(([key, value]) => labels[key] === value);

const STANDARD_LABELS = ['name', 'instance', 'version', 'managed-by', 'part-of'];
const SECRET_NAMES = /PASSWORD|TOKEN$|_KEY$|PASSPHRASE|DATABASE_URL|OWNER_URL|REDIS_URL|SMTP_URL|ENGINE_TENANTS/;

export const MANIFEST_RULES = {
  'every object has the standard labels and the namespace of the release': (objects) => {
    for (const object of objects) {
      for (const label of STANDARD_LABELS) {
        assert.ok(object.metadata.labels[`app.kubernetes.io/${label}`], `${nameOf(object)} has no label ${label}`);
      }
      assert.equal(object.metadata.namespace, 'data', nameOf(object));
    }
  },

  'no two objects have one name': (objects) => {
    const names = objects.map(nameOf);
    assert.deepEqual(names, [...new Set(names)]);
  },

  'pods meet the restricted Pod Security Standard, with a read-only root file system and without a token': (
    objects,
  ) => {
    for (const workload of workloads(objects)) {
      const pod = podOf(workload);
      assert.equal(pod.automountServiceAccountToken, false);
      assert.equal(pod.securityContext.runAsNonRoot, true);
      assert.equal(pod.securityContext.seccompProfile.type, 'RuntimeDefault');
      for (const key of ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace'])
        assert.equal(pod[key], undefined);
      for (const { securityContext, resources } of pod.containers) {
        assert.equal(securityContext.allowPrivilegeEscalation, false);
        assert.equal(securityContext.readOnlyRootFilesystem, true);
        assert.deepEqual(securityContext.capabilities, { drop: ['ALL'] });
        assert.ok(resources.limits.memory, 'a memory limit');
      }
      const temp = pod.volumes.find(({ name }) => name === 'temp');
      assert.ok(temp.emptyDir.sizeLimit, 'a size limit of the temporary folder');
    }
    for (const account of ofKind(objects, 'ServiceAccount')) assert.equal(account.automountServiceAccountToken, false);
  },

  'no secret is in an environment, an argument or a ConfigMap': (objects) => {
    for (const workload of workloads(objects)) {
      for (const { env, args } of podOf(workload).containers) {
        assert.equal(args, undefined);
        for (const { name, value } of env) {
          const isPath = name.endsWith('_FILE') && value.startsWith('/');
          assert.ok(isPath || !SECRET_NAMES.test(name), `${nameOf(workload)} has ${name} in its environment`);
        }
      }
    }
    assert.deepEqual(ofKind(objects, 'Secret'), []);
  },

  'every file of a secret is mounted': (objects) => {
    for (const workload of workloads(objects)) {
      const pod = podOf(workload);
      for (const { env, volumeMounts } of pod.containers) {
        for (const { name, value } of env.filter((entry) => entry.name.endsWith('_FILE'))) {
          const mount = volumeMounts.find(({ mountPath }) => value.startsWith(`${mountPath}/`));
          assert.ok(mount, `${nameOf(workload)}: ${name} is in no mounted folder`);
          const volume = pod.volumes.find((each) => each.name === mount.name);
          const key = value.slice(mount.mountPath.length + 1);
          if (volume.secret)
            assert.ok(
              volume.secret.items.some(({ path }) => path === key),
              `${name} is not an item`,
            );
        }
      }
    }
  },

  'an old pod ends after a new one is ready, and gets the time that its drain takes': (objects) => {
    for (const deployment of deployments(objects)) {
      assert.deepEqual(deployment.spec.strategy.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 });
      const pod = podOf(deployment);
      const [{ env, lifecycle }] = pod.containers;
      const seconds = (name) => Number(/^(\d+)s$/.exec(env.find((entry) => entry.name === name).value)[1]);
      const drain = lifecycle.preStop.sleep.seconds + seconds('DRAIN_DELAY') + seconds('DRAIN_GRACE');
      assert.ok(pod.terminationGracePeriodSeconds >= drain + 10, `${nameOf(deployment)} is killed while it drains`);
    }
  },

  'hosts are restarted by /live and get traffic by /health': (objects) => {
    for (const deployment of deployments(objects)) {
      const [{ livenessProbe, readinessProbe, startupProbe, ports }] = podOf(deployment).containers;
      assert.equal(livenessProbe.httpGet.path, '/live');
      assert.equal(startupProbe.httpGet.path, '/live');
      assert.equal(readinessProbe.httpGet.path, '/health');
      for (const { httpGet } of [livenessProbe, readinessProbe, startupProbe]) {
        assert.ok(ports.some(({ name }) => name === httpGet.port));
      }
    }
  },

  'each Service and budget selects the pods of exactly one Deployment': (objects) => {
    const selectors = [
      ...ofKind(objects, 'Service').map((service) => [service, service.spec.selector]),
      ...ofKind(objects, 'PodDisruptionBudget').map((budget) => [budget, budget.spec.selector.matchLabels]),
    ];
    for (const [object, selector] of selectors) {
      const selected = workloads(objects).filter((workload) => selects(selector, labelsOf(workload)));
      assert.deepEqual(selected.map(nameOf), [`Deployment ${object.metadata.name}`]);
    }
    assert.equal(ofKind(objects, 'Service').length, 2);
  },

  'the migration runs first and uses no object of the chart': (objects) => {
    for (const job of ofKind(objects, 'Job')) {
      assert.equal(job.metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade');
      const pod = podOf(job);
      assert.equal(pod.serviceAccountName, undefined);
      const own = objects.map(({ metadata }) => metadata.name);
      const used = pod.volumes.flatMap(({ secret, configMap }) => [secret?.secretName, configMap?.name]);
      assert.deepEqual(
        used.filter((name) => own.includes(name)),
        [],
      );
      assert.equal(pod.containers[0].envFrom, undefined);
    }
  },

  'network policies deny what they do not allow, and the migration has its own before the others exist': (objects) => {
    const policies = ofKind(objects, 'NetworkPolicy');
    const denying = policies.find(({ spec }) => spec.ingress === undefined && spec.egress === undefined);
    assert.deepEqual(denying.spec.policyTypes, ['Ingress', 'Egress']);
    for (const workload of workloads(objects)) {
      const labels = labelsOf(workload);
      assert.ok(selects(denying.spec.podSelector.matchLabels, labels), `${nameOf(workload)} is not denied by default`);
      const allowing = policies.filter(
        (policy) => policy !== denying && selects(policy.spec.podSelector.matchLabels, labels),
      );
      assert.deepEqual(
        allowing.map(({ metadata }) => metadata.name),
        [workload.metadata.name],
      );
      assert.ok(
        allowing[0].spec.egress.every(({ ports }) => ports.length > 0),
        'egress to any port',
      );
    }
    const hook = policies.find(({ metadata }) => metadata.name.endsWith('-migration'));
    assert.equal(hook.metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade');
    assert.ok(Number(hook.metadata.annotations['helm.sh/hook-weight']) < 0);
  },

  'every backend of a route is a port of a Service': (objects) => {
    const ports = ofKind(objects, 'Service').flatMap(({ metadata, spec }) =>
      spec.ports.flatMap(({ name, port }) => [`${metadata.name}:${port}`, `${metadata.name}:${name}`]),
    );
    const ofRoutes = ofKind(objects, 'HTTPRoute').flatMap(({ spec }) =>
      spec.rules.flatMap(({ backendRefs }) => backendRefs.map(({ name, port }) => `${name}:${port}`)),
    );
    const ofIngresses = ofKind(objects, 'Ingress').flatMap(({ spec }) =>
      spec.rules.flatMap(({ http }) =>
        http.paths.map(({ backend: { service } }) => `${service.name}:${service.port.name}`),
      ),
    );
    for (const backend of [...ofRoutes, ...ofIngresses]) assert.ok(ports.includes(backend), backend);
  },

  'streams have no time limit on their route': (objects) => {
    for (const { metadata, spec } of ofKind(objects, 'HTTPRoute')) {
      const isStream = metadata.name.endsWith('-stream');
      for (const { timeouts } of spec.rules) assert.equal(timeouts.request, isStream ? '0s' : '120s');
    }
  },
};
