import { describe, expect, it } from '@jest/globals';
import { drawChart } from './chart.ts';

const widths = (svg: string): number[] =>
  [...svg.matchAll(/<rect class="\w+" [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));

describe('drawChart', () => {
  it('draws bars in proportion to their values, from zero, with a scale of its own for each panel', () => {
    const bar = (value: number) => ({ label: 'a', value, note: 'HTTP', kind: 'peer' }) as const;
    const svg = drawChart('Speeds', [
      { title: 'CSV', bars: [bar(1_000), bar(250)] },
      { title: 'JSON', bars: [bar(10)] },
    ]);
    const [first = 0, second = 0, third = 0] = widths(svg);
    expect(second / first).toBeCloseTo(0.25);
    expect(third).toBe(first);
    expect(svg).toContain('>1,000, HTTP<');
  });

  it('escapes strings', () => {
    const svg = drawChart('a < b', [{ title: 'x & y', bars: [{ label: '<i>', value: 1, note: '"', kind: 'sluice' }] }]);
    expect(svg).toContain('x &amp; y');
    expect(svg).toContain('&lt;i>');
    expect(svg).not.toContain('<i>');
  });
});
