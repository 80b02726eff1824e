import type { ClientKeySource, ClientKeySourceOptions } from './client-key-source.ts';

/** Opens a source and loads its libraries, which the stream host, the other user of this package, does not need. */
export async function openClientKeySource(options: ClientKeySourceOptions): Promise<ClientKeySource> {
  const { createClientKeySource } = await import('./client-key-source.ts');
  return createClientKeySource(options);
}
