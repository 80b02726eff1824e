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
  readonly text: string;
  readonly isNull: boolean;
}

export const NEW_ENTRY: ParameterEntry = { type: 'varchar', text: '', isNull: false };

/** Value of a parameter in the form that `POST /query` takes. */
export interface TypedValue {
  readonly type: string;
  readonly value: string | null;
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
export function readEntry({ type, text, isNull }: ParameterEntry): TypedValue | undefined {
  if (isNull) return { type: type === 'number' ? 'bigint' : type, value: null };
  const given = type === 'varchar' ? text : text.trim();
  const named = typeOfText(type, given);
  return named === undefined ? undefined : { type: named, value: given };
}

/** Returns the declared type of a parameter of a datamap. */
export function declaredType(entry: ParameterEntry): string {
  return readEntry(entry)?.type ?? (entry.type === 'number' ? 'bigint' : entry.type);
}

function typeOfText(type: FormType, text: string): string | undefined {
  if (type === 'number') return numberType(text);
  if (!PATTERNS[type].test(text)) return undefined;
  const fraction = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  return type === 'timestamp' && fraction > 6 ? `timestamp(${fraction})` : type;
}

function numberType(text: string): string | undefined {
  if (INTEGER.test(text) && fitsBits(text)) return 'bigint';
  const [all, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (all === undefined || whole.length + fraction.length === 0) return undefined;
  const precision = Math.max(whole.replace(/^0+/, '').length + fraction.length, 1);
  return precision <= DECIMAL_DIGITS_MAX ? `decimal(${precision},${fraction.length})` : undefined;
}

const fitsBits = (text: string): boolean => {
  const integer = BigInt(text.replace('+', ''));
  return BigInt.asIntN(BITS, integer) === integer;
};
