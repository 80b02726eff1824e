import { withoutUnsafe } from '@sluice/contract/visible-text';

const NAME_BYTES_MAX = 180;
/** Characters that some file system rejects or interprets: separators, drives, streams, wildcards, pipes and quotes. */
const FORBIDDEN = /[/\\:*?"<>|]/g;
/** Device names on Windows, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(?:\.|$)/i;

/**
 * Returns file names for the members of an archive, in order: safe on every file system, unique under any comparison, different
 * from the reserved names, and at most 200 bytes of UTF-8 with the extension.
 */
export function entryNames(names: readonly string[], extension: string, reserved: readonly string[]): string[] {
  const taken = new Set(reserved.map(comparable));
  return names.map((name) => {
    const safe = safeName(name);
    for (let suffix = 1; ; suffix += 1) {
      const candidate = `${safe}${suffix === 1 ? '' : ` (${suffix})`}.${extension}`;
      if (taken.has(comparable(candidate))) continue;
      taken.add(comparable(candidate));
      return candidate;
    }
  });
}

/** Upper case first: some file systems treat `ß` as `ss`, and `ſ` as `s`. */
const comparable = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase();

function safeName(name: string): string {
  const cleaned = withoutUnsafe(name.toWellFormed().normalize('NFC'))
    .replace(FORBIDDEN, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const short = truncateBytes(cleaned).replace(/[\s.]+$/, '');
  if (short === '') return 'query';
  return DEVICE.test(short) ? `_${short}` : short;
}

/** Cuts between characters. */
function truncateBytes(text: string): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > NAME_BYTES_MAX) return text.slice(0, end);
    end += character.length;
  }
  return text;
}
