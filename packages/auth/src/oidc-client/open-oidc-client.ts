import type { OidcClient, OidcClientOptions } from './oidc-client.ts';

/** Opens a client and loads its libraries, which the stream host, the other user of this package, does not need. */
export async function openOidcClient(options: OidcClientOptions): Promise<OidcClient> {
  const { createOidcClient } = await import('./oidc-client.ts');
  return createOidcClient(options);
}
