import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import fc from 'fast-check';
import { batchWrites } from './batch-writes.ts';

interface Sent {
  readonly tenantId: string;
  readonly writes: readonly string[];
  commit(): void;
  fail(thrown: unknown): void;
}

/** Creates a store whose writes complete when the test says so. */
const createControlledStore = () => {
  const sent: Sent[] = [];
  const write = batchWrites<string, string>({
    writeAll: (tenantId, writes) =>
      new Promise((resolve, reject) => {
        sent.push({ tenantId, writes, commit: () => resolve(writes.map((text) => `${text}!`)), fail: reject });
      }),
    charactersOf: (text) => text.length,
  });
  const take = async (): Promise<Sent> => {
    for (;;) {
      const next = sent.shift();
      if (next !== undefined) return next;
      await turn();
    }
  };
  return { write, sent, take };
};

const outage = new ProblemError('service_unavailable', 'The database does not respond.');
const rejection = new ProblemError('invalid_request', 'A value cannot be stored.');

describe('writes of one tenant', () => {
  it('are sent immediately when no write is in flight, and otherwise together in order', async () => {
    const { write, sent, take } = createControlledStore();
    const results = Promise.all(['a', 'b', 'c'].map((text) => write('acme', text)));
    expect(sent.map(({ writes }) => writes)).toEqual([['a']]);
    (await take()).commit();
    const second = await take();
    expect(second.writes).toEqual(['b', 'c']);
    second.commit();
    expect(await results).toEqual(['a!', 'b!', 'c!']);
    const alone = write('acme', 'd');
    expect(sent.map(({ writes }) => writes)).toEqual([['d']]);
    sent[0]?.commit();
    expect(await alone).toBe('d!');
  });

  it('resolve after their own commit, not the previous one', async () => {
    const { write, take } = createControlledStore();
    const resolved: string[] = [];
    const note = (result: string) => resolved.push(result);
    const both = [write('acme', 'a').then(note), write('acme', 'b').then(note)];
    (await take()).commit();
    const second = await take();
    expect(resolved).toEqual(['a!']);
    second.commit();
    await Promise.all(both);
    expect(resolved).toEqual(['a!', 'b!']);
  });

  it('never wait for writes of another tenant, and are never sent with them', async () => {
    const { write, sent } = createControlledStore();
    const results = Promise.all([write('acme', 'a'), write('globex', 'b')]);
    expect(sent.map(({ tenantId, writes }) => [tenantId, writes])).toEqual([
      ['acme', ['a']],
      ['globex', ['b']],
    ]);
    for (const { commit } of sent) commit();
    expect(await results).toEqual(['a!', 'b!']);
  });

  it('are sent in batches of at most 64, and fewer when they are large', async () => {
    const { write, take } = createControlledStore();
    const many = Array.from({ length: 100 }, (_unused, index) => write('acme', `${index}`));
    const large = ['x', 'y', 'z'].map((letter) => write('acme', letter.repeat(600_000)));
    const sizes: number[] = [];
    for (let left = 103; left > 0; left -= sizes.at(-1) ?? 0) {
      const batch = await take();
      sizes.push(batch.writes.length);
      batch.commit();
    }
    expect(sizes).toEqual([1, 64, 36, 1, 1]);
    expect(await Promise.all(many)).toHaveLength(100);
    expect(await Promise.all(large)).toHaveLength(3);
  });

  it('wait only briefly for a batch that hangs', async () => {
    const { write, take } = createControlledStore();
    const first = write('acme', 'a');
    const hanging = await take();
    const others = Promise.all([write('acme', 'b'), write('acme', 'c')]);
    const second = await take();
    expect(second.writes).toEqual(['b', 'c']);
    const last = write('acme', 'd');
    hanging.fail(outage);
    await expect(first).rejects.toBe(outage);
    second.commit();
    expect(await others).toEqual(['b!', 'c!']);
    (await take()).commit();
    expect(await last).toBe('d!');
  });
});

describe('a batch that fails', () => {
  const batchOf = async (texts: readonly string[]) => {
    const store = createControlledStore();
    const first = store.write('acme', 'first');
    const results = Promise.allSettled(texts.map((text) => store.write('acme', text)));
    (await store.take()).commit();
    await first;
    return { ...store, results, batch: await store.take() };
  };

  it('because of one value is sent one by one, and only that write fails', async () => {
    const { results, batch, take } = await batchOf(['a', 'bad', 'c']);
    batch.fail(rejection);
    for (const alone of [await take(), await take(), await take()]) {
      expect(alone.writes).toHaveLength(1);
      if (alone.writes[0] === 'bad') alone.fail(rejection);
      else alone.commit();
    }
    expect(await results).toEqual([
      { status: 'fulfilled', value: 'a!' },
      { status: 'rejected', reason: rejection },
      { status: 'fulfilled', value: 'c!' },
    ]);
  });

  it('because of an outage is not sent again, because it may be committed; waiting writes continue', async () => {
    const { results, batch, write, take, sent } = await batchOf(['a', 'b']);
    const next = write('acme', 'next');
    batch.fail(outage);
    expect(await results).toEqual([
      { status: 'rejected', reason: outage },
      { status: 'rejected', reason: outage },
    ]);
    const after = await take();
    expect([after.writes, sent]).toEqual([['next'], []]);
    after.commit();
    expect(await next).toBe('next!');
  });
});

it('commits every good write exactly once and rejects every bad one, in batches of at most 64 of one tenant', async () => {
  const anyWrite = fc.record({
    tenantId: fc.constantFrom('acme', 'globex'),
    size: fc.constantFrom(1, 10, 400_000, 1_200_000),
    isBad: fc.boolean(),
    pause: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite, { maxLength: 90 }), fc.scheduler(), async (inputs, scheduler) => {
      const committed: number[] = [];
      const sizes: number[] = [];
      const write = batchWrites<number, string>({
        charactersOf: (index) => inputs[index]?.size ?? 0,
        writeAll: scheduler.scheduleFunction(async (tenantId: string, batch: readonly number[]) => {
          sizes.push(batch.length);
          expect(batch.every((index) => inputs[index]?.tenantId === tenantId)).toBe(true);
          if (batch.some((index) => inputs[index]?.isBad)) throw rejection;
          committed.push(...batch);
          return batch.map((index) => `${index}!`);
        }),
      });
      const works = inputs.map(async ({ tenantId, pause }, index) => {
        if (pause) await scheduler.schedule(Promise.resolve());
        return await write(tenantId, index);
      });
      const results = await scheduler.waitFor(Promise.allSettled(works));
      expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason))).toEqual(
        inputs.map(({ isBad }, index) => (isBad ? rejection : `${index}!`)),
      );
      expect(committed.toSorted((a, b) => a - b)).toEqual(inputs.flatMap(({ isBad }, index) => (isBad ? [] : [index])));
      expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(64);
    }),
  );
});
