#!/usr/bin/env node
// Usage: npm run bench -- [--burst|--marketplace|--audit [--records N]|--catalog [--only search|import|harvest] [--entries N]]
//   [--quick] [--rounds N] [--only results|memory|latency|throughput] [--engine duckdb|trino]
// Compares Sluice with the engine itself, interleaved in one run; on Trino only whole results. Exits with 1 when a floor is not met,
// except with --quick, whose single round proves nothing.
import { BENCH_HOME, prepareBenchHome } from './bench-home.ts';
import { type ScenarioDelay, worstEventLoopDelay } from './event-loop-delay.ts';
import { type Finding, meetsFloor, report } from './report.ts';
import { auditLog } from './scenarios/audit.ts';
import { burst } from './scenarios/burst.ts';
import { catalog } from './scenarios/catalog.ts';
import { harvestCatalog } from './scenarios/harvest-catalog.ts';
import { latency } from './scenarios/latency.ts';
import { marketplace } from './scenarios/marketplace.ts';
import { memory } from './scenarios/memory.ts';
import { results } from './scenarios/results.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { search } from './scenarios/search.ts';
import { throughput } from './scenarios/throughput.ts';
import { startSluice } from './sluice-process.ts';
import { trinoResults } from './trino/trino-results.ts';

const SCENARIOS: Readonly<Record<string, Scenario>> = { results, memory, latency, throughput };

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const optionOf = (flag: string): string | undefined =>
  process.argv.includes(flag) ? process.argv[process.argv.indexOf(flag) + 1] : undefined;

const isQuick = process.argv.includes('--quick');
const rounds = Number(optionOf('--rounds') ?? (isQuick ? 1 : 5));

async function measureOnDuckDb(): Promise<readonly Finding[]> {
  const isMarketplace = process.argv.includes('--marketplace');
  const only = isMarketplace ? 'marketplace' : optionOf('--only');
  const scenarios = isMarketplace ? { marketplace } : SCENARIOS;
  const chosen = Object.entries(scenarios).filter(([name]) =>
    only === undefined ? !isQuick || name === 'results' : name === only,
  );
  if (chosen.length === 0)
    throw new Error(`Unknown scenario ${only}. The scenarios are ${Object.keys(SCENARIOS).join(', ')}.`);
  print('Preparing the data ...');
  const database = await prepareBenchHome();
  await using sluice = await startSluice(BENCH_HOME);
  const findings: Finding[] = [];
  const delays: ScenarioDelay[] = [];
  for (const [scenario, measureScenario] of chosen) {
    print(`Measuring ${scenario} ...`);
    await sluice.takeEventLoopDelay(); // discards the delay of the start
    findings.push(...(await measureScenario({ sluice, database, rounds, print })));
    delays.push({ scenario, ...(await sluice.takeEventLoopDelay()) });
  }
  return [...findings, worstEventLoopDelay(delays)];
}

const engine = optionOf('--engine') ?? 'duckdb';
if (engine !== 'duckdb' && engine !== 'trino')
  throw new Error(`Unknown engine ${engine}. The engines are duckdb and trino.`);
async function measureCatalog(): Promise<readonly Finding[]> {
  const entries = Number(optionOf('--entries') ?? (isQuick ? 20_000 : 1_000_000));
  const only = optionOf('--only');
  const tables = isQuick ? 1_000 : 50_000;
  return [
    ...(only === undefined || only === 'search' ? await search({ entries, rounds, print }) : []),
    ...(only === undefined || only === 'import' ? await catalog({ rounds, print }) : []),
    ...(only === undefined || only === 'harvest' ? await harvestCatalog({ tables, columns: 20, print }) : []),
  ];
}

const measure = async (): Promise<readonly Finding[]> => {
  if (process.argv.includes('--audit')) {
    const records = Number(optionOf('--records') ?? (isQuick ? 200_000 : 10_000_000));
    return await auditLog({ records, rounds, print });
  }
  if (process.argv.includes('--burst')) {
    await prepareBenchHome();
    return await burst({ rounds, print });
  }
  if (process.argv.includes('--catalog')) return await measureCatalog();
  return engine === 'trino' ? await trinoResults({ rounds, print }) : await measureOnDuckDb();
};
const findings = await measure();
print('');
print(report(findings));
if (!isQuick && !findings.every(meetsFloor)) process.exitCode = 1;
