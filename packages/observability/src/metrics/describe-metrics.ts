import { createMetrics } from './metrics.ts';

interface MetricDescription {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly meaning: string;
}

/** Members of a metric that the published types of prom-client lack. */
interface RegisteredMetric {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
  readonly help: string;
}

/** Metrics that every Node.js process has. */
const OF_THE_PROCESS = /^sluice_(?:nodejs|process)_/;

const textOf = (help: string): string => help.replace(/\.$/, '');

/** Describes the metrics of a host for docs/metrics.md, sorted by name: Sluice's own, and those of the process. */
export function describeMetrics(): Readonly<Record<'own' | 'process', readonly MetricDescription[]>> {
  const registered = createMetrics('').registry.getMetricsAsArray() as unknown as readonly RegisteredMetric[];
  const described = registered
    .map(({ name, type, labelNames, help }) => ({ name, type, labels: labelNames, meaning: textOf(help) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    own: described.filter(({ name }) => !OF_THE_PROCESS.test(name)),
    process: described.filter(({ name }) => OF_THE_PROCESS.test(name)),
  };
}
