import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { DamagedResultError } from './damaged-result.ts';
import { ResultKeyMismatchError } from './result-key-mismatch.ts';

export const RESULT_KEY_BYTES = 32;
const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';
/** Bound to every sealed byte, so that no other use of a key can produce one. */
const PURPOSE = 'sluice kept result 1';

/** Tenant and query of a kept result. Both are authenticated with each chunk. */
export interface ResultIdentity {
  readonly tenantId: string;
  readonly queryId: string;
}

/** `rows` of a chunk, the `header` before them, or the `end` after them. */
export type ChunkKind = 'header' | 'rows' | 'end';

/** Returns a key for one result. */
export const newResultKey = (): Buffer => randomBytes(RESULT_KEY_BYTES);

/**
 * Seals the chunks of one result with AES-256-GCM (NIST SP 800-38D). The nonce is the number of the chunk: a key seals each number once,
 * because every result has a key of its own, and is written once. Tenant, query, kind and number are authenticated, so a chunk is valid in
 * its own place only.
 */
export class ChunkCipher {
  readonly #key: Uint8Array;
  readonly #identity: ResultIdentity;

  constructor(key: Uint8Array, identity: ResultIdentity) {
    if (key.byteLength !== RESULT_KEY_BYTES) throw new Error(`The key of a result has ${RESULT_KEY_BYTES} bytes.`);
    this.#key = key;
    this.#identity = identity;
  }

  /** Returns the pieces of a sealed chunk, which has TAG_BYTES more than its content. */
  seal(number: number, kind: ChunkKind, content: readonly Uint8Array[]): readonly Buffer[] {
    const cipher = createCipheriv(ALGORITHM, this.#key, nonceOf(number));
    cipher.setAAD(this.#place(number, kind));
    const pieces = content.map((piece) => cipher.update(piece));
    return [...pieces, cipher.final(), cipher.getAuthTag()];
  }

  /** Returns the content of a sealed chunk. Throws DamagedResultError if it is not the chunk of this place. */
  open(number: number, kind: ChunkKind, sealed: Uint8Array): Buffer {
    const end = sealed.byteLength - TAG_BYTES;
    if (end < 0) throw new DamagedResultError(`Chunk ${number} of a kept result is too short.`);
    const decipher = createDecipheriv(ALGORITHM, this.#key, nonceOf(number), { authTagLength: TAG_BYTES });
    decipher.setAAD(this.#place(number, kind));
    decipher.setAuthTag(sealed.subarray(end));
    const content = decipher.update(sealed.subarray(0, end));
    try {
      decipher.final();
    } catch (cause) {
      throw new DamagedResultError(`Chunk ${number} of a kept result was changed, or belongs elsewhere.`, { cause });
    }
    return content;
  }

  #place(number: number, kind: ChunkKind): Buffer {
    const { tenantId, queryId } = this.#identity;
    return Buffer.from(JSON.stringify([PURPOSE, tenantId, queryId, kind, number]));
  }
}

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(BigInt(number), NONCE_BYTES - 8);
  return nonce;
}

/** Returns the key under which the keys of a tenant's results are wrapped. It is never stored. */
export const tenantKeyOf = (storeKey: Uint8Array, tenantId: string): Buffer =>
  Buffer.from(hkdfSync('sha256', storeKey, Buffer.from(tenantId), `${PURPOSE} tenant key`, RESULT_KEY_BYTES));

/** Wraps the key of a result under its tenant's key. */
export function wrapResultKey(tenantKey: Uint8Array, key: Uint8Array, identity: ResultIdentity): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, tenantKey, nonce);
  cipher.setAAD(wrappingOf(identity));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Returns the key of a result. Throws DamagedResultError if it has the wrong length, and ResultKeyMismatchError if it was not wrapped under
 * this tenant's key for this result.
 */
export function unwrapResultKey(tenantKey: Uint8Array, wrapped: Uint8Array, identity: ResultIdentity): Buffer {
  if (wrapped.byteLength !== NONCE_BYTES + RESULT_KEY_BYTES + TAG_BYTES)
    throw new DamagedResultError('The key of a kept result has the wrong length.');
  const end = wrapped.byteLength - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, tenantKey, wrapped.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(wrappingOf(identity));
  decipher.setAuthTag(wrapped.subarray(end));
  const key = decipher.update(wrapped.subarray(NONCE_BYTES, end));
  try {
    decipher.final();
  } catch (cause) {
    throw new ResultKeyMismatchError('The key of a kept result cannot be unwrapped with the key of this deployment.', {
      cause,
    });
  }
  return key;
}

const wrappingOf = ({ tenantId, queryId }: ResultIdentity): Buffer =>
  Buffer.from(JSON.stringify([`${PURPOSE} wrapped key`, tenantId, queryId]));
