import { fitLine } from '../terminal/display-width.ts';
import { formatTime } from '../times/format-time.ts';

interface SealedRecord {
  readonly timestamp: number;
  readonly user: string;
  readonly action: string;
  readonly target: string;
  readonly metadata: unknown;
}

/**
 * Returns a followed record as one line for people.
 * @param text - the record as a line of an export
 * @param columns - width of the terminal
 */
export function followLine(sequence: number, text: string, columns: number): string {
  const { timestamp, user, action, target, metadata } = JSON.parse(text) as SealedRecord;
  const parts = [sequence, formatTime(timestamp), user, action, target, JSON.stringify(metadata)];
  // The last column stays free: some terminals wrap when it is written.
  return `${fitLine(parts.join('  '), Math.max(1, columns - 1)).text}\n`;
}
