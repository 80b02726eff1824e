import { describe, expect, it } from '@jest/globals';
import { reportOnce } from './report-once.ts';

describe('reportOnce', () => {
  it('reports a repeated message once, and again after a recovery or another message', () => {
    const reports: unknown[] = [];
    const report = reportOnce((message, cause) => reports.push([message, cause]));
    report('down', 1);
    report('down', 2);
    report(undefined);
    report('down', 3);
    report('slow', 4);
    report('down', 5);
    expect(reports).toEqual([
      ['down', 1],
      ['down', 3],
      ['slow', 4],
      ['down', 5],
    ]);
  });
});
