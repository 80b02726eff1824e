import { memo, type PointerEvent } from 'react';
import { visibleText } from '../result/cell-text.ts';
import type { ResultColumn } from '../result/result-view.ts';
import type { SortOrder } from '../result/row-order.ts';
import { VisibleText } from '../ui/visible-text.tsx';
import type { ColumnLayout } from './column-layout.ts';
import { cellId } from './grid-row.tsx';

interface GridHeaderProps {
  readonly columns: readonly ResultColumn[];
  readonly layout: ColumnLayout;
  readonly gridId: string;
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** Columns that are selected as a whole; the second one is exclusive. */
  readonly selectedFrom: number;
  readonly selectedTo: number;
  readonly activeColumn: number;
  readonly sort: SortOrder | undefined;
  /** Name of the column of row numbers. */
  readonly numberLabel: string;
  readonly onResize: (column: number, width: number) => void;
  /** Fits a column to its values. */
  readonly onFit: (column: number) => void;
}

/** Resizes a column while the pointer is down. */
function resizeWith(event: PointerEvent<HTMLElement>, width: number, onWidth: (width: number) => void): void {
  event.stopPropagation();
  const handle = event.currentTarget;
  const startX = event.clientX;
  handle.setPointerCapture(event.pointerId);
  const move = ({ clientX }: globalThis.PointerEvent) => onWidth(width + clientX - startX);
  handle.addEventListener('pointermove', move);
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true });
}

/** Names and types of the columns. It stays at the top while the rows scroll. */
export const GridHeader = memo(function Header(props: GridHeaderProps) {
  const { columns, layout, gridId, firstColumn, lastColumn, sort } = props;
  const cells = [];
  for (let column = firstColumn; column < lastColumn; column += 1) {
    const { name, type } = columns[column] as ResultColumn;
    const classes = ['grid-head-cell'];
    if (layout.isRight[column]) classes.push('is-right');
    if (column >= props.selectedFrom && column < props.selectedTo) classes.push('is-selected');
    if (column === props.activeColumn) classes.push('is-active');
    const direction = sort?.column === column ? sort.direction : undefined;
    const width = (layout.starts[column + 1] as number) - (layout.starts[column] as number);
    cells.push(
      <div
        key={column}
        id={cellId(gridId, -1, column)}
        role="columnheader"
        aria-colindex={column + 2}
        aria-sort={direction ?? 'none'}
        className={classes.join(' ')}
        style={layout.styles[column]}
        title={`${visibleText(name)}\n${type}`}
      >
        <span className="grid-head-name">
          <bdi>
            <VisibleText text={name} />
          </bdi>
          {direction === undefined ? null : (
            <span className="grid-head-sort" aria-hidden="true">
              {direction === 'ascending' ? '↑' : '↓'}
            </span>
          )}
        </span>
        <span className="grid-head-type">{type}</span>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Alt and an arrow do the same by keyboard */}
        <span
          className="grid-resize"
          onPointerDown={(event) => resizeWith(event, width, (next) => props.onResize(column, next))}
          onClick={(event) => event.stopPropagation()}
          onKeyDown={undefined}
          onDoubleClick={(event) => {
            event.stopPropagation();
            props.onFit(column);
          }}
        />
      </div>,
    );
  }
  return (
    <div role="row" aria-rowindex={1} className="grid-head-row">
      <div role="columnheader" aria-colindex={1} className="grid-corner">
        <span className="visually-hidden">{props.numberLabel}</span>
      </div>
      {cells}
    </div>
  );
});
