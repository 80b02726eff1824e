import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort, send, until } from '@sluice/testkit';
import { stringify } from 'yaml';

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface TestPrometheus extends AsyncDisposable {
  /** Evaluates an expression now. */
  query(expression: string): Promise<readonly Sample[]>;
  /** Names of the alerts that fire now. */
  firing(): Promise<ReadonlySet<string>>;
}

interface PrometheusOptions {
  /** Metrics ports of the hosts. */
  readonly ports: readonly number[];
  /** Files of rules. */
  readonly rules: readonly string[];
}

/** Long enough for a scrape on a busy machine. */
const SCRAPE_INTERVAL = '2s';

/** Starts the `prometheus` on the PATH, which `deploy/components/programs.mjs install prometheus` installs. It scrapes every 2 seconds. */
export async function startPrometheus({ ports, rules }: PrometheusOptions): Promise<TestPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-prometheus-'));
  const config = join(folder, 'prometheus.yaml');
  const targets = ports.map((port) => `127.0.0.1:${port}`);
  await writeFile(
    config,
    stringify({
      global: { scrape_interval: SCRAPE_INTERVAL, scrape_timeout: SCRAPE_INTERVAL, evaluation_interval: '1s' },
      rule_files: rules,
      scrape_configs: [{ job_name: 'sluice', static_configs: [{ targets }] }],
    }),
  );
  const address = `127.0.0.1:${await reservePort()}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const exited = once(child, 'exit');
  const get = async (path: string): Promise<{ readonly result: unknown; readonly alerts: unknown }> => {
    const { status, body, text } = await send(`http://${address}/api/v1/${path}`);
    if (status !== 200) throw new Error(`Prometheus returned ${status}: ${text}`);
    return body.data as { readonly result: unknown; readonly alerts: unknown };
  };
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`Prometheus ended: ${printed}`);
      return send(`http://${address}/-/ready`).then(
        ({ status }) => (status === 200 ? true : undefined),
        () => undefined,
      );
    },
    { what: 'the start of Prometheus' },
  );
  return {
    async query(expression) {
      const { result } = await get(`query?query=${encodeURIComponent(expression)}`);
      const vector = result as { readonly metric: Sample['labels']; readonly value: readonly [number, string] }[];
      return vector.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
    },
    async firing() {
      const alerts = (await get('alerts')).alerts as { readonly state: string; readonly labels: Sample['labels'] }[];
      return new Set(alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels['alertname'] ?? ''));
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Files of the chart that Prometheus and Grafana load. */
const FILES = new URL('../../../../deploy/helm/sluice/files/', import.meta.url);
export const ALERTS_FILE = new URL('alerts/sluice.yaml', FILES);
const DASHBOARD_FILE = new URL('dashboards/sluice.json', FILES);

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** Reads the queries of the dashboard as Grafana would send them: for all hosts, over a short interval. */
export async function readDashboardQueries(): Promise<readonly { readonly panel: string; readonly expr: string }[]> {
  const { panels } = JSON.parse(await readFile(DASHBOARD_FILE, 'utf8')) as { readonly panels: readonly Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      panel: title,
      expr: expr.replaceAll('$__rate_interval', '30s').replaceAll('$service', '.*'),
    })),
  );
}
