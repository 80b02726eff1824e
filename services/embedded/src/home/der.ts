/** Writes DER (ITU-T X.690), as far as a certificate needs it. */

/** Returns a value with its tag and its length (X.690 sections 8.1.3 and 10.1). */
function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(tag, 0x80 + bytes.length), bytes, content]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => tagged(0x31, ...parts);
export const octets = (content: Uint8Array): Buffer => tagged(0x04, content);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
export const isTrue = (): Buffer => tagged(0x01, Buffer.of(0xff));

/** @param bytes - big-endian, positive: the first bit is 0 */
export const integer = (...bytes: readonly number[]): Buffer => tagged(0x02, Buffer.of(...bytes));

/** @param unusedBits - bits of the last byte that are not part of the value */
export const bits = (content: Uint8Array, unusedBits = 0): Buffer => tagged(0x03, Buffer.of(unusedBits), content);

/** A part whose meaning its number gives. `explicit` parts contain a value with a tag of its own. */
export const explicit = (number: number, content: Uint8Array): Buffer => tagged(0xa0 + number, content);
export const implicit = (number: number, content: Uint8Array): Buffer => tagged(0x80 + number, content);

/** Seven bits of each number, the most significant ones first; all bytes but the last have the highest bit set (X.690 section 8.19). */
function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/** @param name - numbers with dots between them */
export function objectIdentifier(name: string): Buffer {
  const [first = 0, second = 0, ...others] = name.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...others].flatMap(base128)));
}

/** UTCTime before 2050, and GeneralizedTime from then on (RFC 5280 section 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  return date.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}
