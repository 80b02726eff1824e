export interface BasicCredential {
  readonly name: string;
  readonly secret: string;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** RFC 7617 section 2: neither part may hold a control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The user and password of RFC 7617, UTF-8 and cut at the first colon only; undefined for anything malformed. passport-http
 * cuts the password at its next colon and decodes whatever it is given, so the header is read here instead.
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
