import { describe, expect, it } from '@jest/globals';
import { createValueSeal } from '@sluice/auth';
import type { Principal } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createPageMarks } from './page-marks.ts';

const marksOf = (byte: number) => createPageMarks(async () => createValueSeal({ current: Buffer.alloc(32, byte) }));
const marks = marksOf(7);
const { principal } = buildCaller('ann');
const PAGE = { id: 'q', position: '10' };

describe('the mark of a page', () => {
  it('is accepted for its page and account, by every host', async () => {
    const mark = await marks.issue(PAGE, principal);
    expect(mark).toMatch(/^[\w-]{43}$/);
    await expect(marksOf(7).check(mark, PAGE, principal)).resolves.toBeUndefined();
  });

  it('is not accepted for another page, account or deployment, or changed', async () => {
    const mark = await marks.issue(PAGE, principal);
    const others: readonly Principal[] = [
      { ...principal, id: 'bob' },
      { ...principal, kind: 'client' },
      { ...principal, tenant: { ...principal.tenant, id: 'other' } },
    ];
    const refused = { code: 'not_found' };
    for (const other of others) await expect(marks.check(mark, PAGE, other)).rejects.toMatchObject(refused);
    for (const page of [
      { ...PAGE, id: 'other' },
      { ...PAGE, position: '11' },
      { ...PAGE, position: '10m' },
      { id: 'q1', position: '0' },
    ])
      await expect(marks.check(mark, page, principal)).rejects.toMatchObject(refused);
    for (const wrong of ['', mark.slice(1), `${mark}A`, mark.toUpperCase().padStart(43)])
      await expect(marks.check(wrong, PAGE, principal)).rejects.toMatchObject(refused);
    await expect(marksOf(8).check(mark, PAGE, principal)).rejects.toMatchObject(refused);
  });
});
