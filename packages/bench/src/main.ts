#!/usr/bin/env node
// npm run bench -- [--quick] [--only results|memory|latency|throughput]: what Sluice does beside what the engine itself can do,
// interleaved in one run. Exits 1 when a floor is not met, except with --quick, whose single round proves nothing.
import { BENCH_HOME, prepareBenchHome } from './bench-home.ts';
import { type Finding, meetsFloor, report } from './report.ts';
import { latency } from './scenarios/latency.ts';
import { memory } from './scenarios/memory.ts';
import { results } from './scenarios/results.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { throughput } from './scenarios/throughput.ts';
import { startSluice } from './sluice-process.ts';

const SCENARIOS: Readonly<Record<string, Scenario>> = { results, memory, latency, throughput };

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const isQuick = process.argv.includes('--quick');
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const chosen = Object.entries(SCENARIOS).filter(([name]) =>
  only === undefined ? !isQuick || name === 'results' : name === only,
);
if (chosen.length === 0)
  throw new Error(`There is no scenario ${only}; there are ${Object.keys(SCENARIOS).join(', ')}.`);

say('Preparing the home of the bench ...');
const database = await prepareBenchHome();
const sluice = await startSluice(BENCH_HOME);
const findings: Finding[] = [];
try {
  for (const [name, scenario] of chosen) {
    say(`Measuring ${name} ...`);
    findings.push(...(await scenario({ sluice, database, rounds: isQuick ? 1 : 5, say })));
  }
} finally {
  await sluice[Symbol.asyncDispose]();
}
say('');
say(report(findings));
if (!isQuick && !findings.every(meetsFloor)) process.exitCode = 1;
