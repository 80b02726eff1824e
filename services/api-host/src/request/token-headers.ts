/** RFC 6749 section 5.1 requires both headers on every token response. `pragma` is for HTTP/1.0 caches. */
export const TOKEN_HEADERS = { 'cache-control': 'no-store', pragma: 'no-cache' };
