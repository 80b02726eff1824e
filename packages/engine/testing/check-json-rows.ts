/** Strings of JSON, in which alone a colon does not separate a name from its value. */
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  const own = Array.isArray(value) ? 0 : parts.length;
  return parts.reduce<number>((sum, part) => sum + countMembers(part), own);
}

/** Throws unless each row is JSON (RFC 8259) whose objects have distinct names. Rows are separated by line feeds, as in every format. */
export function checkJsonRows(rowsText: string): void {
  for (const line of rowsText.split('\n')) {
    const row = line.replace(/^data: /, '').replace(/,$/, '');
    if (row === '') continue;
    const members = row.replace(STRINGS, '').split(':').length - 1;
    if (countMembers(JSON.parse(row)) !== members)
      throw new Error(`A row has an object with two equal names: ${row.slice(0, 500)}`);
  }
}
