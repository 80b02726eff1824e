import type { MouseEvent, PointerEvent, RefObject } from 'react';
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
interface PointerPlace {
  readonly row: number;
  readonly column: number;
  readonly isHeader: boolean;
  readonly isGutter: boolean;
}

function placeOf(event: MouseEvent, input: PointerInput): PointerPlace | undefined {
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

function actionOf(place: PointerPlace, event: MouseEvent): SelectionAction | undefined {
  const extend = event.shiftKey;
  if (place.isHeader && place.isGutter) return { type: 'selectAll' };
  if (place.isGutter) return { type: 'selectRow', row: place.row, extend };
  if (!place.isHeader) return { type: 'move', to: place, extend };
  // Without a key, a click on the header sorts.
  return extend || event.ctrlKey || event.metaKey ? { type: 'selectColumn', column: place.column, extend } : undefined;
}

/** Returns the listeners of the grid for mouse, pen and touch: select, extend by drag, sort, and open. */
export function useGridPointer(input: PointerInput) {
  const inside = ({ row, column }: PointerPlace) => row < input.bounds.rows && column < input.bounds.columns;
  return {
    onPointerDown: (event: PointerEvent) => {
      const place = placeOf(event, input);
      // A finger that scrolls must not select; its tap is a click.
      if (place === undefined || event.button !== 0 || event.pointerType === 'touch' || !inside(place)) return;
      const action = actionOf(place, event);
      if (action !== undefined) input.apply(action);
    },
    onPointerMove: (event: PointerEvent) => {
      if (event.buttons !== 1 || event.pointerType === 'touch') return;
      const place = placeOf(event, input);
      if (place === undefined || place.isHeader) return;
      input.apply(
        place.isGutter
          ? { type: 'selectRow', row: place.row, extend: true }
          : { type: 'move', to: place, extend: true },
      );
    },
    onClick: (event: MouseEvent) => {
      const place = placeOf(event, input);
      if (place === undefined || !inside(place)) return;
      if (place.isHeader && !place.isGutter && actionOf(place, event) === undefined) input.onSort(place.column);
      else if ((event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch') {
        const action = actionOf(place, event);
        if (action !== undefined) input.apply(action);
      }
    },
    onDoubleClick: (event: MouseEvent) => {
      const place = placeOf(event, input);
      if (place !== undefined && !place.isHeader && !place.isGutter && inside(place)) input.onOpen();
    },
  };
}
