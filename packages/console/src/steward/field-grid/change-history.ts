import type { EnteredValue } from '../metadata-edit.ts';

/** Values before and after one act, such as a paste. */
interface HistoryStep {
  readonly before: readonly EnteredValue[];
  readonly after: readonly EnteredValue[];
}

/** Acts on a grid that can be undone, and those that were undone and can be done again. */
export interface ChangeHistory {
  readonly done: readonly HistoryStep[];
  readonly undone: readonly HistoryStep[];
}

export const NO_HISTORY: ChangeHistory = { done: [], undone: [] };

/** Steps that are kept. A pasted column is one step. */
const STEPS_MAX = 200;

/** Returns the history after a new act. What was undone before cannot be done again. */
export const withStep = (
  { done }: ChangeHistory,
  before: readonly EnteredValue[],
  after: readonly EnteredValue[],
): ChangeHistory => ({ done: [...done.slice(-(STEPS_MAX - 1)), { before, after }], undone: [] });

interface Travelled {
  readonly history: ChangeHistory;
  readonly changes: readonly EnteredValue[];
}

/** Returns the values before the last act, and the history without it. Undefined: there is none. */
export function undoStep({ done, undone }: ChangeHistory): Travelled | undefined {
  const step = done.at(-1);
  return step && { history: { done: done.slice(0, -1), undone: [...undone, step] }, changes: step.before };
}

/** Returns the values after the last act that was undone. Undefined: there is none. */
export function redoStep({ done, undone }: ChangeHistory): Travelled | undefined {
  const step = undone.at(-1);
  return step && { history: { done: [...done, step], undone: undone.slice(0, -1) }, changes: step.after };
}
