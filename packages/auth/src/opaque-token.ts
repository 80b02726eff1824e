import { createHash, randomBytes } from 'node:crypto';
import { decrypt, deriveKey, encrypt } from './key-encryption.ts';

/** Creates 256 random bits, for example a refresh token or the value of a session cookie. */
export const createOpaqueToken = (): string => randomBytes(32).toString('base64url');

/** Returns the hash that is stored instead of the token. 256 random bits need neither salt nor a slow hash. */
export const hashOpaqueToken = (token: string): Uint8Array => createHash('sha256').update(token).digest();

const REPLAY = 'sluice refresh replay';
const LOGIN = 'sluice login transaction';
const LINK = 'sluice link confirmation';

const seal = (token: string, purpose: string, value: object): Uint8Array =>
  encrypt(deriveKey(token, purpose), Buffer.from(JSON.stringify(value)), purpose);

const open = (token: string, purpose: string, sealed: Uint8Array): unknown =>
  JSON.parse(decrypt(deriveKey(token, purpose), sealed, purpose).toString());

/** Encrypts a response so that only the holder of the token can receive it again. */
export const sealReplay = (token: string, response: object): Uint8Array => seal(token, REPLAY, response);

/** Throws for another token. */
export const openReplay = (token: string, replay: Uint8Array): unknown => open(token, REPLAY, replay);

/** Encrypts the state of a login at an identity provider for the holder of the browser's cookie. */
export const sealLogin = (cookie: string, login: object): Uint8Array => seal(cookie, LOGIN, login);

/** Throws for another cookie. */
export const openLogin = (cookie: string, sealed: Uint8Array): unknown => open(cookie, LOGIN, sealed);

/** Encrypts an identity that is linked after a password check, for the holder of the browser's cookie. */
export const sealLink = (cookie: string, link: object): Uint8Array => seal(cookie, LINK, link);

/** Throws for another cookie or another kind of value. */
export const openLink = (cookie: string, sealed: Uint8Array): unknown => open(cookie, LINK, sealed);
