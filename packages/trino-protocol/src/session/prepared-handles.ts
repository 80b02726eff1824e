import { createHmac, timingSafeEqual } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { SQL_BYTES_MAX } from '@sluice/contract';
import { TrinoError } from '../trino-error.ts';

/** No statement begins with it. */
const PREFIX = '$sluice1:';
/** Longer statements get a handle. */
const PLAIN_CHARACTERS_MAX = 200;
/**
 * Longest value of a header: a driver sends all open statements with each request, and all headers together have 64 KiB.
 */
const VALUE_CHARACTERS_MAX = 16_384;
/** HMAC-SHA-256, cut to 128 bits (RFC 2104, section 5). */
const MAC_BYTES = 16;
/** The best quality takes a second for the longest statements. */
const QUALITY = 9;

/**
 * Handles of prepared statements. The protocol keeps them in the client, which sends all that are open with each request, so a long one is
 * compressed. Trino does the same with zstd, which Node.js 20 does not have.
 *
 * The handle holds the whole statement. A handle that names an entry of a store would be shorter, but a statement is prepared for as long as
 * its connection lives, which is days: every host would need the store, a restart or an eviction would end the statements of live connections, and
 * entries that nobody deallocates would stay. The MAC makes sure that only bytes that a host of this deployment has written are decompressed, and
 * that a damaged handle is refused instead of being another statement. It grants nothing: the statement of a handle is judged as any other.
 */
export class PreparedHandles {
  readonly #key: Uint8Array;

  /** @param key - the same on every host, at least 32 bytes, used for nothing else */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Returns the value by which a client keeps a statement. Throws NOT_SUPPORTED for one that no header can hold. */
  write(sql: string): string {
    const isPlain = sql.length <= PLAIN_CHARACTERS_MAX && !sql.startsWith(PREFIX);
    const value = isPlain ? sql : this.#handleOf(sql);
    if (value.length <= VALUE_CHARACTERS_MAX) return value;
    throw new TrinoError(
      'NOT_SUPPORTED',
      `The statement is too long to be prepared: compressed it has ${value.length} characters, and a header takes ${VALUE_CHARACTERS_MAX}. Use EXECUTE IMMEDIATE, which JDBC does with explicitPrepare=false.`,
    );
  }

  /** Returns the statement of a value. Throws INVALID_ARGUMENTS for a handle that no host of this deployment has written. */
  read(value: string): string {
    if (!value.startsWith(PREFIX)) return value;
    const bytes = Buffer.from(value.slice(PREFIX.length), 'base64url');
    const mac = bytes.subarray(0, MAC_BYTES);
    const compressed = bytes.subarray(MAC_BYTES);
    if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, this.#macOf(compressed))) {
      throw new TrinoError(
        'INVALID_ARGUMENTS',
        'A prepared statement in X-Trino-Prepared-Statement was not written by this service, or is damaged. Prepare it again.',
      );
    }
    return brotliDecompressSync(compressed, { maxOutputLength: SQL_BYTES_MAX }).toString('utf8');
  }

  #handleOf(sql: string): string {
    const text = Buffer.from(sql);
    const compressed = brotliCompressSync(text, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    });
    return `${PREFIX}${Buffer.concat([this.#macOf(compressed), compressed]).toString('base64url')}`;
  }

  #macOf(compressed: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(PREFIX).update(compressed).digest().subarray(0, MAC_BYTES);
  }
}
