import type { ParameterValue } from '@sluice/client';
import { declaredEntry } from '../editor/parameters/declared-entry.ts';
import type { ParameterEntry } from '../editor/parameters/parameter-entry.ts';

/** Returns the type of a value that was sent without one. */
function typeOfPlain(value: unknown): string {
  const item = typeof (Array.isArray(value) ? value[0] : value) === 'boolean' ? 'boolean' : 'varchar';
  return Array.isArray(value) ? `array(${item})` : item;
}

const isTyped = (value: ParameterValue): value is Extract<ParameterValue, { readonly type: string }> =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Returns what the form of a tab shows for the parameters of a statement that has run before. */
export const pastEntries = (
  parameters: Readonly<Record<string, ParameterValue>>,
): Readonly<Record<string, ParameterEntry>> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const { type, value: given } = isTyped(value) ? value : { type: typeOfPlain(value), value };
      return [name, declaredEntry({ type, required: false, default: given })];
    }),
  );
