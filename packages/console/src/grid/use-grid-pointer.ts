import { type MouseEvent, type PointerEvent, type RefObject, useRef } from 'react';
import type { ColumnLayout } from './column-layout.ts';
import type { GridBounds, SelectionAction } from './grid-selection.ts';
import { columnAt } from './grid-window.ts';

interface PointerInput {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly layout: ColumnLayout;
  readonly headerHeight: number;
  readonly gutter: number;
  readonly bounds: GridBounds;
  /** Returns the row at a pixel of the viewport. */
  readonly rowAt: (y: number) => number;
  readonly apply: (action: SelectionAction) => void;
  readonly onSort: (column: number) => void;
  readonly onOpen: () => void;
}

/** Part of the grid under a pointer. */
interface PointerPosition {
  readonly row: number;
  readonly column: number;
  readonly isHeader: boolean;
  readonly isGutter: boolean;
}

function positionOf(event: MouseEvent, input: PointerInput): PointerPosition | undefined {
  const element = input.scroller.current;
  if (element === null) return undefined;
  const box = element.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left - element.clientLeft, event.clientY - box.top - element.clientTop];
  // The scroll bars.
  if (x > element.clientWidth || y > element.clientHeight) return undefined;
  return {
    row: input.rowAt(y),
    column: columnAt(input.layout.starts, x - input.gutter + element.scrollLeft),
    isHeader: y < input.headerHeight,
    isGutter: x < input.gutter,
  };
}

function actionOf(position: PointerPosition, event: MouseEvent): SelectionAction | undefined {
  const extend = event.shiftKey;
  if (position.isHeader && position.isGutter) return { type: 'selectAll' };
  if (position.isGutter) return { type: 'selectRow', row: position.row, extend };
  if (!position.isHeader) return { type: 'move', to: position, extend };
  // Without a key, a click on the header sorts.
  return extend || event.ctrlKey || event.metaKey
    ? { type: 'selectColumn', column: position.column, extend }
    : undefined;
}

/** Returns the listeners of the grid for mouse, pen and touch: select, extend by drag, sort, and open. */
export function useGridPointer(input: PointerInput) {
  const isDragging = useRef(false);
  const inside = ({ row, column }: PointerPosition) => row < input.bounds.rows && column < input.bounds.columns;
  return {
    onPointerDown: (event: PointerEvent) => {
      const position = positionOf(event, input);
      // A finger that scrolls must not select; its tap is a click.
      if (position === undefined || event.button !== 0 || event.pointerType === 'touch' || !inside(position)) return;
      const action = actionOf(position, event);
      isDragging.current = action !== undefined;
      if (action !== undefined) input.apply(action);
    },
    onPointerMove: (event: PointerEvent) => {
      // A drag that began elsewhere, such as one that resizes a column, selects nothing.
      if (event.buttons !== 1) isDragging.current = false;
      if (!isDragging.current) return;
      const position = positionOf(event, input);
      if (position === undefined || position.isHeader) return;
      input.apply(
        position.isGutter
          ? { type: 'selectRow', row: position.row, extend: true }
          : { type: 'move', to: position, extend: true },
      );
    },
    onClick: (event: MouseEvent) => {
      const position = positionOf(event, input);
      if (position === undefined || !inside(position)) return;
      if (position.isHeader && !position.isGutter && actionOf(position, event) === undefined)
        input.onSort(position.column);
      else if ((event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch') {
        const action = actionOf(position, event);
        if (action !== undefined) input.apply(action);
      }
    },
    onDoubleClick: (event: MouseEvent) => {
      const position = positionOf(event, input);
      if (position !== undefined && !position.isHeader && !position.isGutter && inside(position)) input.onOpen();
    },
  };
}
