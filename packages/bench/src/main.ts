#!/usr/bin/env node
// Usage: npm run bench -- [--burst|--cli|--client|--python|--kept|--door|--marketplace|--audit [--records N]|--catalog [--only search|import|harvest|browse] [--entries N]]
//   [--quick] [--rounds N] [--only results|memory|latency|throughput] [--engine duckdb|trino] [--peers] [--write-docs]
// Compares Sluice with the engine itself, interleaved in one run; on Trino only whole results. --peers adds other products, installed
// where that is possible. --write-docs writes the figures to docs/performance.md. Exit codes: 1 when a floor is not met; 3 when the
// machine was too busy to judge. --quick has a single round, which proves nothing, so it is never judged.
import { parseArgs } from 'node:util';
import { prepareBenchHome } from './bench-home.ts';
import { LOAD_MAX, settledLoad, watchDisturbance } from './machine-load.ts';
import { measureDuckDb } from './measure-duckdb.ts';
import type { Bar } from './page/chart.ts';
import { peerTable } from './page/peer-tables.ts';
import { writeDuckDbPage, writeTrinoPage } from './page/write-page.ts';
import type { PeerResult } from './peers/peer-result.ts';
import { type Finding, meetsFloor, report } from './report.ts';
import { auditLog } from './scenarios/audit.ts';
import { browseCatalog } from './scenarios/browse-catalog.ts';
import { burst } from './scenarios/burst.ts';
import { catalog } from './scenarios/catalog.ts';
import { measureCli } from './scenarios/cli.ts';
import { measureClient } from './scenarios/client.ts';
import { measureDoor } from './scenarios/door.ts';
import { harvestCatalog } from './scenarios/harvest-catalog.ts';
import { keptResults } from './scenarios/kept.ts';
import { measurePython } from './scenarios/python.ts';
import { SEARCH_ROUNDS_MIN, search } from './scenarios/search.ts';
import { trinoResults } from './trino/trino-results.ts';

const BELOW_FLOOR = 1;
const NOT_JUDGED = 3;
const ROUNDS = 7;
/** Time for the load of a build or of tests to fade: a load of 15 is below 1 after three minutes. */
const SETTLING_MS = 300_000;

const { values: options } = parseArgs({
  options: {
    burst: { type: 'boolean', default: false },
    cli: { type: 'boolean', default: false },
    client: { type: 'boolean', default: false },
    kept: { type: 'boolean', default: false },
    python: { type: 'boolean', default: false },
    door: { type: 'boolean', default: false },
    marketplace: { type: 'boolean', default: false },
    audit: { type: 'boolean', default: false },
    catalog: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    'write-docs': { type: 'boolean', default: false },
    records: { type: 'string' },
    entries: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string' },
    engine: { type: 'string', default: 'duckdb' },
  },
});
const { engine, only } = options;
if (engine !== 'duckdb' && engine !== 'trino')
  throw new Error(`Unknown engine ${engine}. The engines are duckdb and trino.`);
const isQuick = options.quick;
const PYTHON_ROWS = isQuick ? [100_000] : [1_000_000, 10_000_000];
const rounds = Number(options.rounds ?? (isQuick ? 1 : ROUNDS));

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

interface Measured {
  readonly findings: readonly Finding[];
  readonly peers?: readonly PeerResult[];
  readonly bars?: readonly Bar[];
}

async function measureCatalog(): Promise<readonly Finding[]> {
  const entries = Number(options.entries ?? (isQuick ? 20_000 : 1_000_000));
  const tables = isQuick ? 1_000 : 50_000;
  return [
    ...(only === undefined || only === 'search'
      ? await search({ entries, rounds: Math.max(rounds, SEARCH_ROUNDS_MIN), print })
      : []),
    ...(only === undefined || only === 'import' ? await catalog({ rounds, print }) : []),
    ...(only === undefined || only === 'browse' ? await browseCatalog({ tables, columns: 20, rounds, print }) : []),
    ...(only === undefined || only === 'harvest' ? await harvestCatalog({ tables, columns: 20, print }) : []),
  ];
}

async function measureAudit(): Promise<readonly Finding[]> {
  const records = Number(options.records ?? (isQuick ? 200_000 : 10_000_000));
  return await auditLog({ records, rounds, print });
}

async function measureBurst(): Promise<readonly Finding[]> {
  await prepareBenchHome();
  return await burst({ rounds, print });
}

async function measure(): Promise<Measured> {
  if (options.audit) return { findings: await measureAudit() };
  if (options.burst) return { findings: await measureBurst() };
  if (options.cli) return { findings: await measureCli({ rounds, print }) };
  if (options.client) return { findings: await measureClient({ rounds, print }) };
  if (options.kept) return { findings: await keptResults({ rounds, print }) };
  if (options.python) return { findings: await measurePython({ rounds, sizes: PYTHON_ROWS, print }) };
  if (options.door) return { findings: await measureDoor(engine === 'trino' ? 'trino' : 'duckdb', { rounds, print }) };
  if (options.catalog) return { findings: await measureCatalog() };
  if (engine === 'trino') return await trinoResults({ rounds, print });
  const { marketplace, peers: withPeers } = options;
  return await measureDuckDb({ marketplace, withPeers, isQuick, only, rounds, print });
}

/** Returns why figures must not be judged; undefined if they can be. */
function reasonNotToJudge(load: number, othersProcessors: number): string | undefined {
  if (isQuick) return 'a single round proves nothing.';
  if (load > LOAD_MAX) return `the load average was ${load.toFixed(2)} at the start, above ${LOAD_MAX}.`;
  // Trino is a service of its own, so its processor time is not told from that of others.
  if (engine === 'trino' || othersProcessors <= LOAD_MAX) return undefined;
  return `other processes used ${othersProcessors.toFixed(2)} processors on average, more than ${LOAD_MAX}.`;
}

const waitMs = options['write-docs'] && !isQuick ? SETTLING_MS : 0;
if (waitMs > 0) print(`Waiting until the load average is at most ${LOAD_MAX}, at most ${waitMs / 60_000} minutes ...`);
const load = await settledLoad(waitMs);
print(`Load average of the last minute: ${load.toFixed(2)}`);
const disturbanceSince = watchDisturbance();
const { findings, peers = [], bars = [] } = await measure();
const { othersProcessors, stolenShare } = disturbanceSince();
const notJudged = reasonNotToJudge(load, othersProcessors);
print('');
if (engine !== 'trino') print(`Other processes used ${othersProcessors.toFixed(2)} processors on average.`);
if (stolenShare > 0.001)
  print(`The hypervisor gave ${(stolenShare * 100).toFixed(1)} % of the time to other machines.`);
if (notJudged !== undefined) print(`The figures are not judged: ${notJudged}`);
print(report(findings, notJudged === undefined));
const run = { findings, peers, bars, rounds, load, notJudged };
if (peers.length > 0) print(`\n${peerTable(peers)}`);
if (options['write-docs']) (engine === 'trino' ? writeTrinoPage : writeDuckDbPage)(run);
if (!isQuick && notJudged !== undefined) process.exitCode = NOT_JUDGED;
else if (!isQuick && !findings.every(meetsFloor)) process.exitCode = BELOW_FLOOR;
