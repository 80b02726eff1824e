/** Hex and base64 of bytes, with functions that Node.js and browsers both have. */

const HEX_BASE = 16;
const HEX = Array.from({ length: 256 }, (_each, byte) => byte.toString(HEX_BASE).padStart(2, '0'));

/** Returns bytes in lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Decodes hex up to the first invalid character, as Buffer does. */
export function bytesOfHex(hex: string): Uint8Array {
  const valid = /^(?:[0-9a-f]{2})*/i.exec(hex)?.[0] ?? '';
  const bytes = new Uint8Array(valid.length / 2);
  for (let index = 0; index < bytes.length; index += 1)
    bytes[index] = Number.parseInt(valid.slice(index * 2, index * 2 + 2), HEX_BASE);
  return bytes;
}

/** Returns a few bytes, such as a signature, in base64. */
export const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Decodes base64. Returns no bytes if it is invalid. */
export function bytesOfBase64(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
