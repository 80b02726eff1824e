import { expect, it } from '@jest/globals';
import { createSealCommitted } from './seal-committed.ts';

/** Seals with the given results in turn; undefined means that another host is sealing. The last result repeats. */
function fixture(...results: (number | undefined)[]) {
  let attempts = 0;
  const seal = createSealCommitted(async () => results[Math.min(attempts++, results.length - 1)]);
  return { seal, attempts: () => attempts };
}

it('waits for its own turn while another host is sealing, which may miss the newest records', async () => {
  const { seal, attempts } = fixture(undefined, 4);
  await seal();
  expect(attempts()).toBe(2);
});

it('is satisfied with a pass that found nothing to seal', async () => {
  const { seal, attempts } = fixture(0);
  await seal();
  expect(attempts()).toBe(1);
});
