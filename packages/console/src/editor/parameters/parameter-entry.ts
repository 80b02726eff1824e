import { linesOf } from '../../parameters/list-values.ts';

/** Types that the form offers. `number` is exact: the value becomes a bigint or a decimal by its digits. */
export const PARAMETER_TYPES = [
  'varchar',
  'number',
  'double',
  'boolean',
  'date',
  'time',
  'timestamp',
  'timestamp with time zone',
  'uuid',
] as const;
export type FormType = (typeof PARAMETER_TYPES)[number];

/** Value of a parameter as typed, before it is checked. */
export interface ParameterEntry {
  readonly type: FormType;
  /** Text of the value. A list has one item in each line. */
  readonly text: string;
  readonly isNull: boolean;
  readonly isList?: boolean;
}

export const NEW_ENTRY: ParameterEntry = { type: 'varchar', text: '', isNull: false };

/** Value of a parameter in the form that `POST /query` takes. */
export interface TypedValue {
  readonly type: string;
  readonly value: string | readonly string[] | null;
}

const INTEGER = /^[+-]?\d{1,19}$/;
const DECIMAL = /^[+-]?(\d*)(?:\.(\d*))?$/;
const DECIMAL_DIGITS_MAX = 38;
const BITS = 64;

/**
 * Patterns of the types whose values a form checks before the request. The hosts read every value again; a pattern here accepts what
 * they accept, so that a form never rejects what would run.
 */
const PATTERNS = {
  varchar: /^/,
  double: /^(?:NaN|-?Infinity|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,6})?)$/i,
  boolean: /^(?:true|false)$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?$/,
  timestamp: /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?$/,
  'timestamp with time zone':
    /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)? ?(?:Z|UTC|[+-]\d{2}:\d{2})$/i,
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
} as const satisfies Record<Exclude<FormType, 'number'>, RegExp>;

/**
 * Returns the value of an entry with its type named, so that no digit and no type is guessed by the host.
 * @returns undefined if the text is not a value of the type
 */
export function readEntry({ type, text, isNull, isList = false }: ParameterEntry): TypedValue | undefined {
  const given = isList ? linesOf(text) : [text];
  const value = isNull ? [] : type === 'varchar' ? given : given.map((each) => each.trim());
  const item = typeOfTexts(type, value);
  if (item === undefined) return undefined;
  return { type: isList ? `array(${item})` : item, value: isNull ? null : isList ? value : (value[0] ?? '') };
}

/** Returns the declared type of a parameter of a datamap. */
export function declaredType(entry: ParameterEntry): string {
  return readEntry(entry)?.type ?? readEntry({ ...entry, isNull: true })?.type ?? entry.type;
}

/** Returns the type that holds all texts, or undefined if one of them is not a value of the type. */
function typeOfTexts(type: FormType, texts: readonly string[]): string | undefined {
  if (type === 'number') return numberType(texts);
  if (!texts.every((text) => PATTERNS[type].test(text))) return undefined;
  const fraction = Math.max(0, ...texts.map((text) => /\.(\d+)/.exec(text)?.[1]?.length ?? 0));
  return type === 'timestamp' && fraction > 6 ? `timestamp(${fraction})` : type;
}

function numberType(texts: readonly string[]): string | undefined {
  if (texts.every((text) => INTEGER.test(text) && fitsBits(text))) return 'bigint';
  let [digits, scale] = [0, 0];
  for (const text of texts) {
    const [all, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
    if (all === undefined || whole.length + fraction.length === 0) return undefined;
    digits = Math.max(digits, whole.replace(/^0+/, '').length);
    scale = Math.max(scale, fraction.length);
  }
  const precision = Math.max(digits + scale, 1);
  return precision <= DECIMAL_DIGITS_MAX ? `decimal(${precision},${scale})` : undefined;
}

const fitsBits = (text: string): boolean => {
  const integer = BigInt(text.replace('+', ''));
  return BigInt.asIntN(BITS, integer) === integer;
};
