import { describe, expect, it } from '@jest/globals';
import type { FakeFault, FakeRequest } from '../../../testing/fake-request.ts';
import { numberedResult, numberedText } from '../../../testing/fake-result.ts';
import type { FakeTrino } from '../../../testing/fake-trino.ts';
import { FakeTrinoEngine } from '../../../testing/fake-trino-engine.ts';
import { PagePrefetcher } from './page-prefetcher.ts';
import { ResultPage } from './result-page.ts';

const ROWS = 2_000;
const ROWS_EACH = 100;
const RESULT = numberedResult(ROWS, ROWS_EACH);
/** More than the head of a page, and less than a page. */
const BYTES = 1_000;

const newestPageRequested = (fake: FakeTrino): number =>
  Math.max(...fake.requests.filter(({ kind }) => kind === 'page').map(({ page }) => page));

/** Waits until this page was requested, and returns the newest page that was requested when nothing changes any more. */
async function newestAfter(fake: FakeTrino, page: number): Promise<number> {
  while (newestPageRequested(fake) < page) await fake.tick();
  for (let before = -1; before < fake.requests.length; ) {
    before = fake.requests.length;
    await fake.tick(100);
  }
  return newestPageRequested(fake);
}

const onPage =
  (page: number, fault: FakeFault) =>
  (request: FakeRequest): FakeFault | undefined =>
    request.kind === 'page' && request.page === page && request.attempt === 1 ? fault : undefined;

interface Hold {
  readonly fault: FakeFault;
  release(): void;
}

function hold(): Hold {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { fault: { kind: 'held', bytes: BYTES, until }, release: () => release() };
}

describe('prefetched pages', () => {
  it('are requested as soon as the head of the previous page has arrived, a few at once, and read in order', async () => {
    const held = hold();
    await using trino = await FakeTrinoEngine.start({ result: RESULT, fault: onPage(10, held.fault) });
    const reading = trino.read();
    expect(await newestAfter(trino.fake, 13)).toBe(13);
    held.release();
    expect((await reading).rowsText).toBe(numberedText(ROWS));
    const asked = trino.fake.requests.filter(({ kind }) => kind === 'page').map(({ page }) => page);
    expect(asked).toEqual(RESULT.pages.map((_, index) => index + 1));
  });

  it('are fewer at the start, while their size is unknown', async () => {
    const held = hold();
    await using trino = await FakeTrinoEngine.start({ result: RESULT, fault: onPage(1, held.fault) });
    const reading = trino.read();
    expect(await newestAfter(trino.fake, 2)).toBe(2);
    held.release();
    expect((await reading).rowsText).toBe(numberedText(ROWS));
  });

  it('are not requested while pages contain long rows', async () => {
    const held = hold();
    const long = Array.from({ length: 4 }, (_, index) => ({ rows: JSON.stringify([[index, 'x'.repeat(5_000_000)]]) }));
    const pages = [...RESULT.pages.slice(0, 10), ...long, ...RESULT.pages.slice(10)];
    await using trino = await FakeTrinoEngine.start({ result: { ...RESULT, pages }, fault: onPage(14, held.fault) });
    const reading = trino.read();
    const newest = await newestAfter(trino.fake, 14);
    held.release();
    expect((await reading).rows).toBe(ROWS + long.length);
    expect(newest).toBe(14);
  });
});

it('fail the result, without a gap, if a page is lost in its middle after the next one was requested', async () => {
  await using trino = await FakeTrinoEngine.start({ result: RESULT, fault: onPage(10, { kind: 'cut', bytes: BYTES }) });
  await expect(trino.read()).rejects.toMatchObject({
    code: 'engine_unavailable',
    message: 'Trino does not hold this part of the result any more.',
  });
  expect(trino.fake.count('submit')).toBe(1);
  await trino.fake.until('cancel');
});

it('follow the whole page, and not the part of a lost attempt', async () => {
  const text = (next: string): Buffer => Buffer.from(`{"nextUri":"${next}","columns":[],"data":[]}`);
  const asked: string[] = [];
  const ahead = new PagePrefetcher(async (uri, { onPart }) => {
    asked.push(uri);
    await Promise.resolve();
    onPart([text(`${uri} lost`)]);
    return new ResultPage(text(`${uri} whole`));
  });
  const page = await ahead.take('1', new ResultPage(text('1')));
  const next = await ahead.take('1 whole', page);
  expect(next.nextUri).toBe('1 whole whole');
  expect(asked.slice(0, 2)).toEqual(['1', '1 lost']);
  expect(asked).toContain('1 whole');
});
