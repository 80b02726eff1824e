import { type MetadataObject, metadataObject, type ProblemDetail, REPORT_MEMBERS } from '@sluice/contract';

/** Object of a file before it is validated. */
export interface RawObject {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly value: unknown;
  /** Returns the line of a member, and its keys from there, for messages. */
  locate(keys: readonly PropertyKey[]): { readonly line: number; readonly keys: readonly PropertyKey[] };
}

/** A valid object, or its violations with their lines. */
export type CheckedObject =
  | { readonly object: MetadataObject; readonly faults?: undefined }
  | { readonly object?: undefined; readonly faults: readonly ProblemDetail[] };

/** Writes a path of keys: `fields[0].tags`. */
export const keyText = (keys: readonly PropertyKey[]): string =>
  keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`;
    return path === '' ? String(key).slice(0, 100) : `${path}.${String(key).slice(0, 100)}`;
  }, '');

/** An object of a report has members that an import ignores. */
const withoutReport = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !(REPORT_MEMBERS as readonly string[]).includes(key)))
    : value;

/** Messages of the contract begin with the name of the field, which the position of a violation has already. */
const messageAt = (position: string, message: string): string => {
  const [, name, rest] = /^(\w+) ((?:must|is|has) .*)$/s.exec(message) ?? [];
  return rest !== undefined && new RegExp(`[ .]${name}$`).test(position) ? rest : message;
};

/** Validates an object of a file. */
export function checkObject({ value, locate }: RawObject): CheckedObject {
  const parsed = metadataObject.safeParse(withoutReport(value));
  if (parsed.success) return { object: parsed.data };
  const faults = parsed.error.issues.flatMap((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    return unknown.map((key) => {
      const position = locate(key === undefined ? issue.path : [...issue.path, key]);
      const path =
        position.keys.length === 0 ? `line ${position.line}` : `line ${position.line}, ${keyText(position.keys)}`;
      return { path, message: key === undefined ? messageAt(path, issue.message) : 'is not a known key' };
    });
  });
  return { faults };
}
