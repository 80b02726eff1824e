import { createHash, type Hash } from 'node:crypto';

/** What a client can check against the bytes it got. */
export interface BodyDigest {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Counts and hashes the uncompressed body as it is sent: every byte, keep-alives and closing bytes included. */
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

  /** Takes bytes into account and hands them on. */
  add(chunk: Uint8Array): Uint8Array {
    this.#hash.update(chunk);
    this.#bytes += chunk.byteLength;
    return chunk;
  }

  /** A meter of its own that has counted the same so far: for the digest of a body whose last bytes are yet to leave. */
  copy(): BodyMeter {
    return new BodyMeter(this.#hash.copy(), this.#bytes);
  }

  /** The digest of all that was added. To be asked once, at the end. */
  digest(): BodyDigest {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
