import type { KeyRevocation, StoredSigningKey } from './ports.ts';

export interface KeySchedule {
  /** Period in which one key signs. */
  readonly signMs: number;
  /** Time for which a key is published before it signs, so that every verifier has cached it by then. At least a day. */
  readonly leadMs: number;
  /** Maximum lifetime of a token, clock tolerance included. */
  readonly tokenMs: number;
}

export type KeyTimes = Pick<StoredSigningKey, 'publishAt' | 'signFrom' | 'signUntil' | 'expiresAt'>;

/**
 * Time after which every verifier can know a published key: a cache of the set is a minute old at most, and a verifier that meets an
 * unknown key waits half a minute before it reads the set again.
 */
const KNOWN_AFTER_MS = 120_000;

/**
 * Longest time for which a revoked key may go on signing because its successor is new. The stream hosts know a new key by then: API hosts
 * read the keys every 5 s, and stream hosts read the set again after 15 s.
 */
const REVOKED_SIGNS_MAX_MS = 25_000;

/**
 * Time after which no host hands out tokens of the former key: API hosts read the keys every 5 s, and repeat the response to a refresh
 * for 10 s. With the time above, tokens of a revoked key are refused within 50 s, and a lookup of their status may be 5 s old.
 */
const SWITCHED_AFTER_MS = 25_000;

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

/** Returns the signing key and its successor when the successor signs from a time on. */
function handOver(
  keys: readonly StoredSigningKey[],
  fromMs: number,
  nowMs: number,
  schedule: KeySchedule,
): readonly StoredSigningKey[] {
  const signer = signerOf(keys, nowMs);
  const next = keys.find(({ signFrom }) => signFrom.getTime() > nowMs);
  if (signer === undefined || next === undefined) return [];
  return [
    { ...signer, ...times(signer.publishAt.getTime(), signer.signFrom.getTime(), fromMs, schedule) },
    { ...next, ...times(next.publishAt.getTime(), fromMs, fromMs + schedule.signMs, schedule) },
  ];
}

/**
 * Returns the changes after which the successor signs: at once if every verifier can know it, which is the case unless it was published in
 * the last two minutes.
 * @param isImmediate - at once in any case
 */
export function advanceKeys(
  keys: readonly StoredSigningKey[],
  nowMs: number,
  schedule: KeySchedule,
  isImmediate: boolean,
): readonly StoredSigningKey[] {
  const next = keys.find(({ signFrom }) => signFrom.getTime() > nowMs);
  if (next === undefined) return [];
  const knownMs = next.publishAt.getTime() + KNOWN_AFTER_MS;
  // A rotation that was requested before is not put off by another request.
  const fromMs = isImmediate ? nowMs : Math.min(Math.max(nowMs, knownMs), next.signFrom.getTime());
  return handOver(keys, fromMs, nowMs, schedule);
}

/**
 * Returns the revocation of a key: the successor of the signing key takes over, and the tokens of the revoked key are refused when no host
 * hands them out any more. Returns undefined for an unknown key, one that is revoked already, and a signing key without a successor.
 */
export function planRevocation(
  keys: readonly StoredSigningKey[],
  kid: string,
  nowMs: number,
  schedule: KeySchedule,
): KeyRevocation | undefined {
  const at = keys.findIndex((key) => key.kid === kid);
  const [key, next] = keys.slice(at, at + 2);
  if (at < 0 || key === undefined || key.refusedFrom !== null) return undefined;
  // It has signed nothing.
  if (key.signFrom.getTime() > nowMs) return { refusedFrom: new Date(nowMs), changed: [] };
  if (next === undefined) return undefined;
  const isSigner = signerOf(keys, nowMs) === key;
  const knownMs = Math.max(nowMs, next.publishAt.getTime() + KNOWN_AFTER_MS);
  const fromMs = isSigner
    ? Math.min(knownMs, next.signFrom.getTime(), nowMs + REVOKED_SIGNS_MAX_MS)
    : next.signFrom.getTime();
  return {
    refusedFrom: new Date(Math.max(nowMs, fromMs + SWITCHED_AFTER_MS)),
    changed: isSigner ? handOver(keys, fromMs, nowMs, schedule) : [],
  };
}
