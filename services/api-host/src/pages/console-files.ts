import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { type ContentCoding, chooseCoding } from '@sluice/http';

/** A file of the built console, as it is sent. */
interface ConsoleFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Undefined: the file is sent as it is. */
  readonly coding: ContentCoding | undefined;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Names that the build gives: no slash, and no dot at the start. */
const FILE_NAME = /^[\w-]+(?:\.[\w-]+)+$/;

const { resolve } = createRequire(import.meta.url);

/** Folder into which `npm run build` bundles the console. */
export const builtConsoleFolder = (): string => join(dirname(resolve('@sluice/console/package.json')), 'dist', 'site');

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function readIfPresent(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the page before its placeholders are replaced, or undefined if the console is not built. */
export async function readConsolePage(folder: string): Promise<string | undefined> {
  const page = await readIfPresent(join(folder, 'index.html'));
  return page === undefined ? undefined : new TextDecoder().decode(page);
}

/**
 * Returns a file with a hashed name, compressed by the build if the client accepts that. Returns undefined for names that the build did
 * not write.
 * @param acceptEncoding - the header of that name
 */
export async function readConsoleAsset(
  folder: string,
  name: string,
  acceptEncoding: string | undefined,
): Promise<ConsoleFile | undefined> {
  const mediaType = FILE_NAME.test(name) ? MEDIA_TYPES[extname(name)] : undefined;
  if (mediaType === undefined) return undefined;
  const path = join(folder, 'assets', name);
  const coding = chooseCoding(acceptEncoding, 'br');
  const suffix = coding === undefined ? undefined : { br: '.br', gzip: '.gz' }[coding];
  const compressed = suffix === undefined ? undefined : await readIfPresent(`${path}${suffix}`);
  if (compressed !== undefined) return { bytes: compressed, mediaType, coding };
  const bytes = await readIfPresent(path);
  return bytes === undefined ? undefined : { bytes, mediaType, coding: undefined };
}
