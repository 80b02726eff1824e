import type { ApiOperationTypes } from '@sluice/client';
import { visibleText } from '@sluice/contract/visible-text';
import { changeLines, type DiffStyle, objectLine } from '../output/diff.ts';

type Change = ApiOperationTypes['applyConfiguration']['result']['changes'][number];

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : { value };

const isSame = (before: unknown, after: unknown): boolean => JSON.stringify(before) === JSON.stringify(after);

/** Returns the lines that show a change: its object, and with `isFull` each member before and after. Nothing for an unchanged object. */
export function describeChange(change: Change, style: DiffStyle & { readonly isFull: boolean }): string[] {
  const { action, kind, name } = change;
  if (action === 'none') return [];
  const head = objectLine(action === 'create' ? '+' : '~', `${kind} ${name}`, style);
  if (!style.isFull) return [head];
  const before = change.before === null ? {} : membersOf(change.before);
  const after = membersOf(change.after);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const lines = names.flatMap((member) => {
    const [old, young] = [before[member], after[member]];
    if (isSame(old, young) || ((old ?? null) === null && (young ?? null) === null)) return [];
    return [`    ${visibleText(member)}`, ...changeLines(old, young, style).map((line) => `      ${line}`)];
  });
  return [head, ...lines];
}
