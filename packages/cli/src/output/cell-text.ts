const QUOTE = 0x22;

/** Decodes the JSON text of a value: the text of a string, `null` for NULL, and the JSON itself of anything else. */
export function cellText(json: string): string | null {
  if (json.charCodeAt(0) !== QUOTE) return json === 'null' ? null : json;
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

const NUMBER = /^(?:tinyint|smallint|integer|bigint|real|double|number|decimal\b.*)$/;

/** Returns whether values of a column are aligned to the right. */
export const isNumeric = ({ type }: { readonly type: string }): boolean => NUMBER.test(type);
