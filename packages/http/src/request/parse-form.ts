import type { ProblemDetail } from '@sluice/contract';

const AMPERSAND = 0x26;

interface ParsedForm {
  /** An array for a name that was repeated. */
  readonly fields: Record<string, string | readonly string[]>;
  readonly details: readonly ProblemDetail[];
}

/** Counts the fields of a form, empty ones included, without parsing it. */
export function hasMoreFieldsThan(bytes: Uint8Array, fieldsMax: number): boolean {
  let fields = 1;
  for (let at = bytes.indexOf(AMPERSAND); at !== -1 && fields <= fieldsMax; at = bytes.indexOf(AMPERSAND, at + 1))
    fields += 1;
  return fields > fieldsMax;
}

interface ParseFormOptions {
  readonly part: 'query' | 'body';
  /** Begins the names that may be repeated. Default: none may. */
  readonly repeatablePrefix?: string | undefined;
}

/**
 * Parses a query string or form. A repeated name is an error (RFC 6749 section 3.2), unless it may be repeated: another component could
 * use the other of the two values.
 */
export function parseForm(text: string, { part, repeatablePrefix }: ParseFormOptions): ParsedForm {
  const fields = new Map<string, string | string[]>();
  const details = new Map<string, ProblemDetail>();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = `${part}.${name}`;
    const before = fields.get(name);
    const mayRepeat = repeatablePrefix !== undefined && name.startsWith(repeatablePrefix);
    if (before !== undefined && !mayRepeat) details.set(name, { path, message: 'must be given only once' });
    else if (value.includes('\0')) details.set(name, { path, message: 'must not contain the NUL character' });
    if (Array.isArray(before)) before.push(value);
    else fields.set(name, before === undefined ? value : [before, value]);
  }
  // fromEntries defines own properties, so a field named __proto__ is an ordinary field.
  return { fields: Object.fromEntries(fields), details: [...details.values()] };
}
