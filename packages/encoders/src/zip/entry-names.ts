const NAME_BYTES_MAX = 180;
/** What no file system may be asked for: separators, drives, streams, wildcards, pipes and quotes of any of them, and controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069/\\:*?"<>|]/g;
/** Names of devices on Windows, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(?:\.|$)/i;

/**
 * File names for the members of an archive, in order: safe on every file system, none the same as another however it is
 * compared, none the same as a reserved one, at most 200 bytes of UTF-8 with its extension.
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

/** To upper case first: some file systems take `ß` for `ss`, and `ſ` for `s`. */
const comparable = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase();

function safeName(name: string): string {
  const cleaned = name
    .toWellFormed()
    .normalize('NFC')
    .replace(FORBIDDEN, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const short = truncateBytes(cleaned).replace(/[\s.]+$/, '');
  if (short === '') return 'query';
  return DEVICE.test(short) ? `_${short}` : short;
}

/** Whole characters only. */
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
