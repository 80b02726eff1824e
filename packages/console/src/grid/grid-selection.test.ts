import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cellCount, NO_SELECTION, reduceSelection, type SelectionAction, selectedRange } from './grid-selection.ts';

const BOUNDS = { rows: 10, columns: 4 };
const position = fc.record({ row: fc.integer({ min: -5, max: 20 }), column: fc.integer({ min: -5, max: 20 }) });
const action: fc.Arbitrary<SelectionAction> = fc.oneof(
  fc.record({ type: fc.constant('move' as const), to: position, extend: fc.boolean() }),
  fc.record({ type: fc.constant('selectRow' as const), row: fc.integer({ min: -3, max: 12 }), extend: fc.boolean() }),
  fc.record({
    type: fc.constant('selectColumn' as const),
    column: fc.integer({ min: -3, max: 12 }),
    extend: fc.boolean(),
  }),
  fc.constant<SelectionAction>({ type: 'selectAll' }),
);
const after = (actions: readonly SelectionAction[], bounds = BOUNDS) =>
  actions.reduce((selection, each) => reduceSelection(selection, each, bounds), NO_SELECTION);
const rangeAfter = (...actions: SelectionAction[]) => selectedRange(after(actions), BOUNDS);

describe('the selection', () => {
  it('is always inside of the result', () => {
    const bounds = fc.record({ rows: fc.nat({ max: 10 }), columns: fc.nat({ max: 5 }) });
    fc.assert(
      fc.property(fc.array(action), bounds, (actions, limits) => {
        const selection = after(actions, limits);
        const range = selectedRange(selection, limits);
        expect(selection.active.row).toBeLessThan(Math.max(1, limits.rows));
        expect(range.firstRow).toBeGreaterThanOrEqual(0);
        expect(range.lastRow).toBeLessThanOrEqual(limits.rows);
        expect(range.firstColumn).toBeGreaterThanOrEqual(0);
        expect(range.lastColumn).toBeLessThanOrEqual(limits.columns);
        expect(cellCount(range)).toBeLessThanOrEqual(limits.rows * limits.columns);
      }),
    );
  });

  it('is one cell after a move, and a rectangle after one that extends', () => {
    const start: SelectionAction = { type: 'move', to: { row: 5, column: 2 }, extend: false };
    expect(cellCount(rangeAfter(start))).toBe(1);
    expect(rangeAfter(start, { type: 'move', to: { row: 3, column: 3 }, extend: true })).toEqual({
      firstRow: 3,
      lastRow: 6,
      firstColumn: 2,
      lastColumn: 4,
    });
  });

  it('covers whole rows, whole columns, or everything', () => {
    expect(
      cellCount(rangeAfter({ type: 'selectRow', row: 2, extend: false }, { type: 'selectRow', row: 4, extend: true })),
    ).toBe(12);
    expect(cellCount(rangeAfter({ type: 'selectColumn', column: 1, extend: false }))).toBe(10);
    expect(cellCount(rangeAfter({ type: 'selectAll' }))).toBe(40);
  });

  it('has no cells in the header', () => {
    expect(cellCount(rangeAfter({ type: 'move', to: { row: -1, column: 2 }, extend: false }))).toBe(0);
  });
});
