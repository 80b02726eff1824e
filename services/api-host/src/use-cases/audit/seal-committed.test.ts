import { expect, it } from '@jest/globals';
import { createSealCommitted } from './seal-committed.ts';

interface Pass {
  /** Undefined while another host is sealing. */
  readonly sealed: number | undefined;
  /** Whether records of the snapshot are left after the pass. */
  readonly hasUnsealed: boolean;
}

const BUSY: Pass = { sealed: undefined, hasUnsealed: true };

/** Seals with the given passes in turn. The last one repeats. */
function fixture(passes: readonly Pass[], timeLimitMs = 60_000) {
  let attempts = 0;
  const passAt = (attempt: number): Pass => passes[Math.min(attempt, passes.length - 1)] ?? BUSY;
  const seal = createSealCommitted({
    auditSeals: {
      currentSnapshot: async () => `${attempts}:${attempts}:`,
      // The snapshot after the first pass, which may write records, not a later one: otherwise a busy log would never be sealed.
      hasUnsealed: async (snapshot) => snapshot !== '1:1:' || passAt(attempts - 1).hasUnsealed,
    },
    sealAuditLog: async () => passAt(attempts++).sealed,
    timeLimitMs,
  });
  return { seal, attempts: () => attempts };
}

it('is satisfied with a pass of another host that has sealed the records', async () => {
  const { seal, attempts } = fixture([{ sealed: undefined, hasUnsealed: false }]);
  await seal();
  expect(attempts()).toBe(1);
});

it('continues after a pass that found nothing, because it began before the newest records', async () => {
  const { seal, attempts } = fixture([
    { sealed: 0, hasUnsealed: true },
    { sealed: 3, hasUnsealed: false },
  ]);
  await seal();
  expect(attempts()).toBe(2);
});

it('seals a backlog to its end, although each run ends after a time limit', async () => {
  const backlog = Array.from({ length: 8 }, () => ({ sealed: 1_000, hasUnsealed: true }));
  const { seal, attempts } = fixture([BUSY, ...backlog, { sealed: 500, hasUnsealed: false }]);
  await seal();
  expect(attempts()).toBe(10);
});

it('fails with audit_unavailable and a time to retry while another host is sealing all the time', async () => {
  const { seal } = fixture([BUSY], 1);
  await expect(seal()).rejects.toMatchObject({ code: 'audit_unavailable', retryAfterSeconds: 5 });
});
