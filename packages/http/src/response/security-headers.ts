/** Headers of every response, also of errors. A response may have a policy of its own. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  /** A browser may not load, frame or run anything. */
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  /** Pages of other origins read responses through CORS only, and cannot embed them. */
  'cross-origin-resource-policy': 'same-origin',
} as const;
