import type { CSSProperties, ReactNode } from 'react';
import { VisibleText } from '../../ui/visible-text.tsx';
import type { EditableValue } from '../metadata-edit.ts';
import { type CellPosition, GRID_COLUMNS, type GridColumn } from './grid-cells.ts';
import './field-grid.css';

/** A cell has one line, and a description may be 100,000 characters long. */
const CELL_CHARACTERS = 200;

/** Field of a row: a column of a table or datamap. */
export interface GridField {
  readonly name: string;
  readonly type: string;
}

/** Content and state of a cell. */
export interface ShownCell {
  readonly value: EditableValue;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isChanged: boolean;
  /** Field over the cell while the user changes it. */
  readonly editor: ReactNode;
}

interface GridRowProps {
  readonly field: GridField;
  readonly row: number;
  readonly top: number;
  /** Id of a cell, by which the grid names the active one. */
  readonly idOf: (cell: CellPosition) => string;
  /** Values from the data. Undefined: they are not loaded. */
  readonly sample: string | undefined;
  readonly hasSamples: boolean;
  readonly cellOf: (column: GridColumn, position: CellPosition) => ShownCell;
  readonly onPress: (cell: CellPosition, isExtending: boolean) => void;
  readonly onDrag: (cell: CellPosition) => void;
  /** Called for a click on the cell that was active before it. */
  readonly onOpen: (cell: CellPosition) => void;
}

const oneLine = (text: string): string => text.slice(0, CELL_CHARACTERS).replaceAll(/\s+/g, ' ');
const shownText = (value: EditableValue): string => oneLine(typeof value === 'string' ? value : value.join(', '));

/** A column of the object with its description and tags. */
export function GridRow(props: GridRowProps) {
  const { field, row, top, idOf, sample, hasSamples, cellOf, onPress, onDrag, onOpen } = props;
  const style: CSSProperties = { insetBlockStart: top };
  const first = hasSamples ? 3 : 2;
  return (
    <div role="row" aria-rowindex={row + 2} className="field-grid__row" style={style}>
      <div role="rowheader" aria-colindex={1} className="field-grid__cell field-grid__cell--name">
        <code className="field-grid__name">
          <VisibleText text={field.name} />
        </code>
        <code className="field-grid__type">
          <VisibleText text={field.type} />
        </code>
      </div>
      {hasSamples && (
        <div role="gridcell" aria-colindex={2} className="field-grid__cell field-grid__cell--sample">
          {sample !== undefined && <VisibleText text={sample} />}
        </div>
      )}
      {GRID_COLUMNS.map((name, column) => {
        const position = { row, column };
        const { value, isActive, isSelected, isChanged, editor } = cellOf(name, position);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys of its cells
          <div
            key={name}
            id={idOf(position)}
            role="gridcell"
            aria-colindex={first + column}
            aria-selected={isSelected}
            className="field-grid__cell"
            data-column={name}
            data-active={isActive || undefined}
            data-selected={isSelected || undefined}
            data-changed={isChanged || undefined}
            onMouseDown={(event) => {
              if (event.button === 0 && editor === undefined) onPress(position, event.shiftKey);
            }}
            onMouseEnter={({ buttons }) => buttons === 1 && onDrag(position)}
            onClick={() => editor === undefined && onOpen(position)}
          >
            <span className="field-grid__text">
              <VisibleText text={shownText(value)} />
            </span>
            {editor}
          </div>
        );
      })}
    </div>
  );
}
