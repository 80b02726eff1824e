import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '@sluice/contract';
import { hashOpaqueToken } from '../opaque-token.ts';

/** Program to which users may give access (RFC 6749 section 2). */
export interface OAuthClient {
  readonly id: string;
  /** `document`: its metadata are at the address that is its id. */
  readonly kind: 'built-in' | 'registered' | 'document';
  /** Name on the pages that ask for consent. */
  readonly name: string;
  readonly homePage?: string | undefined;
  /** Addresses to which a code may be sent. The port of a loopback address is free. */
  readonly redirectUris: readonly string[];
  /** Scopes that it can get. Undefined: all. */
  readonly scopes: Scope;
  /** SHA-256 of the secret of a confidential client. A public client has none: a copy of the program would have it too. */
  readonly secretHash?: Uint8Array | undefined;
}

/** Drivers of Trino, which log a user in through the challenge of the stream host. They have no redirect address, and get no code. */
export const TRINO_CLIENT: OAuthClient = {
  id: 'sluice-trino',
  kind: 'built-in',
  name: 'Trino client',
  redirectUris: [],
  scopes: undefined,
};

/** Clients of every tenant. */
const BUILT_IN: ReadonlyMap<string, OAuthClient> = new Map(
  [
    {
      id: 'sluice-cli',
      kind: 'built-in' as const,
      name: 'Sluice command line',
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: undefined,
    },
    TRINO_CLIENT,
  ].map((client) => [client.id, client]),
);

/** Returns the built-in client of an id; undefined if there is none. */
export const findBuiltInClient = (id: string): OAuthClient | undefined => BUILT_IN.get(id);

/** Checks the secret of a confidential client, in constant time. */
export const isClientSecret = (secret: string, secretHash: Uint8Array): boolean => {
  const hash = hashOpaqueToken(secret);
  return hash.length === secretHash.length && timingSafeEqual(hash, secretHash);
};
