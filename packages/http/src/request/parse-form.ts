import type { ProblemDetail } from '@sluice/contract';

export interface ParsedForm {
  readonly fields: Record<string, string>;
  readonly details: readonly ProblemDetail[];
}

/** Whether a form has more fields, empty ones too; found without parsing it. */
export function hasMoreFieldsThan(text: string, fieldsMax: number): boolean {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1 && fields <= fieldsMax; at = text.indexOf('&', at + 1)) fields += 1;
  return fields > fieldsMax;
}

/**
 * Fields of a query string or form. A name that is given twice is a mistake (RFC 6749 section 3.2): whichever of the two
 * is taken, somebody before or behind us takes the other.
 */
export function parseForm(text: string, place: 'query' | 'body'): ParsedForm {
  const fields = new Map<string, string>();
  const details = new Map<string, ProblemDetail>();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = `${place}.${name}`;
    if (fields.has(name)) details.set(name, { path, message: 'must be given only once' });
    else if (value.includes('\0')) details.set(name, { path, message: 'must not contain the NUL character' });
    fields.set(name, value);
  }
  // fromEntries defines own properties, so that a field named __proto__ is a field.
  return { fields: Object.fromEntries(fields), details: [...details.values()] };
}
