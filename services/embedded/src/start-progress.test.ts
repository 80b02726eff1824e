import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { createStartProgress } from './start-progress.ts';

let written: string[];
const output = (isTTY: boolean) => ({ isTTY, write: (text: string) => written.push(text) });

beforeEach(() => {
  written = [];
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('counts the seconds of a step in a terminal, and erases the counter before the next line', () => {
  const progress = createStartProgress(output(true));
  progress.announce('Harvesting ...');
  jest.advanceTimersByTime(2000);
  progress.announce('Describing ...');
  progress.end();
  expect(written).toEqual([
    'Harvesting ...\n',
    '\r\u001b[K  1 s',
    '\r\u001b[K  2 s',
    '\r\u001b[K',
    'Describing ...\n',
    '\r\u001b[K',
  ]);
  jest.advanceTimersByTime(5000);
  expect(written).toHaveLength(6);
});

it('prints only lines where the output is not a terminal', () => {
  const progress = createStartProgress(output(false));
  progress.announce('Harvesting ...');
  jest.advanceTimersByTime(5000);
  progress.end();
  expect(written).toEqual(['Harvesting ...\n']);
});

it('shows characters that command a terminal, end the line or turn the text around as escapes', () => {
  const progress = createStartProgress(output(false));
  progress.announce('Skipped \u001b]0;title\u0007a\nb\u202efdp.csv: \u009b2J');
  progress.end();
  expect(written).toEqual(['Skipped \\u001b]0;title\\u0007a\\nb\\u202efdp.csv: \\u009b2J\n']);
});
