import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { parseMarkdownTables } from '@sluice/testkit';
import { PROBLEMS, ProblemError, STATEMENT_PROBLEMS } from '../index.ts';

const page = await readFile(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');

describe('docs/errors.md', () => {
  it('lists exactly the problems of the code', () => {
    const expected = Object.entries(PROBLEMS).map(([code, { status, retryable, summary }]) => ({
      Code: `\`${code}\``,
      Status: String(status),
      'Stream code': `\`${code.toUpperCase()}\``,
      Retry: retryable ? 'yes' : 'no',
      Meaning: summary,
    }));
    expect(parseMarkdownTables(page)[0]).toEqual(expected);
  });
});

describe('PROBLEMS', () => {
  it('has codes in lower snake case, and is retryable exactly for the statuses 408, 429 and 503, and for polls of a device', () => {
    for (const [code, { status, retryable, summary }] of Object.entries(PROBLEMS)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      // RFC 8628 section 3.5 gives them the status 400, and the device asks again.
      const isPoll = code === 'authorization_pending' || code === 'slow_down';
      expect([code, retryable]).toEqual([code, isPoll || [408, 429, 503].includes(status)]);
      expect(summary).toMatch(/\.$/);
    }
  });

  it('lists the problems of statements after the problems of requests', () => {
    const codes = Object.keys(PROBLEMS);
    expect([...STATEMENT_PROBLEMS].sort()).toEqual(codes.slice(codes.indexOf('syntax_error')).sort());
  });

  it('uses the same word in events as in responses', () => {
    expect(new ProblemError('time_limit', 'x').streamCode).toBe('TIME_LIMIT');
  });
});
