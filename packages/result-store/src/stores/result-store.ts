import type { ResultBytes, ResultIdentity } from '../form/index.ts';

/** A result that is being written. Nothing of it can be read before `commit`. */
export interface ResultUpload {
  /** Appends bytes. The caller must not change them before the promise settles, and must await it before the next call. */
  write(bytes: Uint8Array): Promise<void>;
  /** Makes the whole result readable, durably. */
  commit(): Promise<void>;
  /** Removes what was written. Call it after any failure. */
  abort(): Promise<void>;
}

/** Something that the store holds for a result. */
export interface StoredObject {
  readonly identity: ResultIdentity;
  readonly bytes: number;
  /** False for one that was not committed. */
  readonly isComplete: boolean;
  readonly changed: Date;
}

/**
 * Holds the bytes of kept results, which it cannot read: they are sealed. Which results exist, and until when, is in the database. All
 * methods throw ResultStoreError if the store fails.
 */
export interface ResultStore extends AsyncDisposable {
  create(identity: ResultIdentity): Promise<ResultUpload>;
  /** Opens a committed result of this length. Its reads throw ResultMissingError if the store does not hold it. */
  open(identity: ResultIdentity, length: number): Promise<OpenResult>;
  /** Removes a result, complete or not. Does nothing if there is none. */
  remove(identity: ResultIdentity): Promise<void>;
  /** Removes all results of a tenant. */
  removeTenant(tenantId: string): Promise<void>;
  /** Yields everything that the store holds, to find what no row of the database names. */
  list(): AsyncIterable<StoredObject>;
}

export interface OpenResult extends ResultBytes, AsyncDisposable {}

/** The store failed, is full or does not respond. */
export class ResultStoreError extends Error {
  override readonly name: string = 'ResultStoreError';
}

/** The store does not hold the result. */
export class ResultMissingError extends ResultStoreError {
  override readonly name = 'ResultMissingError';
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isUuid = (text: string): boolean => UUID.test(text);

/** Returns the name of a result. Throws an Error unless both parts are lower-case UUIDs, which are safe as names of files and objects. */
export function nameOf({ tenantId, queryId }: ResultIdentity): string {
  if (!isUuid(tenantId) || !isUuid(queryId))
    throw new Error('A kept result is named by the UUIDs of its tenant and query.');
  return `${tenantId}/${queryId}`;
}
