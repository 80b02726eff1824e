import { hash, verify } from '@node-rs/argon2';
import { createConcurrencyLimit } from './concurrency-limit.ts';

/** argon2id costs; they stand in each hash, so changing them leaves older hashes valid. */
export interface PasswordCosts {
  readonly memoryKib: number;
  readonly passes: number;
}

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
const COSTS_DEFAULT: PasswordCosts = { memoryKib: 19_456, passes: 2 };

/** Hashing runs on libuv's four threads, which tokens and files need too. */
const HASHING_MAX = 2;
const WAITING_MAX = 200;

export interface Passwords {
  /** A PHC string that carries its own parameters and salt. */
  hash(secret: string): Promise<string>;
  /**
   * The hash, among these, that the secret matches. The work is always that of `hashesTried` (1 by default), done on a hash of
   * nothing where there are fewer, so that an unknown account takes as long as a known one, and one with a single secret as
   * long as one with two. Throws `too_many_requests` when too many wait.
   */
  match(hashes: readonly string[], secret: string, hashesTried?: number): Promise<string | undefined>;
  /** Whether it matches any, with the same work. */
  verify(hashes: readonly string[], secret: string, hashesTried?: number): Promise<boolean>;
}

export function createPasswords(costs: PasswordCosts = COSTS_DEFAULT): Passwords {
  const limited = createConcurrencyLimit({ runningMax: HASHING_MAX, waitingMax: WAITING_MAX });
  const hashOf = (secret: string) =>
    hash(secret, { memoryCost: costs.memoryKib, timeCost: costs.passes, parallelism: 1 });
  // Made at once: the first unknown name would take longer than others, and so be told from a known one.
  let nobody: Promise<string> | undefined = hashOf('the password of an account that does not exist');
  nobody.catch(() => {
    nobody = undefined;
  });
  const dummyHash = (): Promise<string> => {
    nobody ??= hashOf('the password of an account that does not exist');
    return nobody;
  };

  const match: Passwords['match'] = (hashes, secret, hashesTried = 1) =>
    limited(async () => {
      let matched: string | undefined;
      // Every hash is tried, whichever matches, so that the time does not tell which one it was.
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
