import { describe, expect, it } from '@jest/globals';
import { createProgressLine, fitParts } from './progress-line.ts';

const PARTS = [
  { text: 'a.csv', rank: 2 },
  { text: '10 rows', rank: 1 },
  { text: '0:05', rank: 0 },
];

it.each([
  [80, 'a.csv  10 rows  0:05'],
  [20, 'a.csv  10 rows  0:05'],
  [19, '10 rows  0:05'],
  [12, '0:05'],
  [3, '0:0'],
])('shows what fits in %d columns', (columns, expected) => {
  expect(fitParts(PARTS, columns)).toBe(expected);
});

describe('a progress line', () => {
  const record = (isTerminal: boolean) => {
    const written: string[] = [];
    const output = {
      isTerminal,
      isFile: false,
      hasColor: false,
      columns: 80,
      rows: 24,
      write: async (text: string | Uint8Array) => void written.push(String(text)),
    };
    return { written, output };
  };

  it('writes nothing without a terminal', async () => {
    const { written, output } = record(false);
    const line = createProgressLine(output);
    await line.show(PARTS);
    await line.clear();
    expect(written).toEqual([]);
  });

  it('clears its own line only, because tmux keeps in its history what is cleared from the first row', async () => {
    const { written, output } = record(true);
    const line = createProgressLine(output);
    await line.show(PARTS);
    await line.show(PARTS);
    await line.clear();
    expect(written).toEqual(['a.csv  10 rows  0:05', '\r\u001b[Ka.csv  10 rows  0:05', '\r\u001b[K']);
  });

  it('draws at the width that the window has by then, and not at all after it was cleared', async () => {
    const { written, output } = record(true);
    const line = createProgressLine(output);
    const drawn = line.show(PARTS);
    output.columns = 13;
    await drawn;
    const late = line.show(PARTS);
    await line.clear();
    await late;
    expect(written).toEqual(['0:05', '\r\u001b[K']);
  });

  it('removes the rows into which a narrower window has wrapped it', async () => {
    const { written, output } = record(true);
    const line = createProgressLine(output);
    await line.show(PARTS);
    output.columns = 8;
    await line.clear();
    expect(written).toEqual(['a.csv  10 rows  0:05', '\u001b[2A\r\u001b[J']);
  });
});
