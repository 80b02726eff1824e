export interface BasicCredential {
  readonly name: string;
  readonly secret: string;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** RFC 7617 section 2: user-id and password must not contain control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression rejects control characters
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Decodes user and password (RFC 7617): UTF-8, split at the first colon. Returns undefined for malformed input. passport-http
 * also splits the password at its next colon and accepts malformed Base64 and UTF-8, so it does not read the header.
 */
export function decodeBasic(token: string): BasicCredential | undefined {
  if (!BASE64.test(token)) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(token, 'base64'));
  } catch {
    return undefined;
  }
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1 || CONTROL.test(text)) return undefined;
  return { name: text.slice(0, colon), secret: text.slice(colon + 1) };
}
