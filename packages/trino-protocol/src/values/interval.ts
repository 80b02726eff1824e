import { TrinoError } from '../trino-error.ts';

/** Value of an interval literal. One of the two is 0. */
export interface IntervalValue {
  readonly months: number;
  readonly milliseconds: number;
}

/** Fields of an interval literal: `DAY TO SECOND`. */
export interface IntervalLiteral {
  readonly isNegative: boolean;
  readonly text: string;
  readonly from: string;
  /** Undefined: the literal has one field. */
  readonly to: string | undefined;
}

const MONTHS: Readonly<Record<string, number>> = { YEAR: 12, MONTH: 1 };
/** Fields of a day, the largest first. */
const FIELDS = ['DAY', 'HOUR', 'MINUTE', 'SECOND'];
const MILLISECONDS: Readonly<Record<string, number>> = {
  DAY: 86_400_000,
  HOUR: 3_600_000,
  MINUTE: 60_000,
  SECOND: 1_000,
};
const SINGLE = /^([+-]?)(\d{1,9})(?:\.(\d{1,9}))?$/;
const YEAR_TO_MONTH = /^([+-]?)(\d{1,9})-(\d{1,9})$/;

/** Reads an interval literal with Trino's meaning. Throws INVALID_LITERAL for a text that does not fit its fields. */
export function readInterval({ isNegative, ...literal }: IntervalLiteral): IntervalValue {
  const { months, milliseconds } = literal.to === undefined ? readSingle(literal) : readRange(literal);
  const sign = isNegative ? -1 : 1;
  return { months: sign * months, milliseconds: sign * milliseconds };
}

type UnsignedLiteral = Omit<IntervalLiteral, 'isNegative'>;

function readSingle(literal: UnsignedLiteral): IntervalValue {
  const [, sign, whole, fraction] = SINGLE.exec(literal.text) ?? [];
  const months = MONTHS[literal.from];
  const milliseconds = MILLISECONDS[literal.from];
  if (whole === undefined || (fraction !== undefined && literal.from !== 'SECOND')) throw invalid(literal);
  const factor = sign === '-' ? -1 : 1;
  if (months !== undefined) return { months: factor * Number(whole) * months, milliseconds: 0 };
  if (milliseconds === undefined) throw invalid(literal);
  const seconds = millisecondsOf(literal, fraction);
  return { months: 0, milliseconds: factor * (Number(whole) * milliseconds + seconds) };
}

function readRange(literal: UnsignedLiteral): IntervalValue {
  const { from, to = '', text } = literal;
  if (from === 'YEAR' && to === 'MONTH') {
    const [, sign, years, months] = YEAR_TO_MONTH.exec(text) ?? [];
    if (years === undefined) throw invalid(literal);
    return { months: (sign === '-' ? -1 : 1) * (Number(years) * 12 + Number(months)), milliseconds: 0 };
  }
  const fields = FIELDS.slice(FIELDS.indexOf(from), FIELDS.indexOf(to) + 1);
  if (!FIELDS.includes(from) || fields.length < 2) throw invalid(literal);
  const [, sign, digits = '', fraction] = /^([+-]?)(\d[\d :]*)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  const parts = digits.split(/[ :]/);
  const marks = [...digits.matchAll(/[ :]/g)].map(([mark]) => mark);
  const expected = fields.slice(1).map((field) => (field === 'HOUR' ? ' ' : ':'));
  const fits = parts.length === fields.length && marks.join() === expected.join();
  if (!fits || parts.some((part) => !/^\d{1,9}$/.test(part)) || (fraction !== undefined && to !== 'SECOND'))
    throw invalid(literal);
  const whole = parts.reduce((sum, part, index) => sum + Number(part) * (MILLISECONDS[fields[index] ?? ''] ?? 0), 0);
  return { months: 0, milliseconds: (sign === '-' ? -1 : 1) * (whole + millisecondsOf(literal, fraction)) };
}

/** Returns the milliseconds of a fraction of seconds. Trino's intervals have no smaller unit. */
function millisecondsOf(literal: UnsignedLiteral, fraction = ''): number {
  const digits = fraction.padEnd(3, '0');
  if (/[1-9]/.test(digits.slice(3))) throw invalid(literal);
  return Number(digits.slice(0, 3));
}

const invalid = ({ text, from, to }: UnsignedLiteral): TrinoError =>
  new TrinoError(
    'INVALID_LITERAL',
    `'${text}' is not a valid interval literal of ${from}${to === undefined ? '' : ` TO ${to}`}.`,
  );
