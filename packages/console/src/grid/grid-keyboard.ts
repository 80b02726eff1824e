import type { CellPosition, GridBounds, SelectionAction } from './grid-selection.ts';

/** Keys of an event, as the DOM names them. */
export interface GridKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Effect of a key on the grid. */
export type GridCommand =
  | { readonly type: 'select'; readonly action: SelectionAction }
  | { readonly type: 'copy' }
  /** Shows the whole value of the active cell. */
  | { readonly type: 'open' }
  | { readonly type: 'sort' }
  | { readonly type: 'resize'; readonly by: number };

interface GridContext {
  readonly active: CellPosition;
  readonly bounds: GridBounds;
  /** Rows that a page key moves by. */
  readonly page: number;
}

/** Pixels by which Alt and an arrow change the width of the column. */
const RESIZE_STEP = 16;

type Move = (context: GridContext, isControl: boolean) => CellPosition;

/** Keys of a grid (ARIA Authoring Practices, "Grid pattern"). */
const MOVES: Readonly<Record<string, Move>> = {
  ArrowUp: ({ active }, isControl) => ({ ...active, row: isControl ? 0 : active.row - 1 }),
  ArrowDown: ({ active, bounds }, isControl) => ({ ...active, row: isControl ? bounds.rows - 1 : active.row + 1 }),
  ArrowLeft: ({ active }, isControl) => ({ ...active, column: isControl ? 0 : active.column - 1 }),
  ArrowRight: ({ active, bounds }, isControl) => ({
    ...active,
    column: isControl ? bounds.columns - 1 : active.column + 1,
  }),
  Home: ({ active }, isControl) => ({ row: isControl ? 0 : active.row, column: 0 }),
  End: ({ active, bounds }, isControl) => ({
    row: isControl ? bounds.rows - 1 : active.row,
    column: bounds.columns - 1,
  }),
  PageUp: ({ active, page }) => ({ ...active, row: Math.max(0, active.row - page) }),
  PageDown: ({ active, page }) => ({ ...active, row: active.row + page }),
};

/** Returns what a key does in the grid, or undefined if it is left to the browser and the page. */
export function commandOf(key: GridKey, context: GridContext): GridCommand | undefined {
  const isControl = key.ctrlKey || key.metaKey;
  if (key.altKey) return resizeOf(key);
  const move = Object.hasOwn(MOVES, key.key) ? MOVES[key.key] : undefined;
  if (move !== undefined)
    return { type: 'select', action: { type: 'move', to: move(context, isControl), extend: key.shiftKey } };
  if (isControl) return withControl(key);
  if (key.key === ' ' && key.shiftKey)
    return { type: 'select', action: { type: 'selectRow', row: Math.max(0, context.active.row), extend: false } };
  if (key.key === 'Enter' || key.key === 'F2' || key.key === ' ')
    return { type: context.active.row === -1 ? 'sort' : 'open' };
  return undefined;
}

function withControl(key: GridKey): GridCommand | undefined {
  const name = key.key.toLowerCase();
  if (name === 'a') return { type: 'select', action: { type: 'selectAll' } };
  if (name === 'c' && !key.shiftKey) return { type: 'copy' };
  return undefined;
}

function resizeOf({ key }: GridKey): GridCommand | undefined {
  if (key === 'ArrowLeft') return { type: 'resize', by: -RESIZE_STEP };
  return key === 'ArrowRight' ? { type: 'resize', by: RESIZE_STEP } : undefined;
}
