import { describe, expect, it } from '@jest/globals';
import { createAuditSigner } from '@sluice/audit';
import type { AuditSealStore, Sealer, SealingProblem, StoredHead } from '@sluice/store/audit';
import { createSealAuditLog } from './seal-audit-log.ts';

const TENANT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const SNAPSHOT = { atMs: 5, xmax: '7' };
const pass = { sinceMs: null, untilMs: 5, lateIds: new Set<string>(), retention: { kept_ms: 1, tenant_ms: null } };

/** Store of one tenant that calls the sealer for an empty batch, and keeps its checkpoint as the next head. */
const fixture = () => {
  const calls: unknown[] = [];
  const state: {
    head: StoredHead | undefined;
    isBusy: boolean;
    backlog: number;
    problems: readonly SealingProblem[];
  } = {
    problems: [],
    head: undefined,
    isBusy: false,
    backlog: 0,
  };
  const auditSeals: Pick<AuditSealStore, 'sealBatch' | 'putKey'> = {
    async sealBatch({ seal }: Sealer, lastSnapshot) {
      calls.push(lastSnapshot);
      if (state.isBusy) return { kind: 'busy' };
      const { checkpoint } = seal(TENANT, [], state.head, pass);
      state.head = { ...checkpoint, tenantId: TENANT };
      state.backlog -= 1;
      const hasMore = state.backlog > 0;
      return { kind: 'sealed', rows: 1, hasMore, snapshot: hasMore ? undefined : SNAPSHOT, problems: state.problems };
    },
    putKey: async ({ keyId }) => void calls.push(keyId),
  };
  const cuts: unknown[] = [];
  const problems: unknown[] = [];
  const signer = createAuditSigner(Buffer.alloc(32, 3));
  const seal = createSealAuditLog({
    auditSeals,
    signer,
    now: () => 5,
    onCut: (cut) => cuts.push(cut),
    onWarning: (problem) => problems.push(problem),
  });
  return { seal, state, calls, cuts, problems, signer };
};

describe('createSealAuditLog', () => {
  it('publishes its key once, and passes on the snapshot of its last run', async () => {
    const { seal, calls, signer } = fixture();
    expect(await seal()).toBe(1);
    expect(await seal()).toBe(1);
    expect(calls).toEqual([signer.keyId, undefined, SNAPSHOT]);
  });

  it('seals batches until nothing is left', async () => {
    const { seal, state } = fixture();
    state.backlog = 3;
    expect(await seal()).toBe(3);
    expect(state.head?.number).toBe(3);
  });

  it('returns undefined while another host is sealing', async () => {
    const { seal, state } = fixture();
    state.isBusy = true;
    expect(await seal()).toBeUndefined();
  });

  it('reports a chain that ends before a checkpoint that it signed', async () => {
    const { seal, state, cuts } = fixture();
    await seal();
    await seal();
    const first = state.head;
    state.head = undefined;
    await seal();
    expect(cuts).toEqual([{ tenantId: TENANT, signed: 2, found: 0 }]);
    expect(first?.number).toBe(2);
  });

  it('reports what the store set aside or skipped', async () => {
    const { seal, state, problems } = fixture();
    state.problems = [{ tenantId: TENANT, skipped: ['a'] }];
    await seal();
    expect(problems).toEqual([{ tenantId: TENANT, skipped: ['a'] }]);
  });
});
