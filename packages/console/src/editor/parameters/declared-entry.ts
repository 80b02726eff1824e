import { listItemType } from '../../parameters/list-values.ts';
import type { FormType, ParameterEntry } from './parameter-entry.ts';

/** Parameter as a datamap declares it. */
interface DeclaredParameter {
  readonly type: string;
  readonly required: boolean;
  /** Null: NULL, or no default if the parameter is required. */
  readonly default: unknown;
}

/** Types of declarations that have a type of the form. Any other is written as text, which the host reads. */
const FORM_TYPES: readonly (readonly [RegExp, FormType])[] = [
  [/^u?(?:tiny|small|big|huge)?int(?:eger)?$|^decimal/, 'number'],
  [/^(?:double|real|float)/, 'double'],
  [/^boolean/, 'boolean'],
  [/^date/, 'date'],
  [/^timestamp.*with time zone/, 'timestamp with time zone'],
  [/^timestamp/, 'timestamp'],
  [/^time/, 'time'],
  [/^uuid/, 'uuid'],
];

/** Returns the type of the form for values of a type of SQL. */
export const formTypeOf = (type: string): FormType =>
  FORM_TYPES.find(([pattern]) => pattern.test(type))?.[1] ?? 'varchar';

/** Returns what a form shows for a parameter before the user writes: its default. */
export function declaredEntry({ type, required, default: value }: DeclaredParameter): ParameterEntry {
  const itemType = listItemType(type);
  const formType = formTypeOf(itemType ?? type);
  const hasValue = value !== null && value !== undefined;
  const text = !hasValue ? '' : Array.isArray(value) ? value.map(String).join('\n') : String(value);
  return { type: formType, text, isNull: !hasValue && !required, ...(itemType === undefined ? {} : { isList: true }) };
}
