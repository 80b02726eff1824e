import { hash, verify } from '@node-rs/argon2';
import { createConcurrencyLimit } from './concurrency-limit.ts';

/** argon2id costs. Each hash contains its costs, so older hashes stay valid after a change. */
export interface PasswordCosts {
  readonly memoryKib: number;
  readonly passes: number;
}

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
const COSTS_DEFAULT: PasswordCosts = { memoryKib: 19_456, passes: 2 };

/** Hashing uses libuv's four threads, which tokens and files need too. */
const HASHING_MAX = 2;
const WAITING_MAX = 200;

export interface Passwords {
  /** Returns a PHC string, which contains parameters and salt. */
  hash(secret: string): Promise<string>;
  /**
   * Returns the hash that the secret matches. At least `hashesTried` hashes are compared (default 1), if necessary with a dummy
   * hash. So an unknown account takes as long as a known one, and an account with one secret as long as one with two.
   * Throws `too_many_requests` if too many callers wait.
   */
  match(hashes: readonly string[], secret: string, hashesTried?: number): Promise<string | undefined>;
  /** Returns whether the secret matches any of the hashes, with the same work. */
  verify(hashes: readonly string[], secret: string, hashesTried?: number): Promise<boolean>;
}

export function createPasswords(costs: PasswordCosts = COSTS_DEFAULT): Passwords {
  const limited = createConcurrencyLimit({ runningMax: HASHING_MAX, waitingMax: WAITING_MAX });
  const hashOf = (secret: string) =>
    hash(secret, { memoryCost: costs.memoryKib, timeCost: costs.passes, parallelism: 1 });
  // Created immediately: otherwise the first unknown name would take longer, which reveals that it is unknown.
  let dummy: Promise<string> | undefined = hashOf('the password of an account that does not exist');
  dummy.catch(() => {
    dummy = undefined;
  });
  const dummyHash = (): Promise<string> => {
    dummy ??= hashOf('the password of an account that does not exist');
    return dummy;
  };

  const match: Passwords['match'] = (hashes, secret, hashesTried = 1) =>
    limited(async () => {
      let matched: string | undefined;
      // Compares every hash even after a match, so that the time does not reveal which one matched.
      for (const candidate of hashes) matched = (await verify(candidate, secret)) ? candidate : matched;
      for (let tried = hashes.length; tried < hashesTried; tried += 1) await verify(await dummyHash(), secret);
      return matched;
    });

  return {
    hash: (secret) => limited(() => hashOf(secret)),
    match,
    verify: async (hashes, secret, hashesTried) => (await match(hashes, secret, hashesTried)) !== undefined,
  };
}
