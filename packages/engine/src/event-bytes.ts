/** One event of rows carries at most this much. */
export const EVENT_BYTES_MAX = 256 * 1024;
