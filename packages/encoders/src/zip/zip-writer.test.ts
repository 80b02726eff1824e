import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { entryNames } from './entry-names.ts';
import { archiveEnd, dosTime } from './zip-records.ts';
import { textSource, type ZipCompression, ZipWriter } from './zip-writer.ts';

const SCRIPT = `
import base64, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    bad = z.testzip()
    json.dump({"bad": bad, "files": {i.filename: base64.b64encode(z.read(i)).decode() for i in z.infolist()}}, sys.stdout)
`;

/** Reads an archive with Python's own reader, which checks every checksum, and with `unzip -t`. */
async function readZip(bytes: Buffer): Promise<Record<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-zip-'));
  try {
    const path = join(folder, 'archive.zip');
    await writeFile(path, bytes);
    const { stdout } = await promisify(execFile)('python3', ['-c', SCRIPT, path], { maxBuffer: 64 * 1024 * 1024 });
    const read = JSON.parse(stdout) as { bad: string | null; files: Record<string, string> };
    expect(read.bad).toBeNull();
    await promisify(execFile)('unzip', ['-tq', path]);
    return Object.fromEntries(Object.entries(read.files).map(([name, text]) => [name, Buffer.from(text, 'base64')]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* inPieces(bytes: Buffer, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

async function write(entries: Readonly<Record<string, Buffer>>, compression?: ZipCompression): Promise<Buffer> {
  const writer = new ZipWriter(new Date('2026-11-22T01:02:03Z'));
  const chunks: Uint8Array[] = [];
  for (const [name, bytes] of Object.entries(entries)) {
    for await (const chunk of writer.entry(name, inPieces(bytes, 70_001), compression)) chunks.push(chunk);
  }
  return Buffer.concat([...chunks, writer.end()]);
}

describe('ZipWriter', () => {
  const ENTRIES = {
    'empty.csv': Buffer.alloc(0),
    'klein/é😀.json': Buffer.from('{}'),
    'many blocks.csv': Buffer.from('0123456789,abcdef\n'.repeat(100_000)),
    'noise.bin': createHash('shake256', { outputLength: 600_000 }).update('noise').digest(),
  };

  it('writes entries that other programs read byte for byte: empty ones, one block, many blocks, and incompressible data', async () => {
    expect(await readZip(await write(ENTRIES))).toEqual(ENTRIES);
  });

  it('writes entries without compression that other programs read byte for byte, with less than 1 % more bytes', async () => {
    const archive = await write(ENTRIES, 'store');
    expect(await readZip(archive)).toEqual(ENTRIES);
    const bytes = Object.values(ENTRIES).reduce((sum, entry) => sum + entry.length, 0);
    expect(archive.length).toBeGreaterThan(bytes);
    expect(archive.length).toBeLessThan(bytes * 1.01);
  });

  it('copies an entry without compression, because its source uses its memory again', async () => {
    const memory = Buffer.alloc(100_000);
    const source = async function* (): AsyncGenerator<Uint8Array> {
      for (const value of [1, 2, 3]) yield memory.fill(value);
    };
    const writer = new ZipWriter(new Date());
    const chunks: Uint8Array[] = [];
    for await (const chunk of writer.entry('a', source(), 'store')) chunks.push(chunk);
    const { a } = await readZip(Buffer.concat([...chunks, writer.end()]));
    expect(a).toEqual(Buffer.concat([1, 2, 3].map((value) => Buffer.alloc(100_000, value))));
  });

  it('is rejected by every reader without its last bytes', async () => {
    const writer = new ZipWriter(new Date());
    const chunks: Uint8Array[] = [];
    for await (const chunk of writer.entry('a', textSource('text'))) chunks.push(chunk);
    await expect(readZip(Buffer.concat(chunks))).rejects.toThrow(/not a zip file/);
  });

  it('throws what a source throws, and stops reading it when the consumer leaves', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('some');
      throw new Error('cut');
    };
    const read = async (): Promise<void> => {
      for await (const _ of new ZipWriter(new Date()).entry('a', failing()));
    };
    await expect(read()).rejects.toThrow('cut');
  });

  it('writes the sizes of large archives in zip64 records, and only those', () => {
    const modified = dosTime(new Date());
    const entry = { name: Buffer.from('a'), crc32: 1, bytesCompressed: 5, bytes: 5, offset: 0 };
    const small = archiveEnd([entry], 1000, modified);
    const large = archiveEnd([{ ...entry, bytes: 2 ** 32 + 5, offset: 2 ** 33 }], 2 ** 33 + 100, modified);
    expect(small.length).toBe(46 + 1 + 22);
    expect(large.length).toBe(46 + 1 + 4 + 16 + 76 + 22);
    expect(large.readBigUInt64LE(46 + 1 + 4)).toBe(2n ** 32n + 5n);
    expect(large.readBigUInt64LE(46 + 1 + 4 + 8)).toBe(2n ** 33n);
    expect(large.readBigUInt64LE(46 + 1 + 20 + 48)).toBe(2n ** 33n + 100n);
  });
});

describe('entryNames', () => {
  it('returns names that every file system accepts, each once', () => {
    const names = ['../../x', 'a', 'A', 'CON', 'c:\\d', '', '...', 'e\u0000\n', 'é', 'e\u0301', 'manifest', 'a (2)'];
    expect(entryNames(names, 'json', ['manifest.json'])).toEqual([
      ...['_.._x.json', 'a.json', 'A (2).json', '_CON.json', 'c__d.json', 'query.json', 'query (2).json', 'e__.json'],
      ...['é.json', 'é (2).json', 'manifest (2).json', 'a (2) (2).json'],
    ]);
  });

  it('replaces characters that reorder or hide text', () => {
    expect(entryNames(['a\u202eb\u200fc\ufeff'], 'csv', [])).toEqual(['a_b_c_.csv']);
  });

  it('treats names as equal if some file system does, and device names as reserved', () => {
    expect(entryNames(['straße', 'STRASSE', 'ſ', 's', 'con .x', 'CONOUT$', 'console'], 'csv', [])).toEqual([
      ...['straße.csv', 'STRASSE (2).csv', 'ſ.csv', 's (2).csv', '_con .x.csv', '_CONOUT$.csv', 'console.csv'],
    ]);
  });

  it('cuts long names between characters, at 200 bytes', () => {
    const [first, second] = entryNames(['😀'.repeat(100), '😀'.repeat(100)], 'csv', []);
    expect(Buffer.byteLength(first ?? '')).toBe(184);
    expect(second).toMatch(/^(😀){45} \(2\)\.csv$/u);
  });
});
