import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createParser } from 'eventsource-parser';
import { createFormat } from './create-format.ts';
import { SSE_HEARTBEAT } from './server-sent-events.ts';
import { sseProgress, sseStoredEnd, sseStoredError, sseStoredHead } from './sse.ts';

const format = createFormat({ name: 'sse', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' });
const shown = createFormat({ name: 'sse', bigNumbers: 'number', formulas: 'keep', progress: 'shown' });
const END = { queryId: 'q-1', rows: 3, limited: true, elapsedMs: 12 };

/** Parses a stream as a client does: the data of its events, and its comments. */
function parse(text: string): { data: unknown[]; comments: string[] } {
  const data: unknown[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onEvent: (event) => data.push(JSON.parse(event.data)),
    onComment: (comment) => comments.push(comment),
  });
  parser.feed(text);
  return { data, comments };
}

/** Builds a row from the JSON of its cells. */
const rowText = (names: readonly string[], cells: readonly string[]): string => {
  const columns = names.map((name) => ({ name, type: 'integer' }));
  return format
    .row(columns)
    .parts.map((part) => ('literal' in part ? part.literal : cells[part.cell]))
    .join('');
};

describe('the SSE format', () => {
  it('starts with the columns', () => {
    const columns = [{ name: 'a"\n', type: 'bigint' }];
    expect(parse(format.head(columns)).data).toEqual([{ type: 'metadata', columns }]);
  });

  it('writes each row as one event, with any names, in order', () => {
    const names = ['b', '__proto__', '10', '2', 'a"\n\n', 'data: {}'];
    const text = rowText(names, ['1', '2', '3', '4', '5', '6']);
    expect(text.startsWith('data: {"type":"row","data":{"b":1,"__proto__":2,"10":3,"2":4,')).toBe(true);
    const [event] = parse(text).data as [{ type: string; data: object }];
    expect(new Set(Object.keys(event.data))).toEqual(new Set(names));
    expect(event.type).toBe('row');
  });

  it('writes a row without columns', () => {
    expect(parse(rowText([], [])).data).toEqual([{ type: 'row', data: {} }]);
  });

  it('joins neighbouring literals, so that a row has one more literal than cells', () => {
    const { parts } = format.row([1, 2, 3].map((n) => ({ name: `c${n}`, type: 'integer' })));
    expect(parts.map((part) => ('cell' in part ? part.cell : 'text'))).toEqual([
      'text',
      0,
      'text',
      1,
      'text',
      2,
      'text',
    ]);
  });

  it('ends with complete, and adds statistics only if progress is shown', () => {
    expect(parse(String(format.complete(END))).data).toEqual([{ type: 'complete' }]);
    expect(parse(String(shown.complete(END))).data).toEqual([
      { type: 'complete', query_id: 'q-1', rows: 3, elapsed_ms: 12, limited: true },
    ]);
  });

  it('fails with one error event, whatever its message contains', () => {
    const problem = new ProblemError('data_error', 'x\n\ndata: {"type":"complete"}\r\n\u2028', {
      location: { line: 2, column: 7 },
    });
    expect(parse(format.failed(problem, 'q-1') ?? '').data).toEqual([
      {
        type: 'error',
        error: 'x\n\ndata: {"type":"complete"}\r\n\u2028',
        code: 'DATA_ERROR',
        query_id: 'q-1',
        location: { line: 2, column: 7 },
      },
    ]);
    const bare = parse(format.failed(new ProblemError('internal', 'x'), 'q-1') ?? '').data;
    expect(bare).toEqual([{ type: 'error', error: 'x', code: 'INTERNAL', query_id: 'q-1' }]);
  });

  it('sends heartbeats as comments, which are not events', () => {
    expect(parse(SSE_HEARTBEAT)).toEqual({ data: [], comments: ['keep-alive'] });
  });

  it('writes progress with the field names of the API', () => {
    const counts = { state: 'RUNNING', rows: 1, bytes: 2, splitsDone: null, splitsTotal: null } as const;
    expect(parse(sseProgress(counts)).data).toEqual([
      { type: 'progress', state: 'RUNNING', rows: 1, bytes: 2, splits_done: null, splits_total: null },
    ]);
  });
});

describe('a stream from a kept result', () => {
  it('has the time and the query of its execution in its first event, and the whole result in its last', () => {
    const columns = [{ name: 'n', type: 'bigint' }];
    const head = sseStoredHead({ columns, queryId: 'q-1', asOfMs: 5 });
    expect(parse(head).data).toEqual([{ type: 'metadata', columns, as_of: 5, query_id: 'q-1' }]);
    expect(head.startsWith(format.head(columns).slice(0, -3))).toBe(true);
    const end = sseStoredEnd({ queryId: 'q-1', rows: 3, limited: true, untilMs: 9 });
    expect(parse(end).data).toEqual([{ type: 'complete', query_id: 'q-1', rows: 3, limited: true, kept_until: 9 }]);
    const failed = sseStoredError({ code: 'TIME_LIMIT', message: 'It took too long.' }, 'q-1');
    const problem = new ProblemError('time_limit', 'It took too long.');
    expect(failed).toBe(format.failed(problem, 'q-1'));
  });
});
