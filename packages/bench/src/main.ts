#!/usr/bin/env node
// npm run bench -- [--quick]: how fast results leave Sluice, beside what the engine itself can do, interleaved in one run.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { measureCopy, measureHttp } from './measure.ts';
import { type ReportRow, report } from './report.ts';
import { startSluice } from './sluice-process.ts';

const HOME = '.sluice-bench';
const FLIGHTS = { sql: 'SELECT * FROM flights', rows: 3_000_000 };
const ROUNDS = process.argv.includes('--quick') ? 1 : 5;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

say('Starting Sluice on a home of its own ...');
const sluice = await startSluice(HOME);
try {
  const demo = join(
    resolve(HOME),
    'demo',
    readdirSync(join(HOME, 'demo')).find((name) => name.endsWith('.duckdb')) ?? '',
  );
  const rows: ReportRow[] = [];
  for (const [name, path, format] of [
    ['CSV, 5 columns', '/query/download/csv', 'csv'],
    ['SSE, 5 columns', '/query', 'json'],
  ] as const) {
    const row = {
      name,
      rows: FLIGHTS.rows,
      ours: [await measureHttp(sluice, path, FLIGHTS.sql)],
      engine: [await measureCopy(demo, FLIGHTS.sql, format)],
    };
    row.ours.length = 0; // the first of each is for warmth alone
    row.engine.length = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      row.engine.push(await measureCopy(demo, FLIGHTS.sql, format));
      row.ours.push(await measureHttp(sluice, path, FLIGHTS.sql));
    }
    say(`  ${name}: done`);
    rows.push(row);
  }
  say('');
  say(report(rows));
} finally {
  await sluice[Symbol.asyncDispose]();
}
