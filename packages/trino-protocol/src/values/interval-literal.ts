import type { StatementReader } from '../statement/statement-reader.ts';
import type { IntervalLiteral } from './interval.ts';

const FIELDS = ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND'] as const;

/** Reads an interval literal, after its word INTERVAL. */
export function readIntervalLiteral(reader: StatementReader): IntervalLiteral {
  const isNegative = reader.takeMark('-');
  if (!isNegative) reader.takeMark('+');
  const text = reader.string();
  const from = readField(reader);
  const to = reader.take('TO') ? readField(reader) : undefined;
  return { isNegative, text, from, to };
}

function readField(reader: StatementReader): string {
  const field = FIELDS.find((name) => reader.take(name));
  if (field === undefined) throw reader.unexpected();
  return field;
}
