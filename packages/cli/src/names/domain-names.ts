import { type Client, ResponseError } from '@sluice/client';

/** Returns the names of domains. An id stays where the domain was deleted meanwhile, or the account may not read domains. */
export async function domainNames(client: Client, ids: readonly string[], signal: AbortSignal): Promise<string> {
  const names = ids.map(async (id) => {
    try {
      return (await client.api.getDomain({ params: { id }, signal })).name;
    } catch (error) {
      if (error instanceof ResponseError && (error.status === 404 || error.status === 403)) return id;
      throw error;
    }
  });
  return (await Promise.all(names)).join(', ');
}
