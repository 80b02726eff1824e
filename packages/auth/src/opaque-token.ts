import { createHash, randomBytes } from 'node:crypto';
import { decrypt, deriveKey, encrypt } from './key-encryption.ts';

/** 256 random bits: a refresh token, or the value of a session cookie. */
export const createOpaqueToken = (): string => randomBytes(32).toString('base64url');

/** What is stored in its place. It needs no salt and no slow hash: nobody guesses 256 bits. */
export const hashOpaqueToken = (token: string): Uint8Array => createHash('sha256').update(token).digest();

const REPLAY = 'sluice refresh replay';
const LOGIN = 'sluice login transaction';
const LINK = 'sluice link confirmation';

const seal = (token: string, purpose: string, value: object): Uint8Array =>
  encrypt(deriveKey(token, purpose), Buffer.from(JSON.stringify(value)), purpose);

const open = (token: string, purpose: string, sealed: Uint8Array): unknown =>
  JSON.parse(decrypt(deriveKey(token, purpose), sealed, purpose).toString());

/** Encrypts an answer so that only the holder of the token can have it again. */
export const sealReplay = (token: string, answer: object): Uint8Array => seal(token, REPLAY, answer);

/** Throws when the token is another. */
export const openReplay = (token: string, replay: Uint8Array): unknown => open(token, REPLAY, replay);

/** The same of what a login must find again, for the holder of the browser's cookie. */
export const sealLogin = (cookie: string, login: object): Uint8Array => seal(cookie, LOGIN, login);

/** Throws when the cookie is another. */
export const openLogin = (cookie: string, sealed: Uint8Array): unknown => open(cookie, LOGIN, sealed);

/** Seals an identity whose link waits for a password, for the holder of the browser's cookie. */
export const sealLink = (cookie: string, link: object): Uint8Array => seal(cookie, LINK, link);

/** Throws when the cookie is another, or something else was sealed. */
export const openLink = (cookie: string, sealed: Uint8Array): unknown => open(cookie, LINK, sealed);
