import type { OidcClient, OidcClientOptions } from './oidc-client.ts';

/** Its libraries are loaded by whoever opens one: the stream host uses this package too, and asks no provider. */
export async function openOidcClient(options: OidcClientOptions): Promise<OidcClient> {
  const { createOidcClient } = await import('./oidc-client.ts');
  return createOidcClient(options);
}
