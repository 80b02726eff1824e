import { cellText } from '../result/cell-text.ts';

const VALUE_CHARACTERS = 40;

/** Returns a value as a short string, with signs for characters that are invisible. */
export function valueText(json: string): string {
  const cell = cellText(json, VALUE_CHARACTERS);
  if (cell.kind !== 'text') return cell.kind === 'null' ? 'NULL' : '""';
  const text = cell.parts.map((part) => part.text).join('');
  return cell.isShortened ? `${text}…` : text;
}
