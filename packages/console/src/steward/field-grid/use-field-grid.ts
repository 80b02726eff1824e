import { useRef, useState } from 'react';
import type { EditableValue, EnteredValue } from '../metadata-edit.ts';
import type { MetadataEdit } from '../use-metadata-edit.ts';
import { NO_HISTORY, redoStep, undoStep, withStep } from './change-history.ts';
import {
  type CellPosition,
  type CellRange,
  clearCells,
  fillDown,
  GRID_COLUMNS,
  keyOfCell,
  type PasteResult,
  pasteCells,
  rangeOf,
  textsOf,
  valueOfText,
} from './grid-cells.ts';
import { readPastedCells, writePastedCells } from './pasted-cells.ts';

/** Reason that a paste does not fit. */
export type RejectedPaste = Exclude<PasteResult, { kind: 'changes' }>;

/** Cells of a paste that does not fit, until the user decides about it. */
interface PendingPaste {
  readonly cells: readonly (readonly string[])[];
  readonly range: CellRange;
  readonly rejected: RejectedPaste;
}

/** Field that is open in the active cell. */
interface OpenCell {
  /** Text that the field begins with. Undefined: the value of the cell. */
  readonly text: string | undefined;
  /** Value when the field was opened. */
  readonly before: EditableValue;
}

/** State of a grid of descriptions, and the actions of the user on it. */
export interface FieldGridState {
  readonly active: CellPosition;
  readonly range: CellRange;
  readonly open: OpenCell | undefined;
  readonly rejected: RejectedPaste | undefined;
  /** Makes a cell the active one. Extending keeps the other corner of the selection. */
  moveTo(to: CellPosition, isExtending?: boolean): void;
  openCell(text?: string): void;
  /** Changes the value of the open cell while the user types. */
  type(text: string): void;
  /** Closes the open cell, and keeps what was typed unless `isCancelled`. */
  closeCell(isCancelled?: boolean): void;
  /** Returns the number of changed cells; 0 if the text does not fit. */
  paste(text: string): number;
  /** Returns the selected cells for the clipboard. */
  copy(): string;
  fill(): void;
  clear(): void;
  undo(): void;
  redo(): void;
  /** Pastes the rows that fit of a paste that is too long. */
  pasteFirst(): void;
  dismiss(): void;
}

const widthOf = (cells: PendingPaste['cells']): number =>
  cells.reduce((widest, row) => Math.max(widest, row.length), 0);

/**
 * Holds the selection and the history of a grid.
 * @param fields - names of the shown fields, in their order
 */
export function useFieldGrid(edit: MetadataEdit, fields: readonly string[]): FieldGridState {
  const [corners, setCorners] = useState({ active: { row: 0, column: 0 }, anchor: { row: 0, column: 0 } });
  const [open, setOpen] = useState<OpenCell>();
  const [pending, setPending] = useState<PendingPaste>();
  const [history, setHistory] = useState(NO_HISTORY);
  // Values as of the last key: a state is one render old when the next key follows within a frame.
  const typed = useRef<EnteredValue>(undefined);
  // What was saved is no longer undone here: the history of changes can revert it.
  const [savedBy, setSavedBy] = useState(edit.savedBy);
  if (savedBy !== edit.savedBy) {
    setSavedBy(edit.savedBy);
    setHistory(NO_HISTORY);
  }
  const last = Math.max(0, fields.length - 1);
  const within = ({ row, column }: CellPosition): CellPosition => ({ row: Math.min(row, last), column });
  const [active, anchor] = [within(corners.active), within(corners.anchor)];
  const range = rangeOf(active, anchor);

  const apply = (changes: readonly EnteredValue[]): void => {
    setPending(undefined);
    if (changes.length === 0) return;
    const before = changes.map(({ key }) => ({ key, mine: edit.editedValue(key) }));
    setHistory(withStep(history, before, changes));
    edit.changeAll(changes);
  };
  const travel = (step: ReturnType<typeof undoStep>): void => {
    setPending(undefined);
    if (step === undefined) return;
    setHistory(step.history);
    edit.changeAll(step.changes);
  };
  /** Applies pasted cells and selects them. Returns the number of changed cells. */
  const accept = (result: PasteResult, { top, left }: CellRange, cells: PendingPaste['cells']): number => {
    if (result.kind !== 'changes') return 0;
    apply(result.changes);
    // A single cell fills the selection, which stays as it is.
    if (cells.length > 1 || widthOf(cells) > 1)
      setCorners({
        active: { row: top, column: left },
        anchor: {
          row: Math.max(top, Math.min(top + cells.length - 1, last)),
          column: Math.min(left + widthOf(cells) - 1, GRID_COLUMNS.length - 1),
        },
      });
    return result.changes.length;
  };

  const type = (text: string): void => {
    const mine = valueOfText(GRID_COLUMNS[active.column] ?? 'description', text);
    typed.current = { key: keyOfCell(fields, active), mine };
    edit.change(typed.current.key, mine);
  };

  return {
    ...{ active, range, open },
    rejected: pending?.rejected,
    moveTo: (to, isExtending = false) => setCorners({ active: to, anchor: isExtending ? anchor : to }),
    openCell(text) {
      typed.current = undefined;
      setOpen({ text, before: edit.editedValue(keyOfCell(fields, active)) });
      setCorners({ active, anchor: active });
      if (text !== undefined) type(text);
    },
    type,
    closeCell(isCancelled = false) {
      const entered = typed.current;
      typed.current = undefined;
      setOpen(undefined);
      if (open === undefined || entered === undefined) return;
      const before = { key: entered.key, mine: open.before };
      if (isCancelled) edit.change(before.key, before.mine);
      else if (JSON.stringify(before) !== JSON.stringify(entered)) setHistory(withStep(history, [before], [entered]));
    },
    paste(text) {
      const cells = readPastedCells(text);
      if (cells.length === 0) return 0;
      const result = pasteCells(fields, range, cells);
      if (result.kind !== 'changes') setPending({ cells, range, rejected: result });
      return accept(result, range, cells);
    },
    copy: () => writePastedCells(textsOf(fields, range, edit.editedValue)),
    fill: () => apply(fillDown(fields, range, edit.editedValue)),
    clear: () => apply(clearCells(fields, range)),
    undo: () => travel(undoStep(history)),
    redo: () => travel(redoStep(history)),
    pasteFirst() {
      if (pending?.rejected.kind !== 'too long') return;
      accept(pasteCells(fields, pending.range, pending.cells, pending.rejected.fit), pending.range, pending.cells);
    },
    dismiss: () => setPending(undefined),
  };
}
