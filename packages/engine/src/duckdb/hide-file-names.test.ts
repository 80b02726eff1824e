import { describe, expect, it } from '@jest/globals';
import { hideFileNames } from './hide-file-names.ts';

const box = (...lines: readonly string[]): string =>
  ['┌────────────┐', ...lines.map((line) => `│${line.padEnd(12)}│`), '└────────────┘'].join('\n');

describe('hideFileNames', () => {
  it('removes a name from a box, however many lines it continues', () => {
    const plan = box(' SCAN', 'Filename(s):', ' /data/a fo', 'lder/x.csv', '', ' 2 rows');
    const hidden = hideFileNames(plan);
    expect(hidden).not.toMatch(/data|lder|csv/);
    expect(hidden).toContain('2 rows');
    expect(hidden).toContain('SCAN');
  });

  it('removes a name from one box and keeps the box next to it', () => {
    const left = box('Filename(s):', '/data/x', '.csv', '', 'left').split('\n');
    const right = box('JOIN', 'a = b', 'c = d', 'e = f', 'right').split('\n');
    const hidden = hideFileNames(left.map((line, index) => line + right[index]).join('\n'));
    expect(hidden).not.toMatch(/data|csv/);
    for (const word of ['JOIN', 'a = b', 'c = d', 'left', 'right']) expect(hidden).toContain(word);
  });

  it('removes the line instead of showing a name that wide characters have shifted', () => {
    const left = box('Projection', '見出し', '列', '', '').split('\n');
    const right = box('Filename(s):', '/data/x', '.csv', '', 'right').split('\n');
    expect(hideFileNames(left.map((line, index) => line + right[index]).join('\n'))).not.toMatch(/data|csv/);
  });

  it('handles every format of a plan', () => {
    const json = '{ "Filename(s)": "/data/a \\"b\\".csv, /data/y.csv", "Rows": 2 }';
    expect(JSON.parse(hideFileNames(json))).toEqual({ 'Filename(s)': '...', Rows: 2 });
    const graphviz = 'label="SCAN\\n───\\nFilename(s):\\n/data/x.csv, /data/y.csv\\n───\\nCardinality:\\n2"';
    expect(hideFileNames(graphviz)).toBe('label="SCAN\\n───\\nFilename(s):\\n...\\n───\\nCardinality:\\n2"');
    const mermaid = '\tRows: 1\n\tFilename(s): /data/x.csv, /data/y.csv\n\tCardinality: 2`"]';
    expect(hideFileNames(mermaid)).toBe('\tRows: 1\n\tFilename(s): ...\n\tCardinality: 2`"]');
    const html =
      '<div class="sub-title">Filename(s)</div>\n <div class="value">/data/x.csv</div>\n<div class="sub-title">Rows</div>';
    expect(hideFileNames(html)).not.toContain('/data');
    expect(hideFileNames(html)).toContain('Rows');
  });

  it('keeps a plan without files unchanged', () => {
    const plan = box('SCAN', '/data is text here', '');
    expect(hideFileNames(plan)).toBe(plan);
  });
});
