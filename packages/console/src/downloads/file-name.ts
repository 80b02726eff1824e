import { INVISIBLE } from '@sluice/contract/visible-text';

/** Longest name that the host accepts, in characters. */
const CHARACTERS_MAX = 200;
/** File systems limit a name to 255 bytes. The rest is for the extension and what a browser appends while it saves. */
const BYTES_MAX = 220;
/** Characters that a file system or a browser refuses in names: those of Windows, and invisible ones. */
const REFUSED = new RegExp(String.raw`["*/:<>?\\|]|${INVISIBLE.source}`, 'gu');
/** Names of devices, which Windows refuses with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;
/** Windows and browsers remove dots and spaces at the ends of a name. */
const ENDS = /^[\s.]+|[\s.]+$/g;

const encoder = new TextEncoder();

/** Returns the beginning of a text without half a character at its end. */
function beginningOf(text: string, charactersMax: number, bytesMax: number): string {
  let bytes = 0;
  let beginning = '';
  for (const character of [...text].slice(0, charactersMax)) {
    bytes += encoder.encode(character).length;
    if (bytes > bytesMax) break;
    beginning += character;
  }
  return beginning;
}

/**
 * Returns the name of a file without its extension that the host and every file system accept, and that is close to the given one.
 * @param reserved - characters that are appended later
 */
export function fileNameOf(text: string, reserved = 0): string {
  const clean = text.toWellFormed().replace(REFUSED, ' ').replace(/\s+/g, ' ').replace(ENDS, '');
  const name = beginningOf(clean, CHARACTERS_MAX - reserved, BYTES_MAX - reserved).replace(ENDS, '');
  if (name === '') return 'download';
  return DEVICE.test(name) ? `_${name}` : name;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns a time of this machine as ISO 8601 writes it, with hyphens instead of colons, which Windows refuses. */
const timeStamp = (time: Date): string =>
  [
    [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-'),
    [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join('-'),
  ].join('T');

/** Returns the name of a file that is made at a time, such as `Flights 2026-11-28T19-20-16`. */
export function timedFileName(name: string, time: Date): string {
  const stamp = ` ${timeStamp(time)}`;
  return fileNameOf(name, stamp.length) + stamp;
}
