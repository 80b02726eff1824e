/**
 * Height of the scrolled element in pixels, at most. Chromium limits elements to 33,554,428 pixels and Firefox to 17,895,698; beyond
 * 8,388,608 the positions of composited layers (32-bit floats) lose half pixels.
 */
export const SCROLL_HEIGHT_MAX = 8_000_000;

/** Rows rendered beyond each edge of the viewport, so that a short scroll shows them before the next render. */
const OVERSCAN_ROWS = 6;

/**
 * Place in a result that may be higher than its element.
 * - `nativeTop` is the `scrollTop` of the element.
 * - `virtualTop` is the pixel of the result at the top of the viewport.
 *
 * Both move together while the user scrolls by wheel, touch or keys, so that a pixel is a pixel. A jump, as of the scroll bar, moves to
 * the same fraction of the result.
 */
export interface ScrollPosition {
  readonly nativeTop: number;
  readonly virtualTop: number;
}

/** Sizes in pixels. `headerHeight` is the part of the viewport that the sticky header covers. */
export interface ScrollSizes {
  readonly rows: number;
  readonly rowHeight: number;
  readonly viewportHeight: number;
  readonly headerHeight: number;
}

/** Rows `first` to `last` (exclusive). */
export interface IndexRange {
  readonly first: number;
  readonly last: number;
}

const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), Math.max(max, 0));
const bodyHeight = ({ viewportHeight, headerHeight }: ScrollSizes): number =>
  Math.max(0, viewportHeight - headerHeight);
const rowsHeight = ({ rows, rowHeight }: ScrollSizes): number => rows * rowHeight;

/** Height of the element that holds all rows. */
export const scrolledHeight = (sizes: ScrollSizes): number => Math.min(rowsHeight(sizes), SCROLL_HEIGHT_MAX);
const nativeMax = (sizes: ScrollSizes): number => Math.max(0, scrolledHeight(sizes) - bodyHeight(sizes));
const virtualMax = (sizes: ScrollSizes): number => Math.max(0, rowsHeight(sizes) - bodyHeight(sizes));

/** Returns the position of the scroll bar that stands for a position in the result. */
function nativeOf(virtualTop: number, sizes: ScrollSizes): number {
  const [native, virtual] = [nativeMax(sizes), virtualMax(sizes)];
  return virtual === native ? virtualTop : Math.round((virtualTop / virtual) * native);
}

/**
 * Returns the position after the browser has scrolled to `nativeTop`. Its `nativeTop` may differ: the element must then be scrolled there,
 * because one end was reached before the end of the result.
 */
export function scrollNatively(position: ScrollPosition, nativeTop: number, sizes: ScrollSizes): ScrollPosition {
  const [native, virtual] = [nativeMax(sizes), virtualMax(sizes)];
  if (native === virtual) return { nativeTop, virtualTop: clamp(nativeTop, virtual) };
  const delta = nativeTop - position.nativeTop;
  if (Math.abs(delta) > sizes.viewportHeight)
    return { nativeTop, virtualTop: clamp((nativeTop / native) * virtual, virtual) };
  const virtualTop = clamp(position.virtualTop + delta, virtual);
  const isStuck = (nativeTop <= 0 && virtualTop > 0) || (nativeTop >= native && virtualTop < virtual);
  const isBeyond = (virtualTop === 0 && nativeTop > 0) || (virtualTop === virtual && nativeTop < native);
  return isStuck || isBeyond ? scrollTo(virtualTop, sizes) : { nativeTop, virtualTop };
}

/** Returns the position at a pixel of the result, with the scroll bar where it stands for it. */
export function scrollTo(virtualTop: number, sizes: ScrollSizes): ScrollPosition {
  const [native, virtual] = [nativeMax(sizes), virtualMax(sizes)];
  const clamped = clamp(virtualTop, virtual);
  const top = nativeOf(clamped, sizes);
  // Within the range, one step of the wheel must still be possible in both directions.
  const isInside = native !== virtual && clamped > 0 && clamped < virtual;
  return { nativeTop: isInside ? Math.min(Math.max(top, 1), native - 1) : top, virtualTop: clamped };
}

/** Returns the nearest position at which a whole row is visible. */
export function scrollToRow(position: ScrollPosition, row: number, sizes: ScrollSizes): ScrollPosition {
  const top = row * sizes.rowHeight;
  const bottom = top + sizes.rowHeight - bodyHeight(sizes);
  if (top < position.virtualTop) return scrollTo(top, sizes);
  return bottom > position.virtualTop ? scrollTo(bottom, sizes) : position;
}

/** Returns the rows that are visible, also in part, at a position. */
export function visibleRows(position: ScrollPosition, sizes: ScrollSizes): IndexRange {
  const first = Math.floor(position.virtualTop / sizes.rowHeight);
  const last = Math.ceil((position.virtualTop + bodyHeight(sizes)) / sizes.rowHeight);
  return { first: Math.max(0, Math.min(first, sizes.rows)), last: Math.min(sizes.rows, Math.max(last, 0)) };
}

/** Returns rows with those that a short scroll shows next. */
export const withOverscan = ({ first, last }: IndexRange, { rows }: ScrollSizes): IndexRange => ({
  first: Math.max(0, first - OVERSCAN_ROWS),
  last: Math.min(rows, last + OVERSCAN_ROWS),
});

/** Returns the number of rows that are rendered at most, at any position. */
export const slotCount = (sizes: ScrollSizes): number =>
  Math.ceil(bodyHeight(sizes) / sizes.rowHeight) + 1 + 2 * OVERSCAN_ROWS;

/** Returns the rows that a page up or down moves by. */
export const rowsPerPage = (sizes: ScrollSizes): number =>
  Math.max(1, Math.floor(bodyHeight(sizes) / sizes.rowHeight) - 1);

/** Returns the columns to render, with one more on each side. `starts` has the left edge of each column, and the right one of the last. */
export function visibleColumns(starts: Float64Array, left: number, width: number): IndexRange {
  const count = starts.length - 1;
  const first = columnAt(starts, left);
  const last = columnAt(starts, left + width) + 1;
  return { first: Math.max(0, first - 1), last: Math.min(count, last + 1) };
}

/** Returns the column at a pixel: the first or last one beyond the edges. */
export function columnAt(starts: Float64Array, pixel: number): number {
  let low = 0;
  let high = Math.max(0, starts.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] as number) <= pixel) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the nearest `scrollLeft` at which a whole column is visible. */
export function scrollToColumn(starts: Float64Array, column: number, left: number, width: number): number {
  const [start, end] = [starts[column] ?? 0, starts[column + 1] ?? 0];
  if (start < left) return start;
  return end > left + width ? Math.min(start, end - width) : left;
}
