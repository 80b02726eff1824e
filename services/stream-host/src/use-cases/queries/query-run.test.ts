import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import type { SentEvent } from '@sluice/engine';
import fc from 'fast-check';
import {
  CANCELLED,
  COLUMNS,
  createRun,
  END,
  eventTypes,
  FAILURE,
  hexOf,
  RELEASED,
  readBody,
  rows,
} from '../../../tests/queries/query-run-fixture.ts';

describe('a complete result', () => {
  it('is recorded with the size and digest of all its bytes, after its worker is released', async () => {
    const { run, calls, recorded, running } = createRun({ format: 'json', steps: [COLUMNS, rows('{"n":1}'), END] });
    await run.begin();
    const { text, sha256, thrown } = await readBody(run.fileBody());
    expect([JSON.parse(text).data, thrown]).toEqual([[{ n: 1 }], undefined]);
    expect(recorded).toMatchObject([{ state: 'FINISHED', rows: 1, bytes: text.length, limited: false, error: null }]);
    expect(hexOf(recorded[0])).toBe(sha256);
    expect(calls.filter((call) => call === 'record')).toHaveLength(1);
    expect([new Set(calls.slice(0, 3)), calls[3], running.size]).toEqual([new Set(RELEASED), 'record', 0]);
  });

  it('has a durable receipt before its last bytes are sent', async () => {
    const { run, recorded } = createRun({ format: 'sse', steps: [COLUMNS, rows('data: 1\n\n'), END] });
    const seen: [string, number][] = [];
    for await (const chunk of run.eventBody()) seen.push([Buffer.from(chunk).toString(), recorded.length]);
    expect(seen.map(([, count]) => count)).toEqual([0, 0, 1]);
    expect(seen.at(-1)?.[0]).toContain('"type":"complete"');
  });

  it('does not end as complete if its receipt is not durable', async () => {
    const recordFails = new ProblemError('receipt_unavailable', 'The receipt is not durable.');
    const json = createRun({ format: 'json', steps: [COLUMNS, rows('{"n":1}'), END], recordFails });
    const reported = await readBody(json.run.fileBody());
    expect(JSON.parse(reported.text)).toMatchObject({ code: recordFails.streamCode, query_id: 'q' });
    const csv = createRun({ format: 'csv', steps: [COLUMNS, rows('1\n'), END], recordFails });
    expect((await readBody(csv.run.fileBody())).thrown).toBe(recordFails);
    for (const { calls } of [json, csv]) expect(calls.filter((call) => call === 'record')).toHaveLength(1);
  });

  it('has the same bytes, counts and digest, whatever its chunks are', async () => {
    const texts = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }));
    await fc.assert(
      fc.asyncProperty(texts, async (parts) => {
        const { run, recorded, live } = createRun({ steps: [COLUMNS, ...parts.map((part) => rows(part)), END] });
        const { text, sha256 } = await readBody(run.fileBody());
        expect(text).toBe(`n\n${parts.join('')}`);
        expect([live.rows, recorded[0]?.rows, hexOf(recorded[0])]).toEqual([parts.length, parts.length, sha256]);
      }),
    );
  });
});

describe('a query that fails', () => {
  it('before its first row throws in begin, is recorded, and has the body of its format', async () => {
    const { run, recorded, calls } = createRun({ format: 'json', steps: [COLUMNS, FAILURE] });
    await expect(run.begin()).rejects.toBe(FAILURE);
    const body = Buffer.from(run.failedBody(FAILURE) ?? '').toString();
    expect(JSON.parse(body)).toMatchObject({ error: 'A cast failed.', query_id: 'q', request_id: 'r' });
    expect(recorded).toMatchObject([{ state: 'FAILED', rows: 0, bytes: Buffer.byteLength(body) }]);
    expect(recorded[0]?.error).toEqual({ code: FAILURE.streamCode, message: 'A cast failed.' });
    expect(calls).toContain('release worker');
  });

  it('after rows reports the failure as the last event of a stream, whose end is whole', async () => {
    const { run, recorded } = createRun({ format: 'sse', steps: [COLUMNS, rows('data: {"type":"row"}\n\n'), FAILURE] });
    const { text, thrown, sha256 } = await readBody(run.eventBody());
    expect([eventTypes(text), thrown]).toEqual([['metadata', 'row', 'error'], undefined]);
    expect([recorded[0]?.state, hexOf(recorded[0])]).toEqual(['FAILED', sha256]);
  });

  it.each([
    ['csv', [rows('1\n')]],
    ['ndjson', [rows('{"n":1}\n')]],
  ] as const)('after rows of %s is cut, because the format has no failure', async (format, sent) => {
    const { run, recorded } = createRun({ format, steps: [COLUMNS, ...sent, FAILURE] });
    const { thrown } = await readBody(run.fileBody());
    expect(thrown).toBe(FAILURE);
    expect(recorded).toMatchObject([{ state: 'FAILED', rows: 1, sha256: null }]);
  });

  it('in the middle of a row is cut in every format, because a report would be part of the row', async () => {
    for (const format of ['sse', 'json'] as const) {
      const { run, recorded } = createRun({ format, steps: [COLUMNS, rows('{"n":"beginning of', 0), FAILURE] });
      const { text, thrown } = await readBody(format === 'sse' ? run.eventBody() : run.fileBody());
      expect([text.includes('A cast failed'), thrown]).toEqual([false, FAILURE]);
      expect(recorded).toMatchObject([{ state: 'FAILED', sha256: null }]);
    }
  });

  it('fails with internal if its worker ends without an end event', async () => {
    const { run, recorded } = createRun({ steps: [COLUMNS, rows('1\n')] });
    expect((await readBody(run.fileBody())).thrown).toMatchObject({ code: 'internal' });
    expect(recorded).toMatchObject([{ state: 'FAILED', sha256: null }]);
  });

  it('ends with resource_limit before the row that exceeds a limit of the tenant', async () => {
    const steps = [COLUMNS, rows('1\n'), rows('2\n'), rows('3\n'), END];
    const { run, recorded } = createRun({ steps, limits: { rowsMax: 2 } });
    const { text, thrown } = await readBody(run.fileBody());
    expect([text, thrown]).toEqual(['n\n1\n2\n', expect.objectContaining({ code: 'resource_limit' })]);
    expect(recorded).toMatchObject([{ state: 'FAILED', rows: 2 }]);
  });
});

