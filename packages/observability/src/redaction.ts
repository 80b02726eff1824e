const CENSOR = '[redacted]';
const DEPTH_MAX = 8;

/** Names in lower case, without `-` and `_`, so that `id_token`, `idToken` and `ID-Token` are equal. */
const SECRET_NAMES = new Set([
  'idtoken',
  'accesstoken',
  'refreshtoken',
  'pagetoken',
  'token',
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'password',
  'clientsecret',
  'secret',
  'masterkey',
  'operatortoken',
  'code',
  'codeverifier',
  'state',
  'nonce',
  // An array of alternating header names and values, without keys.
  'rawheaders',
]);

const isSecretName = (name: string): boolean => SECRET_NAMES.has(name.toLowerCase().replace(/[-_]/g, ''));

const QUERY_SECRETS =
  'id_?token|access_?token|refresh_?token|page_?token|token|password|client_?secret|secret|code|code_verifier|state|nonce';
const IN_QUERY_STRING = new RegExp(`([?&](?:${QUERY_SECRETS})=)[^&#\\s"'\\\\]*`, 'gi');
const CREDENTIAL = /\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{6,}/gi;
/** Words separated by dots. Matches only from the first character of the first word, so that no character is read twice. */
const DOTTED = /(?<![\w-])[\w-]+(?:\.[\w-]*)+/g;
const JWT_HEADER = /\beyJ[\w-]{5}/;

/** Redacts secrets in text: in query strings of URLs, `Bearer ...`, `Basic ...`, and anything that looks like a JWT. */
export function redactText(text: string): string {
  return text.replace(IN_QUERY_STRING, `$1${CENSOR}`).replace(CREDENTIAL, `$1 ${CENSOR}`).replace(DOTTED, redactTokens);
}

/** Redacts every JWT: a header that is followed by a payload, with the payload and the signature. */
function redactTokens(dotted: string): string {
  const words = dotted.split('.');
  const kept: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const header = (words[index + 1] ?? '') === '' ? -1 : word.search(JWT_HEADER);
    kept.push(header === -1 ? word : word.slice(0, header) + CENSOR);
    if (header !== -1) index += 2;
  }
  return kept.join('.');
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * Returns a copy with the values of secret names redacted, at any depth. Errors are left to `describeError`. Other class instances
 * are unchanged: their `toJSON` decides what is logged.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth >= DEPTH_MAX) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (value instanceof Map) return redact(Object.fromEntries(value), depth + 1);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecretName(name) ? CENSOR : redact(item, depth + 1)]),
  );
}

const CAUSES_MAX = 5;

/** Converts an Error for the log. Its `code` is kept, because it is an error code; all other secret names are redacted. */
export function describeError(error: unknown, causes = 0): unknown {
  if (!(error instanceof Error)) return redact(error);
  const { name, message, stack, cause, ...own } = error as Error & Record<string, unknown>;
  const code = own['code'];
  return {
    ...(redact(own) as object),
    ...(code === undefined ? {} : { code }),
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined || causes >= CAUSES_MAX ? {} : { cause: describeError(error.cause, causes + 1) }),
  };
}
