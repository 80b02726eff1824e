import { type CellPosition, GRID_COLUMNS } from './grid-cells.ts';

/** Keys of an event, as the DOM names them. */
interface GridKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Effect of a key on the grid. */
export type GridCommand =
  | { readonly type: 'move'; readonly to: CellPosition; readonly isExtending: boolean }
  /** Opens the field in the active cell. `text` replaces its value; undefined: the value as it is. */
  | { readonly type: 'edit'; readonly text?: string }
  | { readonly type: 'fill' | 'undo' | 'redo' | 'clear' };

interface KeyContext {
  readonly active: CellPosition;
  /** Number of shown fields. */
  readonly rows: number;
  /** Rows that a page key moves by. */
  readonly page: number;
}

type Move = (context: KeyContext, isControl: boolean) => CellPosition;

/** Keys of a grid (ARIA Authoring Practices, "Grid pattern"). */
const MOVES: Readonly<Record<string, Move>> = {
  ArrowUp: ({ active }, isControl) => ({ ...active, row: isControl ? 0 : active.row - 1 }),
  ArrowDown: ({ active, rows }, isControl) => ({ ...active, row: isControl ? rows - 1 : active.row + 1 }),
  ArrowLeft: ({ active }) => ({ ...active, column: active.column - 1 }),
  ArrowRight: ({ active }) => ({ ...active, column: active.column + 1 }),
  Home: ({ active }, isControl) => ({ row: isControl ? 0 : active.row, column: 0 }),
  End: ({ active, rows }, isControl) => ({ row: isControl ? rows - 1 : active.row, column: GRID_COLUMNS.length - 1 }),
  PageUp: ({ active, page }) => ({ ...active, row: active.row - page }),
  PageDown: ({ active, page }) => ({ ...active, row: active.row + page }),
};

const clamp = (value: number, max: number): number => Math.max(0, Math.min(value, max));

const WITH_CONTROL: Readonly<Record<string, 'fill' | 'undo' | 'redo'>> = { d: 'fill', z: 'undo', y: 'redo' };

/** Returns what a key does in the grid, or undefined if it is left to the browser and the page. */
export function commandOf(key: GridKey, context: KeyContext): GridCommand | undefined {
  if (key.altKey) return undefined;
  const isControl = key.ctrlKey || key.metaKey;
  const move = Object.hasOwn(MOVES, key.key) ? MOVES[key.key] : undefined;
  if (move !== undefined) {
    const { row, column } = move(context, isControl);
    const to = { row: clamp(row, context.rows - 1), column: clamp(column, GRID_COLUMNS.length - 1) };
    return { type: 'move', to, isExtending: key.shiftKey };
  }
  if (isControl) {
    const name = key.key.toLowerCase();
    if (name === 'z' && key.shiftKey) return { type: 'redo' };
    const type = Object.hasOwn(WITH_CONTROL, name) ? WITH_CONTROL[name] : undefined;
    return type === undefined || key.shiftKey ? undefined : { type };
  }
  if (key.key === 'Enter' || key.key === 'F2') return { type: 'edit' };
  if (key.key === 'Delete' || key.key === 'Backspace') return { type: 'clear' };
  // A single character begins a new text. Names of other keys are longer.
  return [...key.key].length === 1 ? { type: 'edit', text: key.key } : undefined;
}