describe('a client that leaves', () => {
  it.each([
    ['before it reads', 0],
    ['after some rows', 2],
  ])('%s cancels the query, whose outcome is recorded once', async (_name, chunks) => {
    const { run, calls, recorded, stop } = createRun({ steps: [COLUMNS, rows('1\n'), rows('2\n'), rows('3\n'), END] });
    const body = run.fileBody()[Symbol.asyncIterator]();
    for (let chunk = 0; chunk < chunks; chunk += 1) await body.next();
    await body.return?.();
    expect(recorded).toMatchObject([{ state: 'CANCELLED', rows: Math.max(0, chunks - 1), sha256: null }]);
    expect(stop.signal.reason).toMatchObject({ code: 'query_cancelled' });
    for (const call of ['clear deadline', 'release worker', 'record'])
      expect(calls.filter((each) => each === call)).toEqual([call]);
  });

  it('and is known to have left gets no report of a failure', async () => {
    const { run, client, recorded } = createRun({
      format: 'sse',
      steps: [COLUMNS, () => client.abort(CANCELLED), FAILURE],
    });
    const { text, thrown } = await readBody(run.eventBody());
    expect([eventTypes(text), thrown]).toEqual([['metadata'], FAILURE]);
    expect(recorded).toMatchObject([{ state: 'FAILED', sha256: null }]);
  });

  it('after the end changes nothing', async () => {
    const { run, recorded, stop } = createRun({ steps: [COLUMNS, END] });
    const body = run.fileBody();
    await readBody(body);
    await body[Symbol.asyncIterator]().return?.();
    expect([recorded.length, recorded[0]?.state, stop.signal.aborted]).toEqual([1, 'FINISHED', false]);
  });
});

describe('a query that is stopped', () => {
  it('releases its worker immediately, although its reader takes nothing, and reports the reason later', async () => {
    const { run, stop, calls, recorded } = createRun({
      format: 'sse',
      steps: [COLUMNS, rows('data: 1\n\n'), rows('2'), END],
    });
    const body = run.eventBody()[Symbol.asyncIterator]();
    await body.next();
    stop.abort(new ProblemError('time_limit', 'The query exceeded its time limit of 1 s.'));
    await new Promise(setImmediate);
    expect([new Set(calls), recorded]).toEqual([new Set(RELEASED), []]);
    const rest = await readBody({ [Symbol.asyncIterator]: () => body });
    expect([eventTypes(rest.text), rest.thrown]).toEqual([['error'], undefined]);
    expect(recorded).toMatchObject([
      { state: 'FAILED', error: { message: 'The query exceeded its time limit of 1 s.' } },
    ]);
  });

  it('between its last row and its end is not complete', async () => {
    const { run, stop, recorded } = createRun({ steps: [COLUMNS, rows('1\n'), () => stop.abort(CANCELLED), END] });
    expect((await readBody(run.fileBody())).thrown).toBe(CANCELLED);
    expect(recorded).toMatchObject([{ state: 'CANCELLED', sha256: null }]);
  });
});

describe('the memory of a chunk', () => {
  it('is returned to the engine when the chunk is released, and not before', async () => {
    const returned: string[] = [];
    const lent: SentEvent = {
      kind: 'rows',
      rows: 1,
      bytes: Buffer.from('1\n'),
      release: () => void returned.push('1'),
    };
    const { run } = createRun({ steps: [COLUMNS, lent, END] });
    for await (const chunk of run.fileBody()) {
      expect(returned).toEqual([]);
      run.releaseChunk(chunk);
    }
    expect(returned).toEqual(['1']);
  });
});
