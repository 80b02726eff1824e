/** A column is cut to no less than this, so that a cell still says something. */
const CUT_WIDTH_MIN = 12;

export interface ColumnWidths {
  /** Width of each column that is shown, from the left. */
  readonly widths: readonly number[];
  /** Number of columns at the right that are left out because they do not fit. */
  readonly hidden: number;
}

const total = (widths: readonly number[], gap: number): number =>
  widths.reduce((sum, width) => sum + width, gap * Math.max(0, widths.length - 1));

/** Cuts the widest columns to one width, the largest that fits. Columns that stay whole keep their width. */
function shrink(natural: readonly number[], gap: number, available: number, whole: readonly boolean[]) {
  const capped = (cap: number): number[] =>
    natural.map((width, index) => (whole[index] === true ? width : Math.min(width, cap)));
  let [fits, tooWide] = [1, Math.max(...natural, 1) + 1];
  while (tooWide - fits > 1) {
    const middle = Math.floor((fits + tooWide) / 2);
    if (total(capped(middle), gap) <= available) fits = middle;
    else tooWide = middle;
  }
  let spare = available - total(capped(fits), gap);
  return natural.map((width, index) => {
    if (whole[index] === true || width <= fits) return width;
    if (spare <= 0) return fits;
    spare -= 1;
    return fits + 1;
  });
}

/**
 * Returns whether columns fit when each is cut to the least width that is allowed.
 * @param whole - columns that are never cut, by index
 */
export const canFit = (
  natural: readonly number[],
  gap: number,
  available: number,
  whole: readonly boolean[] = [],
): boolean =>
  total(
    natural.map((width, index) => (whole[index] === true ? width : Math.min(width, CUT_WIDTH_MIN))),
    gap,
  ) <= available;

/**
 * Fits columns into a line: first by cutting the widest ones, then by leaving out columns at the right.
 * @param natural - widths that show every cell whole
 * @param gap - columns between two columns
 * @param available - columns of the line
 * @param whole - columns that are never cut, by index, unless one alone is wider than the line
 */
export function fitColumns(
  natural: readonly number[],
  gap: number,
  available: number,
  whole: readonly boolean[] = [],
): ColumnWidths {
  if (total(natural, gap) <= available) return { widths: natural, hidden: 0 };
  if (canFit(natural, gap, available, whole)) return { widths: shrink(natural, gap, available, whole), hidden: 0 };
  // One column is kept for the mark of those that are left out.
  const room = available - gap - 1;
  let shown = natural.length - 1;
  while (shown > 1 && !canFit(natural.slice(0, shown), gap, room, whole)) shown -= 1;
  const kept = natural.slice(0, shown);
  const widths = shrink(kept, gap, Math.max(room, 1), canFit(kept, gap, room, whole) ? whole : []);
  return { widths, hidden: natural.length - shown };
}
