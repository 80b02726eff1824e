import type { StoredSigningKey } from './ports.ts';

export interface KeySchedule {
  /** Period in which one key signs. */
  readonly signMs: number;
  /** Time for which a key is published before it signs, so that every verifier has cached it by then. At least a day. */
  readonly leadMs: number;
  /** Maximum lifetime of a token, clock tolerance included. */
  readonly tokenMs: number;
}

export type KeyTimes = Pick<StoredSigningKey, 'publishAt' | 'signFrom' | 'signUntil' | 'expiresAt'>;

const times = (publishMs: number, signFromMs: number, signUntilMs: number, { tokenMs }: KeySchedule): KeyTimes => ({
  publishAt: new Date(publishMs),
  signFrom: new Date(signFromMs),
  signUntil: new Date(signUntilMs),
  expiresAt: new Date(signUntilMs + tokenMs),
});

/** Returns the key that signs now: the youngest with a `signFrom` in the past. */
export const signerOf = <K extends KeyTimes>(keys: readonly K[], nowMs: number): K | undefined =>
  keys.findLast(({ signFrom }) => signFrom.getTime() <= nowMs);

/**
 * Returns the changes after which one key signs and its successor is published. There is always a successor: when the signing key
 * is revoked, the next one signs immediately, and every verifier already has it. `keys` must be in order of `signFrom`.
 */
export function planKeys(
  keys: readonly StoredSigningKey[],
  nowMs: number,
  schedule: KeySchedule,
): { readonly changed: readonly StoredSigningKey[]; readonly added: readonly KeyTimes[] } {
  const waiting = keys.find(({ signFrom }) => signFrom.getTime() > nowMs);
  const signer = signerOf(keys, nowMs);
  const firstUntilMs = nowMs + schedule.signMs;

  if (signer !== undefined) {
    if (waiting !== undefined) return { changed: [], added: [] };
    const fromMs = Math.max(signer.signUntil.getTime(), nowMs + schedule.leadMs);
    const added = [times(nowMs, fromMs, fromMs + schedule.signMs, schedule)];
    if (fromMs === signer.signUntil.getTime()) return { changed: [], added };
    // The successor was published late, so the signer continues until the successor may take over.
    const extended = times(signer.publishAt.getTime(), signer.signFrom.getTime(), fromMs, schedule);
    return { changed: [{ ...signer, ...extended }], added };
  }
  const next = times(nowMs, firstUntilMs, firstUntilMs + schedule.signMs, schedule);
  if (waiting === undefined) return { changed: [], added: [times(nowMs, nowMs, firstUntilMs, schedule), next] };
  return {
    changed: [{ ...waiting, ...times(waiting.publishAt.getTime(), nowMs, firstUntilMs, schedule) }],
    added: [next],
  };
}
