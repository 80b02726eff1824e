import { createHmac, randomInt } from 'node:crypto';

/** Consonants that listeners distinguish when they are read aloud, without vowels, so that no word appears (RFC 8628 section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const USER_CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** Creates a code that a user types, with 34 random bits: enough, because it lives for ten minutes and guesses are throttled. */
export const createUserCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');

/** Returns the code as people read it: `WDJB-MJHT`. */
export const formatUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/** Reads a typed code: letters in either case, with spaces and hyphens anywhere. Undefined if it cannot be one. */
export function readUserCode(typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, '').toUpperCase();
  return USER_CODE.test(code) ? code : undefined;
}

/** Returns the hash that is stored. It is keyed, because 34 bits could be tried one by one. */
export const hashUserCode = (key: Uint8Array, code: string): Uint8Array =>
  createHmac('sha256', key).update(`user code ${code}`).digest();
