import { describe, expect, it } from '@jest/globals';
import { downloadOperation } from '@sluice/contract';
import { fileNameOf, timedFileName } from './file-name.ts';

const NAMES = [
  'flights',
  '',
  '..',
  ' a ',
  '.hidden.',
  'a/b\\c',
  'why? "a" <b> c:d * | e',
  'NUL\u0000 and \u202eright to left',
  'con',
  'LPT1.csv',
  '\ud800',
  'x'.repeat(500),
  '😀'.repeat(500),
  '👩‍👩‍👧‍👦'.repeat(80),
  'it\'s; $(touch hacked) `x` "y" & \n newline',
  '-rf',
  '<script>hacked=1</script>',
];
const TIME = new Date(2026, 10, 8, 9, 5, 6);

/** Parts of a name that Windows, macOS, Linux or Chromium refuse or change. */
const CHANGED = /["*/:<>?\\|\p{Cc}\p{Cs}\u202e]|^[\s.]|[\s.]$|^(?:con|lpt1)(?:\.|$)/iu;

describe('fileNameOf', () => {
  it.each(NAMES)('returns a name that the host and every file system accept: %j', (name) => {
    for (const accepted of [fileNameOf(name), timedFileName(name, TIME)]) {
      const body = { sql: 'SELECT 1', filename: accepted };
      expect(downloadOperation('csv').body.schema.parse(body)).toEqual(body);
      expect(accepted).not.toMatch(CHANGED);
      expect(Buffer.byteLength(`${accepted}.parquet.crdownload (1)`)).toBeLessThanOrEqual(255);
    }
  });

  it('keeps a name that is accepted as it is', () => {
    for (const name of ['Flights of 2026', 'größe 😀', "it's (1)", 'a.b', '100%', '-rf'])
      expect(fileNameOf(name)).toBe(name);
  });
});

describe('timedFileName', () => {
  it('ends with the date and the local time', () => {
    expect(timedFileName('Flights', TIME)).toBe('Flights 2026-11-08T09-05-06');
    expect(timedFileName('x'.repeat(500), TIME)).toMatch(/^x+ 2026-11-08T09-05-06$/);
  });
});
