import { describe, expect, it } from '@jest/globals';
import { type Finding, report } from './report.ts';

const finding = (measured: number): Finding => ({
  name: 'speed',
  measured,
  unit: '×',
  floor: 1,
  goal: 2,
  better: 'higher',
  detail: '',
});

describe('report', () => {
  it.each([
    [2, 'goal'],
    [1.5, 'floor'],
    [0.5, 'BELOW THE FLOOR'],
  ])('judges %d by floor and goal: %s', (measured, verdict) => {
    expect(report([finding(measured)], true)).toContain(`| ${verdict} `);
  });

  it('gives no verdict about figures of a busy machine', () => {
    const text = report([finding(0.5), finding(2)], false);
    expect(text.match(/not judged/g)).toHaveLength(2);
    expect(text).not.toMatch(/BELOW|\| goal +\| +\|/);
  });
});
