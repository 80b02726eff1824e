import { expect, it } from '@jest/globals';
import { createAuditSigner, genesisHash, hexOf, payloadHash, readCheckpoint, SEAL_VERSION } from '@sluice/audit';
import type { StoredHead } from '@sluice/store/audit';
import { signDropped } from './sign-dropped.ts';

const TENANT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const RANGE = { from: 1, to: 5, hash: 'ab'.repeat(32) };
const signer = createAuditSigner(Buffer.alloc(32, 1));
const sign = signDropped(signer, 'retention', () => 9);

it('the first checkpoint of a tenant begins at its genesis', () => {
  const payload = readCheckpoint(sign(TENANT, undefined, []).payload);
  expect(payload).toMatchObject({
    v: SEAL_VERSION,
    kind: 'retention',
    tenant_id: TENANT,
    number: 1,
    sequence: 0,
    hash: hexOf(genesisHash(TENANT)),
    issued_ts: 9,
    previous: null,
  });
  expect(payload).not.toHaveProperty('dropped');
});

it('a later one continues the chain without a gap, and names what was dropped', () => {
  const first = sign(TENANT, undefined, [RANGE]);
  const head = { ...first, tenantId: TENANT, sequence: 5 } as unknown as StoredHead;
  expect(readCheckpoint(sign(TENANT, head, [RANGE]).payload)).toMatchObject({
    number: 2,
    sequence: 5,
    hash: hexOf(genesisHash(TENANT)),
    previous: payloadHash(first.payload),
    dropped: [RANGE],
  });
});
