import { createHash, type Hash } from 'node:crypto';

/** Size and hash that a client can compare with the bytes it received. */
interface BodyDigest {
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Counts and hashes the uncompressed body as it is sent, including heartbeats and closing bytes. */
export class BodyMeter {
  readonly #hash: Hash;
  #bytes: number;

  constructor(hash: Hash = createHash('sha256'), bytes = 0) {
    this.#hash = hash;
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts the bytes and returns them. */
  add(chunk: Uint8Array): Uint8Array {
    this.#hash.update(chunk);
    this.#bytes += chunk.byteLength;
    return chunk;
  }

  /** Returns an independent meter with the same state, for the digest of a body whose last bytes are not sent yet. */
  copy(): BodyMeter {
    return new BodyMeter(this.#hash.copy(), this.#bytes);
  }

  /** Returns the digest of all added bytes. Call it once, at the end. */
  digest(): BodyDigest {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
