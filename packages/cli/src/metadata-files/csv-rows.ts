import type { ImportObject } from '@sluice/client';

/** Columns of a metadata file in CSV. */
export const CSV_COLUMNS = 'type,id,field,display_name,description,tags,domains';

export const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
/** `\N` removes a value, so the text `\N` gets a second backslash (docs/metadata-files.md). */
const textCell = (text: string | null | undefined): string => {
  if (text === undefined) return '';
  if (text === null || text === '') return '\\N';
  return quoted(/^\\+N$/.test(text) ? `\\${text}` : text);
};
const listCell = (items: readonly string[] | undefined): string => {
  if (items === undefined) return '';
  return items.length === 0 ? '\\N' : quoted(items.map((item) => item.replaceAll(/[\\;]/g, '\\$&')).join(';'));
};

/**
 * Returns the rows of an object, each with its line end.
 * @param more - cells of the row of the object behind its own, as text that begins with a comma; the rows of fields have them empty
 */
export function csvRows({ type, id, fields = [], ...own }: ImportObject, more = ''): string {
  const key = `${type},${quoted(id)}`;
  const row = [textCell(own.display_name), textCell(own.description), listCell(own.tags), listCell(own.domains)];
  const empty = more.replaceAll(/"(?:[^"]|"")*"|[^,]/g, '');
  const others = fields.map(
    ({ name, description, tags }) => `${key},${quoted(name)},,${textCell(description)},${listCell(tags)},${empty}\n`,
  );
  return `${key},,${row.join(',')}${more}\n${others.join('')}`;
}
