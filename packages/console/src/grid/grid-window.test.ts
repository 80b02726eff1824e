import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  columnAt,
  SCROLL_HEIGHT_MAX,
  type ScrollPosition,
  type ScrollSizes,
  scrolledHeight,
  scrollNatively,
  scrollTo,
  scrollToColumn,
  scrollToRow,
  slotCount,
  visibleColumns,
  visibleRows,
  withOverscan,
} from './grid-window.ts';

const sizesOf = (rows: number): ScrollSizes => ({ rows, rowHeight: 26, viewportHeight: 700, headerHeight: 40 });
const rows = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 50_000_000 }));
const TOP: ScrollPosition = { nativeTop: 0, virtualTop: 0 };
const nativeMax = (sizes: ScrollSizes) =>
  Math.max(0, scrolledHeight(sizes) - sizes.viewportHeight + sizes.headerHeight);
const virtualMax = (sizes: ScrollSizes) =>
  Math.max(0, sizes.rows * sizes.rowHeight - sizes.viewportHeight + sizes.headerHeight);

/** Scrolls by a number of pixels as a browser does, which clamps `scrollTop`. */
const wheel = (position: ScrollPosition, delta: number, sizes: ScrollSizes) =>
  scrollNatively(position, Math.min(Math.max(position.nativeTop + delta, 0), nativeMax(sizes)), sizes);

/** Returns the pixel of the scrolled element at which a row begins, as the grid draws it. */
const rowTop = (position: ScrollPosition, row: number, sizes: ScrollSizes) =>
  row * sizes.rowHeight - position.virtualTop + position.nativeTop;

describe('the window of rows', () => {
  it('never needs an element higher than the limit', () => {
    expect(scrolledHeight(sizesOf(1_000_000_000))).toBe(SCROLL_HEIGHT_MAX);
    expect(scrolledHeight(sizesOf(100))).toBe(2600);
  });

  it('shows any row after a jump to it, whole and within the viewport', () => {
    fc.assert(
      fc.property(rows, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (count, fraction, at) => {
        fc.pre(count > 0);
        const sizes = sizesOf(count);
        const row = Math.min(count - 1, Math.floor(fraction * count));
        const position = scrollToRow(scrollTo(at, sizes), row, sizes);
        const { first, last } = withOverscan(visibleRows(position, sizes), sizes);
        expect(row).toBeGreaterThanOrEqual(first);
        expect(row).toBeLessThan(last);
        const top = rowTop(position, row, sizes) - position.nativeTop;
        expect(top).toBeGreaterThanOrEqual(0);
        expect(top + sizes.rowHeight).toBeLessThanOrEqual(sizes.viewportHeight - sizes.headerHeight);
      }),
    );
  });

  it('reaches every row by the scroll bar and the wheel', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 400_000, max: 50_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (count, fraction) => {
          const sizes = sizesOf(count);
          const row = Math.min(count - 1, Math.floor(fraction * count));
          // The scroll bar reaches the neighbourhood: a pixel of it is at most this far.
          const native = Math.round(
            (Math.min(row * sizes.rowHeight, virtualMax(sizes)) / virtualMax(sizes)) * nativeMax(sizes),
          );
          let position = scrollNatively(TOP, native, sizes);
          for (let turn = 0; turn < 100; turn += 1) {
            const { first, last } = withOverscan(visibleRows(position, sizes), sizes);
            if (first <= row && row < last) return;
            position = wheel(position, row < first ? -100 : 100, sizes);
          }
          throw new Error(`Row ${row} of ${count} was not reached.`);
        },
      ),
    );
  });

  it('moves by a pixel for each pixel of the wheel, however large the result', () => {
    fc.assert(
      fc.property(rows, fc.nat(), fc.integer({ min: -120, max: 120 }), (count, at, delta) => {
        const sizes = sizesOf(count);
        const position = scrollTo(at, sizes);
        const moved = wheel(position, delta, sizes);
        const expected = Math.min(Math.max(position.virtualTop + delta, 0), virtualMax(sizes));
        // One pixel is lost at most where the scroll bar must leave its end.
        const isNearEnd = position.nativeTop < 130 || nativeMax(sizes) - position.nativeTop < 130;
        if (!isNearEnd) expect(moved.virtualTop).toBe(expected);
        expect(Math.abs(moved.virtualTop - position.virtualTop)).toBeLessThanOrEqual(Math.abs(delta));
      }),
    );
  });

  it('reaches both ends with the wheel alone from anywhere near them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 400_000, max: 50_000_000 }),
        fc.integer({ min: 0, max: 3000 }),
        (count, distance) => {
          const sizes = sizesOf(count);
          let up = scrollTo(distance, sizes);
          let down = scrollTo(virtualMax(sizes) - distance, sizes);
          for (let turn = 0; turn < 2 * distance + 5; turn += 1) {
            up = wheel(up, -100, sizes);
            down = wheel(down, 100, sizes);
          }
          expect(up).toEqual(TOP);
          expect(down).toEqual({ nativeTop: nativeMax(sizes), virtualTop: virtualMax(sizes) });
        },
      ),
      { numRuns: 30 },
    );
  });

  it('renders no row twice and none outside of the result', () => {
    fc.assert(
      fc.property(rows, fc.nat(), (count, at) => {
        const sizes = sizesOf(count);
        const { first, last } = withOverscan(visibleRows(scrollTo(at, sizes), sizes), sizes);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(last).toBeLessThanOrEqual(count);
        expect(last - first).toBeLessThanOrEqual(slotCount(sizes));
      }),
    );
  });

  it('keeps rows where they are while the user scrolls, so that the browser moves them by itself', () => {
    const sizes = sizesOf(5_000_000);
    const position = scrollTo(60_000_000, sizes);
    const moved = wheel(position, 75, sizes);
    expect(rowTop(moved, 2_307_700, sizes)).toBe(rowTop(position, 2_307_700, sizes));
  });
});

describe('the window of columns', () => {
  const starts = (widths: readonly number[]) => {
    const sums = new Float64Array(widths.length + 1);
    for (const [index, width] of widths.entries()) sums[index + 1] = (sums[index] as number) + width;
    return sums;
  };
  const widths = fc.array(fc.integer({ min: 40, max: 500 }), { minLength: 1, maxLength: 200 });

  it('contains every column that is visible', () => {
    fc.assert(
      fc.property(widths, fc.nat({ max: 20_000 }), fc.integer({ min: 100, max: 2000 }), (each, left, width) => {
        const edges = starts(each);
        const { first, last } = visibleColumns(edges, left, width);
        for (let column = 0; column < each.length; column += 1) {
          const isVisible = (edges[column + 1] as number) > left && (edges[column] as number) < left + width;
          if (isVisible) expect(column >= first && column < last).toBe(true);
        }
      }),
    );
  });

  it('finds the column of a pixel', () => {
    const edges = starts([100, 50, 200]);
    expect([0, 99, 100, 149, 150, 349, 350, 9999].map((pixel) => columnAt(edges, pixel))).toEqual([
      0, 0, 1, 1, 2, 2, 2, 2,
    ]);
  });

  it('scrolls no further than needed to show a column', () => {
    const edges = starts([100, 50, 200, 100]);
    expect(scrollToColumn(edges, 2, 0, 200)).toBe(150);
    expect(scrollToColumn(edges, 0, 120, 200)).toBe(0);
    expect(scrollToColumn(edges, 1, 50, 200)).toBe(50);
    expect(scrollToColumn(edges, 2, 0, 100)).toBe(150);
  });
});
