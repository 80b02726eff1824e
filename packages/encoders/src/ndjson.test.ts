import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createFormat } from './create-format.ts';

const format = createFormat({ name: 'ndjson', bigNumbers: 'string', formulas: 'keep', progress: 'hidden' });
const named = (...names: readonly string[]) => names.map((name) => ({ name, type: 'integer' }));

/** Builds a row from the JSON of its cells. */
const line = (names: readonly string[], cells: readonly string[]): string =>
  format
    .row(named(...names))
    .parts.map((part) => ('literal' in part ? part.literal : cells[part.cell]))
    .join('');

describe('the NDJSON format', () => {
  it('writes one object per row and a line feed after each, including the last', () => {
    expect(line(['a', 'b'], ['1', '"x"'])).toBe('{"a":1,"b":"x"}\n');
    expect(format.row(named('a')).separator).toBe('');
  });

  it('writes any name as a name, in order', () => {
    const names = ['__proto__', '2', '1', 'a"b', 'line\nbreak'];
    const text = line(names, ['1', '2', '3', '4', '5']);
    expect(text.indexOf('\n')).toBe(text.length - 1);
    expect([...text.matchAll(/("(?:[^"\\]|\\.)*"):/g)].map(([, name]) => JSON.parse(name ?? ''))).toEqual(names);
  });

  it('writes values as the JSON format does', () => {
    expect(format.row(named('a')).style).toEqual({ notation: 'json', bigNumbers: 'string', formulas: 'keep' });
  });

  it('has no bytes before the first row or after the last', () => {
    const end = { queryId: 'q', rows: 1, limited: false, elapsedMs: 1 };
    expect([format.head(named('a')), format.complete(end)]).toEqual(['', '']);
  });

  it('has no text for a failure, so the transfer is cut', () => {
    const problem = new ProblemError('data_error', 'boom');
    expect(format.failed(problem, 'q')).toBeUndefined();
    expect(format.failedBody).toBeUndefined();
  });
});
