/** Returns the text of the first cell of a row of a sheet, with the escapes of XML and of ECMA-376 (section 22.9.2.19) resolved. */
export const sheetCellText = (row: string): string =>
  (/<v>(.*?)<\/v>|<t[^>]*>(.*?)<\/t>/s.exec(row)?.slice(1).join('') ?? '')
    .replace(/&(lt|gt|amp);/g, (_, name: string) => ({ lt: '<', gt: '>' })[name] ?? '&')
    .replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Returns the text that a cell of a sheet has for a value of JSON, unless it is a date. */
export function sheetTextOfJson(json: string): string {
  const value: unknown = JSON.parse(json);
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'string' ? value : json;
}
