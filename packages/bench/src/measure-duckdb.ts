import { BENCH_HOME, prepareBenchHome } from './bench-home.ts';
import { measurePeers } from './peers/measure-peers.ts';
import type { PeerResult } from './peers/peer-result.ts';
import type { Finding } from './report.ts';
import { latency } from './scenarios/latency.ts';
import { marketplace } from './scenarios/marketplace.ts';
import { memory } from './scenarios/memory.ts';
import { results } from './scenarios/results.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { throughput } from './scenarios/throughput.ts';
import { type EventLoopDelay, startSluice } from './sluice-process.ts';

interface ScenarioDelay extends EventLoopDelay {
  readonly scenario: string;
}

/** Returns the event-loop delay of the process with both hosts, in the scenario with the longest delay. */
function worstEventLoopDelay(delays: readonly ScenarioDelay[]): Finding {
  const [worst] = delays.toSorted((one, other) => other.p99Ms - one.p99Ms);
  return {
    name: 'event-loop delay of the host, all scenarios',
    measured: worst?.p99Ms ?? 0,
    unit: 'ms',
    floor: 50,
    goal: 15,
    better: 'lower',
    detail: delays
      .map(({ scenario, p99Ms, maxMs }) => `${scenario}: p99 ${p99Ms.toFixed(1)}, longest ${maxMs.toFixed(1)}`)
      .join('; '),
  };
}

const SCENARIOS: Readonly<Record<string, Scenario>> = { results, memory, latency, throughput };

interface DuckDbOptions {
  /** Only the downloads of the marketplace. */
  readonly marketplace: boolean;
  readonly withPeers: boolean;
  readonly isQuick: boolean;
  /** Name of the only scenario to measure. */
  readonly only: string | undefined;
  readonly rounds: number;
  readonly print: (line: string) => void;
}

interface DuckDbResults {
  readonly findings: readonly Finding[];
  readonly peers: readonly PeerResult[];
}

/** Measures the chosen scenarios on DuckDB with one Sluice, and the peers. Throws for an unknown scenario. */
export async function measureDuckDb(options: DuckDbOptions): Promise<DuckDbResults> {
  const { withPeers, rounds, print } = options;
  const chosen = chooseScenarios(options);
  print('Preparing the data ...');
  const database = await prepareBenchHome();
  await using sluice = await startSluice(BENCH_HOME);
  const context = { sluice, database, rounds, print };
  const findings: Finding[] = [];
  const delays: ScenarioDelay[] = [];
  for (const [scenario, measureScenario] of chosen) {
    print(`Measuring ${scenario} ...`);
    await sluice.takeEventLoopDelay(); // discards the delay of the start
    findings.push(...(await measureScenario(context)));
    delays.push({ scenario, ...(await sluice.takeEventLoopDelay()) });
  }
  if (withPeers) print('Measuring peers ...');
  const peers = withPeers ? await measurePeers(context) : [];
  return { findings: [...findings, worstEventLoopDelay(delays)], peers };
}

function chooseScenarios({ marketplace: isMarketplace, isQuick, only }: DuckDbOptions): readonly [string, Scenario][] {
  if (isMarketplace) return [['marketplace', marketplace]];
  const chosen = Object.entries(SCENARIOS).filter(([name]) =>
    only === undefined ? !isQuick || name === 'results' : name === only,
  );
  if (chosen.length > 0) return chosen;
  throw new Error(`Unknown scenario ${only}. The scenarios are ${Object.keys(SCENARIOS).join(', ')}.`);
}
