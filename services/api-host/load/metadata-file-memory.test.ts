import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import { type ImportHost, startImportHost } from '@sluice/testkit/fixtures';
import {
  CSV,
  endedImport,
  exportFile,
  HEADER,
  NDJSON,
  ndjsonOf,
  readImport,
  sendFile,
} from '../tests/catalog/metadata-files.ts';

const MB = 1_000_000;
const FEW = 1_000;
const MANY = shortOrLong(20_000, 100_000);
const GROWTH_MAX = 20 * MB;
/**
 * Limits of the heap. Without them, V8 collects garbage late, so resident memory says little about what an import needs (measured: 180 MB
 * after the first 1,000 objects, 260 MB after 20,000, 310 MB after 100,000). They make it collect early.
 */
const HEAP_LIMITS = '--max-old-space-size=72 --max-semi-space-size=1';

let host: ImportHost;
beforeAll(async () => {
  host = await startImportHost(MANY, { NODE_OPTIONS: HEAP_LIMITS });
}, 300_000);
afterAll(async () => await host?.[Symbol.asyncDispose]());

const describedAs = (text: string) => (_: unknown, number: number) => ({
  type: 'TABLE',
  id: `demo.vega.t${number}`,
  description: `${text} ${number}, described in a sentence of usual length`,
  tags: ['one', 'two'],
  fields: [{ name: 'c', description: `column ${number}` }],
});

const ndjson = (count: number, text: string) => ndjsonOf(Array.from({ length: count }, describedAs(text)));
const csv = (count: number, text: string) => {
  const rows = Array.from({ length: count }, describedAs(text)).flatMap(({ id, description, fields }) => [
    `TABLE,${id},,,"${description}",one;two,`,
    `TABLE,${id},c,,${fields[0]?.description},,`,
  ]);
  return [HEADER, ...rows, ''].join('\n');
};

/** Imports a file and returns the distinct values of its progress that were seen. */
async function importAll(body: string, type: string, count: number): Promise<ReadonlySet<number>> {
  const { child, steward } = host;
  const startedAt = performance.now();
  const { body: started, text } = await sendFile(child, steward, body, { type });
  if (started.import_id === undefined) throw new Error(text);
  const receivedAt = performance.now();
  const seen = new Set<number>();
  const poll = setInterval(() => {
    void readImport(child, steward, started.import_id).then((status) => seen.add(status.body.progress));
  }, 200);
  const status = await endedImport(child, steward, started.import_id, 900_000);
  clearInterval(poll);
  expect(status).toMatchObject({ state: 'FINISHED', success_count: count, changed_count: count });
  const seconds = (performance.now() - receivedAt) / 1000;
  process.stdout.write(
    `${type}: ${count} objects, ${(body.length / MB).toFixed(1)} MB, received in ${((receivedAt - startedAt) / 1000).toFixed(1)} s, applied in ` +
      `${seconds.toFixed(1)} s (${Math.round(count / seconds)}/s), peak ${((await child.peakMemory()) / MB).toFixed(1)} MB\n`,
  );
  return seen;
}

describe('the peak memory of the API host', () => {
  it('does not grow with the number of imported objects, in CSV and NDJSON, with visible progress', async () => {
    const { child, steward } = host;
    await importAll(ndjson(FEW, 'first'), NDJSON, FEW);
    await importAll(csv(FEW, 'second'), CSV, FEW);
    const few = await child.peakMemory();
    const progress = await importAll(ndjson(MANY, 'third'), NDJSON, MANY);
    await importAll(csv(MANY, 'fourth'), CSV, MANY);
    const many = await child.peakMemory();
    expect(progress.size).toBeGreaterThan(10);
    expect(many - few).toBeLessThan(GROWTH_MAX);
    const { text, isWhole } = await exportFile(child, steward, '?format=csv&type=TABLE');
    expect([isWhole, text.split('\n').length]).toEqual([true, 2 * MANY + 2]);
    process.stdout.write(
      `export: ${(text.length / MB).toFixed(1)} MB, peak ${((await child.peakMemory()) / MB).toFixed(1)} MB\n`,
    );
    expect((await child.peakMemory()) - few).toBeLessThan(GROWTH_MAX);
  }, 1_800_000);
});
