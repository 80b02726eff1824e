// What may differ between the output that a page shows and that of a run.
/** Each is replaced by its name in both outputs. Order matters: longer forms first. */
const MASKS = [
  ['<token>', /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g],
  ['<uuid>', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g],
  ['<SHA-256>', /\b[0-9a-f]{64}\b/g],
  ['<random>', /(?<![\w-])[\w-]{43}(?![\w-])/g],
  ['<time>', /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g],
  ['<time>', /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d GMT/g],
  ['<epoch ms>', /\b1[789]\d{11}\b/g],
  ['$1<ms>', /("(?:elapsed|duration|queued|execution)_ms":\s*)\d+/g],
  // Present when an earlier page has made a second record.
  ['', /,\s*"next_page_token":\s*"[^"]*"/g],
  ['$1 in <time>', /\b(\d+ rows?) in [\d.]+ s\b/g],
  // Compressed formats have times inside.
  ['$1, <size>', /(\.(?:xlsx|zip|parquet): [\d,]+ rows?), [\d.]+ [kM]?B\b/g],
  ['$1<token>', /("(?:next_page_token|refresh_token)":\s*)"[^"]*"/g],
  ['$1<user code>', /(\buser_code(?:=|":\s*"))[B-Z]{4}-[B-Z]{4}/g],
  ['$1<key>', /("public_key":\s*)"[^"]*"/g],
  ['$1<id>', /("secret_id":\s*)"[0-9a-f]{16}"/g],
  ['$1<count>', /("total":\s*)\d+/g],
  ['<count> records and <count> checkpoints', /\b\d+ records and \d+ checkpoints\b/g],
  [
    '<count> records$1',
    /\b[\d,]+ records( (?:and <count> checkpoints )?(?:as they were sealed|before it)|, as the signed)/g,
  ],
  ['record <sequence>', /\brecord \d+\b/g],
  ['from <first> to <last>', /\bfrom \d+ to \d+\b/g],
  ['<time>', /\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\dZ/g],
  ['<count> records of $1, <first> to <last>', /\b\d+ records of (\w+), \d+ to \d+/g],
  ['$1<agent>', /("user_agent":\s*)"[^"]*"/g],
];

const mask = (text) => MASKS.reduce((masked, [name, pattern]) => masked.replace(pattern, name), text);
const trimmed = (text) => text.replace(/[ \t]+$/gm, '').trim();

/** Removes what the command line says of a list when an earlier page has made more entries. */
export const withoutNotes = (text) =>
  text.replaceAll(/^More \w+ exist than the \d+ shown\. Use --limit N to see more\.\n?/gm, '');

/** Returns what two outputs have in common if they differ only in masked values. JSON is compared as values, not as text. */
export function comparable(text, kind) {
  const kept = withoutNotes(text);
  if (kind !== 'json') return mask(trimmed(kept));
  try {
    return mask(JSON.stringify(JSON.parse(kept), undefined, 1));
  } catch {
    return mask(trimmed(kept));
  }
}
