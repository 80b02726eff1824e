/** Maximum size of one event of rows. */
export const EVENT_BYTES_MAX = 256 * 1024;
