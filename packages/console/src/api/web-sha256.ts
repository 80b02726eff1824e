import { createSha256 as createHexSha256 } from '@sluice/client';

const HEX_BASE = 16;
const encoder = new TextEncoder();

/** SHA-256 of browsers, used instead of packages/audit/src/node-sha256.ts: the Web Crypto API cannot hash a stream. */
export function createSha256() {
  const hash = createHexSha256();
  return {
    update(part: Uint8Array | string): void {
      hash.update(typeof part === 'string' ? encoder.encode(part) : part);
    },
    digest: (): Uint8Array =>
      Uint8Array.from(hash.digest().match(/../g) ?? [], (byte) => Number.parseInt(byte, HEX_BASE)),
  };
}
