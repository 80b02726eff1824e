import { createHash, randomBytes } from 'node:crypto';
import { decrypt, deriveKey, encrypt } from './key-encryption.ts';

/** 256 random bits: a refresh token, or the value of a session cookie. */
export const createOpaqueToken = (): string => randomBytes(32).toString('base64url');

/** What is stored in its place. It needs no salt and no slow hash: nobody guesses 256 bits. */
export const hashOpaqueToken = (token: string): Uint8Array => createHash('sha256').update(token).digest();

const PURPOSE = 'sluice refresh replay';

/** Encrypts an answer so that only the holder of the token can have it again. */
export const sealReplay = (token: string, answer: object): Uint8Array =>
  encrypt(deriveKey(token, PURPOSE), Buffer.from(JSON.stringify(answer)), PURPOSE);

/** Throws when the token is another. */
export const openReplay = (token: string, replay: Uint8Array): unknown =>
  JSON.parse(decrypt(deriveKey(token, PURPOSE), replay, PURPOSE).toString());
