/** RFC 6749 section 5.1: no cache may keep tokens, the oldest ones included. */
export const TOKEN_HEADERS = { 'cache-control': 'no-store', pragma: 'no-cache' };
