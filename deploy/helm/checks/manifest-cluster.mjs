/** A small cluster on this machine: it starts the containers of rendered manifests as Kubernetes would, without a container engine. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startContainer } from '../../docker/container.mjs';
import { startService } from './start-service.mjs';

/** Sends a request to an address, with any Host header, and returns status, headers and text. */
export function send(url, { host, method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const all = { ...headers, ...(host === undefined ? {} : { host }) };
    const sent = request(url, { method, headers: all, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.once('close', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/**
 * Creates a cluster.
 * @param options.objects - rendered objects
 * @param options.trees - folders with the files of the images, by host; read at each start, so that a caller may change them
 * @param options.directories - working directories of the hosts in their images, by host
 * @param options.secrets - values by Secret and key
 * @param options.scratch - folder for files of this run
 */
export async function createCluster({ objects, trees, directories = {}, secrets, scratch }) {
  // Each pod has an address of its own on the loopback, so that it listens on the ports of its manifest.
  const network = `127.${10 + Math.floor(Math.random() * 200)}.${Math.floor(Math.random() * 250)}`;
  const services = objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
  const addressOf = (host, replica) => `${network}.${10 * (services.indexOf(`sluice-${host}`) + 1) + replica}`;
  const endpoints = Object.fromEntries(services.map((name) => [name, new Set()]));
  const started = await Promise.all(
    services.map((name, index) => {
      const { spec } = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name);
      const { port } = spec.ports.find((each) => each.name === 'http');
      return startService(`${network}.${2 + index}`, port, endpoints[name]);
    }),
  );
  const hosts = Object.fromEntries(services.map((name, index) => [name, [started[index].address]]));
  const running = new Set();

  function folderOf({ name, secret, hostPath, emptyDir }) {
    if (hostPath !== undefined) return hostPath.path;
    if (secret === undefined) throw new Error(`The volume ${name} has a kind that this cluster lacks: ${emptyDir}`);
    const folder = join(scratch, secret.secretName);
    mkdirSync(folder, { recursive: true });
    for (const { key, path } of secret.items) {
      // As with fsGroup and defaultMode: the group of the pod reads it.
      writeFileSync(join(folder, path), secrets[secret.secretName][key]);
      chmodSync(join(folder, path), 0o444);
    }
    return folder;
  }

  function start(workload, address) {
    const pod = workload.spec.template.spec;
    const [container] = pod.containers;
    const volumes = Object.fromEntries(pod.volumes.map((volume) => [volume.name, volume]));
    // The migration Job uses the image of the API host.
    const image = trees[container.name] === undefined ? 'api-host' : container.name;
    const mounts = container.volumeMounts.filter(({ mountPath }) => mountPath !== '/tmp');
    const process = startContainer({
      tree: trees[image],
      directory: directories[image],
      command: container.command,
      user: String(container.securityContext.runAsUser),
      // Nothing else is set but addresses.
      env: {
        ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
        ...(address === undefined ? {} : { LISTEN_HOST: address, METRICS_HOST: address }),
      },
      mounts: Object.fromEntries(mounts.map(({ name, mountPath }) => [mountPath, folderOf(volumes[name])])),
      hosts,
      tempSize: volumes.temp.emptyDir.sizeLimit.replace('Mi', 'm'),
    });
    running.add(process);
    process.exited.then(() => running.delete(process));
    return { process, pod, container, address };
  }

  const find = (kind, name) =>
    objects.find((object) => object.kind === kind && object.metadata.name === `sluice-${name}`);

  return {
    /** First three numbers of the addresses of all pods; its address 1 is free for a proxy. */
    network,

    /** Returns the address and port of the Service of a host, which are stable. */
    serviceOf(host) {
      const index = services.indexOf(`sluice-${host}`);
      return { address: started[index].address, port: started[index].port };
    },

    /** Returns the address and port of a replica. */
    endpointOf: (host, replica) => `${addressOf(host, replica)}:${portOf(find('Deployment', host))}`,

    /** Runs the migration Job and returns its output. */
    async migrate() {
      const { process } = start(find('Job', 'migration'));
      assert.equal(await process.exited, 0, process.output());
      return process.output();
    },

    /** Starts one replica and waits for its startup and readiness probes. */
    async startReplica(host, replica) {
      const started = start(find('Deployment', host), addressOf(host, replica));
      const [http, metrics] = ['http', 'metrics'].map((name) => portOf(find('Deployment', host), name));
      const endpoint = `${started.address}:${http}`;
      const pod = {
        ...started,
        url: `http://${started.address}:${http}`,
        metricsUrl: `http://${started.address}:${metrics}/metrics`,
        output: started.process.output,
        exited: started.process.exited,
        /** Returns the status that a probe gets, or 0 without a response in time. */
        probe: (name) => probe(started, name, http),
        residentMib: () => started.process.residentMib(),
        writtenBytes: () => started.process.writtenBytes(),
        killWorkers: () => started.process.killChildren('SIGKILL'),
        /** Kills all processes of the pod, as the kernel does without memory. */
        kill: () => {
          started.process.kill('SIGKILL');
          return started.process.exited;
        },
        /** Ends the pod, which leaves the Service immediately. */
        stop() {
          endpoints[`sluice-${host}`].delete(endpoint);
          return stop(started);
        },
        /** Ends the pod, which leaves the Service when its readiness probe returns 503. */
        async drain() {
          const ending = stop(started);
          await untilNotReady(pod);
          endpoints[`sluice-${host}`].delete(endpoint);
          return ending;
        },
      };
      await untilProbe(pod, 'startupProbe');
      await untilProbe(pod, 'readinessProbe');
      endpoints[`sluice-${host}`].add(endpoint);
      return pod;
    },

    /** Runs another command with the environment and the mounts of a host, as `kubectl exec` would. */
    async exec(host, command) {
      const deployment = structuredClone(find('Deployment', host));
      deployment.spec.template.spec.containers[0].command = command;
      const { process } = start(deployment, addressOf(host, 9));
      return { code: await process.exited, output: process.output() };
    },

    async [Symbol.asyncDispose]() {
      for (const process of running) process.kill('SIGKILL');
      await Promise.all([...running].map(({ exited }) => exited));
      for (const service of started) service.close();
    },
  };
}

const portOf = ({ spec }, name = 'http') =>
  spec.template.spec.containers[0].ports.find((port) => port.name === name).containerPort;

function probe({ container, address }, name, port) {
  const { httpGet, timeoutSeconds } = container[name];
  const answer = send(`http://${address}:${port}${httpGet.path}`).then(
    ({ status }) => status,
    () => 0,
  );
  return Promise.race([answer, delay(timeoutSeconds * 1000, 0, { ref: false })]);
}

async function untilProbe(pod, name) {
  const { periodSeconds, failureThreshold } = pod.container[name];
  // A machine that runs other tests is slower than a node; a cluster would restart the pod after the exact time.
  const deadline = Date.now() + periodSeconds * failureThreshold * 1000 + 60_000;
  while ((await pod.probe(name)) !== 200) {
    assert.ok(pod.process.isRunning(), `the ${pod.container.name} ended:\n${pod.output()}`);
    assert.ok(Date.now() < deadline, `the ${name} of the ${pod.container.name} fails:\n${pod.output()}`);
    await delay(200);
  }
}

/** Waits until a pod that is ending has withdrawn. */
export async function untilNotReady(pod) {
  // 0 is a probe without a response in time, on a busy machine.
  let readiness = 200;
  while (readiness !== 503 && pod.process.isRunning()) {
    readiness = await pod.probe('readinessProbe');
    await delay(50);
  }
  assert.equal(readiness, 503, pod.output());
}

/** Ends a pod: preStop, SIGTERM, and SIGKILL after the grace period. Returns the exit code and the seconds after SIGTERM. */
async function stop({ process, pod, container }) {
  await delay(container.lifecycle.preStop.sleep.seconds * 1000);
  const startedAt = performance.now();
  process.kill('SIGTERM');
  const grace = (pod.terminationGracePeriodSeconds - container.lifecycle.preStop.sleep.seconds) * 1000;
  const timer = setTimeout(() => process.kill('SIGKILL'), grace);
  const code = await process.exited;
  clearTimeout(timer);
  return { code, seconds: (performance.now() - startedAt) / 1000 };
}
