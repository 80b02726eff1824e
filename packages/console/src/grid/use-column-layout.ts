import { useCallback, useMemo, useState } from 'react';
import type { ResultColumn, ResultView } from '../result/result-view.ts';
import { layOutColumns } from './column-layout.ts';
import { fitColumns, resizeColumn } from './column-widths.ts';
import type { GridSizes } from './grid-sizes.ts';

/** Rows after which widths stay as they are, so that columns do not move while rows arrive. */
const FITTED_ROWS = 20;

/** Widths that the user has set for the columns of one result. */
interface Resized {
  readonly columns: readonly ResultColumn[];
  readonly widths: readonly number[];
}

/** Returns the layout of the columns of a view, and functions to change it. */
export function useColumnLayout(view: ResultView, { gutter, text }: GridSizes) {
  const { columns, keptRows, completeness } = view;
  const [resized, setResized] = useState<Resized>();
  const isSettled = keptRows >= FITTED_ROWS || (keptRows > 0 && completeness !== 'streaming');
  // biome-ignore lint/correctness/useExhaustiveDependencies: later rows of the same result do not change the widths
  const fitted = useMemo(() => fitColumns(view, text), [columns, isSettled, keptRows > 0, text]);
  const widths = resized?.columns === columns ? resized.widths : fitted;
  const layout = useMemo(() => layOutColumns(columns, widths, gutter), [columns, widths, gutter]);
  const setWidth = useCallback(
    (column: number, width: number) => setResized({ columns, widths: resizeColumn(widths, column, width) }),
    [columns, widths],
  );
  const fit = useCallback(
    (column: number) => setWidth(column, fitColumns(view, text)[column] ?? 0),
    [setWidth, view, text],
  );
  return { layout, widths, setWidth, fit };
}
