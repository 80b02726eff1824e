/** Program to which users may give access. It keeps no secret: a copy of it has none either (RFC 6749 section 2.1, public client). */
export interface OAuthClient {
  readonly id: string;
  /** Name on the pages that ask for consent. */
  readonly name: string;
  /** Addresses to which a code may be sent. The port of a loopback address is free. */
  readonly redirectUris: readonly string[];
}

/** Clients of every tenant. */
const BUILT_IN: ReadonlyMap<string, OAuthClient> = new Map(
  [
    {
      id: 'sluice-cli',
      name: 'Sluice command line',
      redirectUris: ['http://127.0.0.1/callback'],
    },
  ].map((client) => [client.id, client]),
);

/** Returns the client of an id; undefined if there is none. */
export const findOAuthClient = (id: string | undefined): OAuthClient | undefined =>
  id === undefined ? undefined : BUILT_IN.get(id);
