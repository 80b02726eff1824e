import { describe, expect, it } from '@jest/globals';
import { type Column, ProblemError } from '@sluice/contract';
import type { SentEvent } from '@sluice/engine';
import type { QueryJob, WorkerLease } from '@sluice/query-worker';
import { createBundle } from './bundle.ts';

const column = (name: string): Column => ({ name, type: 'varchar' });
const columns = (name: string): SentEvent => ({ kind: 'columns', columns: [column(name)] });
const rows = (text: string): SentEvent => ({ kind: 'rows', rows: 1, bytes: Buffer.from(text) });
const END: SentEvent = { kind: 'end', limited: false };
const JOB = { statement: { sql: 'recorded only', queryId: 'q' } } as QueryJob;

type Step = SentEvent | Error;

/** Bundles statements whose events are given. The file has the name of each statement and its rows in brackets. */
function fixture(results: Readonly<Record<string, readonly Step[]>>, check = (_columns: readonly Column[]) => {}) {
  const calls: string[] = [];
  async function* run(job: QueryJob): AsyncGenerator<SentEvent> {
    const { sql } = job.statement;
    calls.push(`run ${sql}`);
    try {
      for (const step of results[sql] ?? []) {
        if (step instanceof Error) throw step;
        yield step;
      }
    } finally {
      calls.push(`close ${sql}`);
    }
  }
  const bundle = createBundle({
    file: { mediaType: 'text/plain', extension: 'txt' },
    statements: Object.keys(results).map((sql) => ({ name: `of ${sql}`, sql, about: '' })),
    async *pack(opened, queryId) {
      for await (const result of opened) {
        yield Buffer.from(`${queryId} ${result.name} [`);
        for await (const { bytes } of result.rows) yield bytes;
        yield Buffer.from(']');
      }
    },
    end: () => Buffer.from('the end'),
    check,
  });
  const source = bundle.runner({ run } as unknown as WorkerLease);
  const events = source(JOB, new AbortController().signal, () => undefined);
  return { bundle, calls, events };
}

/** Reads all events. Returns the pieces of the file, the rows of each, and the failure. */
async function read(events: AsyncIterable<SentEvent>) {
  const pieces: string[] = [];
  const counts: number[] = [];
  const kinds: string[] = [];
  let failure: unknown;
  try {
    for await (const event of events) {
      kinds.push(event.kind);
      if (event.kind !== 'rows') continue;
      pieces.push(Buffer.from(event.bytes).toString());
      counts.push(event.rows);
    }
  } catch (thrown) {
    failure = thrown;
  }
  return { text: pieces.join(''), rows: counts.reduce((sum, count) => sum + count, 0), kinds, failure };
}

const TWO = { a: [columns('x'), rows('1'), rows('2'), END], b: [columns('y'), rows('3'), END] };

describe('a bundle', () => {
  it('runs each statement after the one before is closed, and counts the rows of all', async () => {
    const { bundle, calls, events } = fixture(TWO);
    const { text, rows: count, kinds, failure } = await read(events);
    expect([text, count, failure]).toEqual(['q of a [12]q of b [3]', 3, undefined]);
    expect([kinds[0], kinds.at(-1)]).toEqual(['columns', 'end']);
    expect(calls).toEqual(['run a', 'close a', 'run b', 'close b']);
    expect(bundle.format.complete({ queryId: 'q', rows: 3, limited: false, elapsedMs: 0 })).toEqual(
      Buffer.from('the end'),
    );
  });

  it('fails before its first byte if the first statement fails before its first row', async () => {
    const problem = new ProblemError('table_not_found', 'no such table');
    for (const steps of [[problem], [columns('x'), problem]]) {
      const { calls, events } = fixture({ a: steps, b: TWO.b });
      expect(await read(events)).toEqual({ text: '', rows: 0, kinds: [], failure: problem });
      expect(calls).toEqual(['run a', 'close a']);
    }
  });

  it('is cut, without an end, if a later statement fails: the file cannot report it', async () => {
    const problem = new ProblemError('table_not_found', 'no such table');
    const { bundle, events } = fixture({ a: TWO.a, b: [columns('y'), rows('3'), problem] });
    const { kinds, failure } = await read(events);
    expect([kinds.includes('end'), failure]).toEqual([false, problem]);
    expect(bundle.format.failed(problem, 'q')).toBeUndefined();
  });

  it.each([
    ['ends without its end event', [columns('x'), rows('1')], 'ended without an end event'],
    ['has no columns', [rows('1'), END], 'the first event of a result is rows'],
    ['has no events', [], 'ended without an end event'],
  ])('is cut if a result %s', async (_name, steps, message) => {
    const { kinds, failure } = await read(fixture({ a: TWO.a, b: steps }).events);
    expect(kinds).not.toContain('end');
    expect(String(failure)).toContain(message);
  });

  it('rejects columns that the file cannot hold, before rows are read', async () => {
    const problem = new ProblemError('not_supported', 'too wide');
    const check = ([first]: readonly Column[]) => {
      if (first?.name === 'x') throw problem;
    };
    const { calls, events } = fixture(TWO, check);
    expect(await read(events)).toMatchObject({ kinds: [], failure: problem });
    expect(calls).toEqual(['run a', 'close a']);
  });

  it('closes the running statement and starts no other when its reader stops', async () => {
    const { calls, events } = fixture(TWO);
    for await (const event of events) if (event.kind === 'rows') break;
    expect(calls).toEqual(['run a', 'close a']);
  });
});
