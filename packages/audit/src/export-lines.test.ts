import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportLines } from './export-file.ts';
import { splitLines } from './export-lines.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-lines-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function linesOf(text: string): Promise<string[]> {
  const path = join(folder, 'file.csv');
  await writeFile(path, text);
  const lines: string[] = [];
  for await (const line of exportLines(path)) lines.push(line);
  return lines;
}

describe('exportLines', () => {
  it('ends a line at a line feed only', async () => {
    expect(await linesOf('a\rb\u2028c\nd\r\n\ne')).toEqual(['a\rb\u2028c', 'd\r', '', 'e']);
  });

  it('yields no empty line after the last line feed', async () => {
    expect(await linesOf('a\n')).toEqual(['a']);
    expect(await linesOf('')).toEqual([]);
  });

  it('joins lines and characters that are longer than a chunk of the file', async () => {
    const long = 'é'.repeat(100_000);
    expect(await linesOf(`${long}\nx${long}\n`)).toEqual([long, `x${long}`]);
  });

  it('takes time linear in the length of a line, however many chunks it has', async () => {
    const CHUNKS = 4_096; // 32 MiB, of which reading the line again with each chunk took a minute of processor time
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < CHUNKS; index += 1) yield Buffer.alloc(8 * 1024, 'x');
    }
    const before = process.cpuUsage();
    for await (const { length } of splitLines(chunks())) expect(length).toBe(CHUNKS * 8 * 1024);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
  });
});
