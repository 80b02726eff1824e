import { createHash } from 'node:crypto';

/** Incremental SHA-256. */
export interface Sha256 {
  /** Adds bytes, or a string as UTF-8. */
  update(part: Uint8Array | string): void;
  /** Returns the 32 bytes. May be called once. */
  digest(): Uint8Array;
}

/**
 * Creates a hash. The verifier of exports and packages uses no other part of Node.js, because it also runs in browsers: the build of the
 * console puts a module of its own instead of this one (packages/console/vite.config.ts).
 */
export function createSha256(): Sha256 {
  const hash = createHash('sha256');
  return {
    update(part) {
      hash.update(part);
    },
    digest: () => hash.digest(),
  };
}
