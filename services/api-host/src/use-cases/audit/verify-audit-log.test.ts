import { expect, it } from '@jest/globals';
import { createAuditSigner } from '@sluice/audit';
import { signDropped } from './sign-dropped.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

const [STORED, REMOVED] = ['7c9e6679-7425-40de-944b-e07fc1f90ae7', '7c9e6679-7425-40de-944b-e07fc1f90ae8'] as const;
const signer = createAuditSigner(Buffer.alloc(32, 1));
const nothing = async function* (): AsyncGenerator<never> {};

it('every tenant is verified once, also one of which only a checkpoint stored elsewhere is left', async () => {
  const log = {
    tenantIds: async () => [STORED],
    checkpoints: nothing,
    entries: nothing,
    unsealed: nothing,
    clock: async () => ({ atMs: 0, runsBehindMs: 0 }),
    countMismatch: async () => undefined,
    receiptMismatch: async () => undefined,
    retention: async () => undefined,
  };
  const { payload } = signDropped(signer, 'tombstone', () => 1)(REMOVED, undefined, []);
  const saved = new Map([
    [STORED, new Map<number, string>()],
    [REMOVED, new Map([[1, payload]])],
  ]);
  const verdicts = [];
  for await (const verdict of verifyAuditLog({ log, keys: new Map(), saved } as never)) verdicts.push(verdict);
  expect(verdicts.map(({ tenantId, finding }) => [tenantId, finding?.kind])).toEqual([
    [STORED, undefined],
    [REMOVED, 'missing'],
  ]);
});
