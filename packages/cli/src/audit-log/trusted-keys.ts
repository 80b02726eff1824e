import { readFile } from 'node:fs/promises';
import type { CommandContext } from '../context.ts';
import { CommandError, UsageError } from '../errors.ts';

/** 32 bytes in base64. */
const KEY = /^[A-Za-z0-9+/]{43}=$/;

interface PublishedKeys {
  readonly keys?: unknown;
}

const findKey = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'public_key') : entry;

/** Reads a response of `GET /audits/checkpoints`, its `keys`, `public-keys.json` of a package, or a list of strings. */
function keysOfJson(text: string): readonly unknown[] {
  const document = JSON.parse(text) as PublishedKeys | readonly unknown[] | null;
  const list = Array.isArray(document) ? document : (document as PublishedKeys | null)?.keys;
  return Array.isArray(list) ? list.map(findKey) : [];
}

function parseKeys(text: string): readonly string[] {
  const words: readonly unknown[] = /^\s*[[{]/.test(text) ? keysOfJson(text) : text.split(/\s+/).filter(Boolean);
  return words.every((word): word is string => typeof word === 'string' && KEY.test(word)) ? words : [];
}

async function readKeys(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read (${cause.code}). Check the name of the file of keys.`, { cause });
  });
  try {
    const keys = parseKeys(text.replace(/^\uFEFF/, ''));
    if (keys.length > 0) return keys;
  } catch {
    // It is not JSON, and not a list of keys either.
  }
  throw new CommandError(
    `${path} does not hold public keys: one in base64 (44 characters) per line, or the JSON of GET /audits/checkpoints.`,
  );
}

async function readPublishedKeys({ connect, signal }: CommandContext): Promise<readonly string[]> {
  const { client } = await connect();
  const { keys } = await client.api.listAuditCheckpoints({ query: { size: 1 }, signal });
  return keys.map(({ public_key: key }) => key);
}

interface TrustedKeyOptions {
  /** Path of a file with keys. Undefined: the keys that the host publishes. */
  readonly keys: string | undefined;
  /** Whether no host may be asked. */
  readonly isOffline: boolean;
}

/**
 * Returns the public keys that are trusted, 32 bytes each.
 * @throws UsageError if there is no file of keys and no host may be asked, CommandError if the file holds none
 */
export async function readTrustedKeys(
  context: CommandContext,
  { keys, isOffline }: TrustedKeyOptions,
): Promise<readonly Uint8Array[]> {
  if (keys === undefined && isOffline)
    throw new UsageError(
      '--offline needs --keys FILE: keys inside of a package prove nothing, because a forger replaces them too.',
    );
  const found = keys === undefined ? await readPublishedKeys(context) : await readKeys(keys);
  return found.map((key) => Buffer.from(key, 'base64'));
}
