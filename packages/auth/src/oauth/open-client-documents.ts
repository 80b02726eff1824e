import type { ClientDocuments, ClientDocumentsOptions } from './client-documents.ts';

/** Opens a reader of metadata documents and loads its libraries, which the stream host, the other user of this package, does not need. */
export async function openClientDocuments(options: ClientDocumentsOptions): Promise<ClientDocuments> {
  const { createClientDocuments } = await import('./client-documents.ts');
  return createClientDocuments(options);
}
