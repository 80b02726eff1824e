import type { Client } from '@sluice/client';
import { useSession } from '../session/session-context.tsx';

/** Returns the one client of the page, with the session of its user. */
export const useClient = (): Client => useSession().client;

/** An object as it was read, with the tag that a change of it must name (RFC 9110, section 13.1.1). */
export interface Versioned<Value> {
  readonly value: Value;
  readonly entityTag: string | undefined;
}

/** Options of a call that reads an object with its entity tag. */
export interface ReadOptions {
  readonly onResponse: (response: Response) => void;
}

/** Reads an object with its entity tag. */
export async function readVersioned<Value>(read: (options: ReadOptions) => Promise<Value>): Promise<Versioned<Value>> {
  let entityTag: string | undefined;
  const value = await read({
    onResponse: ({ headers }) => {
      entityTag = headers.get('etag') ?? undefined;
    },
  });
  return { value, entityTag };
}

/** Returns the headers of a change that the host rejects if somebody else has changed the object meanwhile. */
export const ifUnchanged = ({
  entityTag,
}: Versioned<unknown>): { readonly headers: Readonly<Record<string, string>> } => ({
  headers: entityTag === undefined ? {} : { 'if-match': entityTag },
});
