import type { ParameterValue } from '@sluice/client';

type Parameters = Readonly<Record<string, unknown>>;

const isText = (value: unknown): boolean => value === null || typeof value === 'string' || typeof value === 'boolean';
const isTextOrTexts = (value: unknown): boolean => (Array.isArray(value) ? value.every(isText) : isText(value));

const isExact = (value: unknown): value is ParameterValue =>
  isTextOrTexts(value) ||
  (typeof value === 'object' && value !== null && 'value' in value && 'type' in value && isTextOrTexts(value.value));

/**
 * Returns the parameters of a recorded statement in the form in which they are sent again. Undefined if one is a JSON number: the page has
 * read it as a double, so it may have lost digits. The console sends every number as text with its type.
 */
export function resentParameters(parameters: Parameters | null): Readonly<Record<string, ParameterValue>> | undefined {
  const exact: [string, ParameterValue][] = [];
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (!isExact(value)) return undefined;
    exact.push([name, value]);
  }
  return Object.fromEntries(exact);
}
