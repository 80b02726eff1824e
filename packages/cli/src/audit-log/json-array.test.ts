import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linesOfArray, toJsonArray } from './json-array.ts';

const NDJSON = '{"a":1}\n{"b":"é,]\\n"}\n{"type":"end"}\n';

async function* inPieces(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts, bytes.length].sort((a, b) => a - b)) {
    yield bytes.subarray(from, cut);
    from = cut;
  }
}
async function* linesIn(text: string): AsyncGenerator<string> {
  yield* text.replace(/\n$/, '').split('\n');
}
async function arrayOf(cuts: readonly number[] = []): Promise<string> {
  const bytes = Buffer.from(NDJSON);
  const chunks: Uint8Array[] = [];
  for await (const chunk of toJsonArray(inPieces(bytes, cuts))) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
async function backOf(text: string): Promise<string> {
  let back = '';
  for await (const line of linesOfArray(linesIn(text))) back += `${line}\n`;
  return back;
}

it('makes one JSON array of the lines, wherever the chunks end, and turns it back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(Buffer.byteLength(NDJSON)), { maxLength: 4 }), async (cuts) => {
      const text = await arrayOf(cuts);
      expect(JSON.parse(text)).toEqual([{ a: 1 }, { b: 'é,]\n' }, { type: 'end' }]);
      expect(await backOf(text)).toBe(NDJSON);
    }),
  );
});

it('leaves every change in the lines', async () => {
  const text = await arrayOf();
  for (let at = 2; at < text.length - 1; at += 1) {
    expect(await backOf(text.slice(0, at) + text.slice(at + 1))).not.toBe(NDJSON);
    expect(await backOf(`${text.slice(0, at)}x${text.slice(at)}`)).not.toBe(NDJSON);
  }
  expect(await backOf(`${text}more`)).not.toBe(NDJSON);
  expect(await backOf(text.slice(0, -3))).not.toBe(NDJSON);
});
