import { expect, it } from '@jest/globals';
import { createSealCommitted } from './seal-committed.ts';

/** Seals with the given results in turn; undefined means that another host is sealing. The last result repeats. */
function fixture(...results: (number | undefined)[]) {
  let attempts = 0;
  const seal = createSealCommitted(async () => results[Math.min(attempts++, results.length - 1)]);
  return { seal, attempts: () => attempts };
}

it('waits for its own turn while another host is sealing, which may miss the newest records', async () => {
  const { seal, attempts } = fixture(undefined, 4, 0);
  await seal();
  expect(attempts()).toBe(3);
});

it('is satisfied with a pass that found nothing to seal', async () => {
  const { seal, attempts } = fixture(0);
  await seal();
  expect(attempts()).toBe(1);
});

it('seals a backlog to its end, although each run ends after a time limit', async () => {
  const { seal, attempts } = fixture(1_000, undefined, 1_000, 500, 0);
  await seal();
  expect(attempts()).toBe(5);
});

it('gives up while another host is sealing all the time', async () => {
  const { seal, attempts } = fixture(undefined);
  await seal();
  expect(attempts()).toBe(5);
});
