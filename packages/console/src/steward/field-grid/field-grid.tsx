import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { Note, Row } from '../../ui/layout.tsx';
import { announce } from '../../ui/live-regions.tsx';
import { useRowWindow } from '../../ui/use-row-window.ts';
import { visibleText } from '../../ui/visible-text.tsx';
import type { MetadataEdit } from '../use-metadata-edit.ts';
import { type CellPosition, GRID_COLUMNS, type GridColumn, keyOfCell, textOfValue } from './grid-cells.ts';
import { commandOf, type GridCommand } from './grid-keys.ts';
import { type GridField, GridRow, type ShownCell } from './grid-row.tsx';
import { TagCellField } from './tag-cell-field.tsx';
import { TextCellField } from './text-cell-field.tsx';
import { type FieldGridState, type RejectedPaste, useFieldGrid } from './use-field-grid.ts';
import './field-grid.css';

/** Values of the data beside the descriptions. */
interface FieldSamples {
  /** Values by the name of the field. Undefined: they are not loaded. */
  readonly values: ReadonlyMap<string, string> | undefined;
  /** Reads the values. Undefined: the user may not. */
  readonly load: (() => void) | undefined;
}

interface FieldGridProps {
  readonly edit: MetadataEdit;
  /** Fields with names: others cannot be described. */
  readonly fields: readonly GridField[];
  readonly samples: FieldSamples;
  /** Tags in use, most frequent first. */
  readonly knownTags: readonly string[];
}

/** Height of the head in rows. */
const HEAD_ROWS = 1;
const MAC = /Mac|iPhone|iPad/;
/** Name of the key for commands. */
const commandKey = (): string => (MAC.test(navigator.userAgent) ? '⌘' : 'Ctrl+');

/**
 * Grid in which a steward describes the fields of an object. It has the keys of a spreadsheet: a column can be pasted, a value filled down,
 * and everything undone. Nothing is saved before the form around it is.
 */
export function FieldGrid({ edit, fields, samples, knownTags }: FieldGridProps) {
  const names = fields.map(({ name }) => name);
  const grid = useFieldGrid(edit, names);
  return (
    <div className="field-grid-frame">
      <GridTools grid={grid} samples={samples} />
      {grid.rejected !== undefined && <RejectedPasteNote grid={grid} rejected={grid.rejected} />}
      <Cells {...{ edit, fields, samples, knownTags, names, grid }} />
    </div>
  );
}

function GridTools({ grid, samples }: { readonly grid: FieldGridState; readonly samples: FieldSamples }) {
  const { t } = useTranslation();
  const key = commandKey();
  return (
    <>
      <Row>
        {/* They stay enabled: a disabled button would lose the focus. Without a step, a press does nothing. */}
        <Button size="s" onPress={grid.undo}>
          {t('describe.undo')}
        </Button>
        <Button size="s" onPress={grid.redo}>
          {t('describe.redo')}
        </Button>
        <Button size="s" icon="down" onPress={grid.fill}>
          {t('describe.fill')}
        </Button>
        {samples.values === undefined && samples.load !== undefined && (
          <Button size="s" icon="table" onPress={samples.load}>
            {t('describe.samples.show')}
          </Button>
        )}
      </Row>
      <Note size="s">{t('describe.about', { paste: `${key}V`, fill: `${key}D`, undo: `${key}Z` })}</Note>
    </>
  );
}

interface RejectedPasteNoteProps {
  readonly grid: FieldGridState;
  readonly rejected: RejectedPaste;
}

/** Says that a paste does not fit and has changed nothing, with a way to paste what fits. */
function RejectedPasteNote({ grid, rejected }: RejectedPasteNoteProps) {
  const { t } = useTranslation();
  return (
    <div className="field-grid__rejected" role="alert">
      <p>
        {rejected.kind === 'too long'
          ? t('describe.paste.too-long', { rows: rejected.rows, count: rejected.fit })
          : t('describe.paste.too-wide', { columns: rejected.columns, count: rejected.fit })}
      </p>
      <Row>
        {rejected.kind === 'too long' && (
          <Button size="s" onPress={grid.pasteFirst}>
            {t('describe.paste.first', { count: rejected.fit })}
          </Button>
        )}
        <Button size="s" onPress={grid.dismiss}>
          {t('action.close')}
        </Button>
      </Row>
    </div>
  );
}

interface CellsProps extends FieldGridProps {
  readonly names: readonly string[];
  readonly grid: FieldGridState;
}

const LABELS = {
  description: 'steward.edit.field.description',
  tags: 'steward.edit.field.tags',
} as const satisfies Record<GridColumn, string>;

const isWithin = ({ range }: FieldGridState, { row, column }: CellPosition): boolean =>
  row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;

const isSameCell = (one: CellPosition, other: CellPosition): boolean =>
  one.row === other.row && one.column === other.column;

function Cells({ edit, fields, samples, knownTags, names, grid }: CellsProps) {
  const { t } = useTranslation();
  const gridId = useId();
  const element = useRef<HTMLDivElement>(null);
  /** Cell that was active before the press of the mouse: a click on it opens it. */
  const pressed = useRef<CellPosition>(undefined);
  const window = useRowWindow(element, fields.length, HEAD_ROWS);
  const { active, open } = grid;
  const hasSamples = samples.values !== undefined;
  const idOf = ({ row, column }: CellPosition): string => `${gridId}-${row}-${column}`;
  const moveTo = (to: CellPosition, isExtending = false): void => {
    grid.moveTo(to, isExtending);
    window.show(to.row);
  };
  /** Closes the open cell and makes another one active. */
  const leaveTo = (to: CellPosition): void => {
    grid.closeCell();
    moveTo(to);
    element.current?.focus();
  };
  const run = (command: GridCommand): void => {
    if (command.type === 'move') moveTo(command.to, command.isExtending);
    else if (command.type === 'edit') grid.openCell(command.text);
    else grid[command.type]();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const command = commandOf(event, { active, rows: fields.length, page: window.rowsPerPage() });
    if (command === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run(command);
  };
  const onPaste = (event: ClipboardEvent): void => {
    // The field of an open cell takes the text itself.
    if (open !== undefined) return;
    event.preventDefault();
    const count = grid.paste(event.clipboardData.getData('text/plain'));
    if (count > 0) announce(t('describe.pasted', { count }));
  };
  const onCopy = (event: ClipboardEvent): void => {
    if (open !== undefined) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', grid.copy());
    if (event.type === 'cut') grid.clear();
  };
  const editorOf = (column: GridColumn, position: CellPosition): ReactNode => {
    if (open === undefined || !isSameCell(position, active)) return undefined;
    const text = open.text ?? textOfValue(open.before);
    const last = GRID_COLUMNS.length - 1;
    const { row, column: at } = position;
    const next = {
      Enter: { row: row + 1, column: at },
      Tab: at === last ? { row: row + 1, column: 0 } : { row, column: at + 1 },
      back: at === 0 ? { row: Math.max(0, row - 1), column: last } : { row, column: at - 1 },
    };
    const field = {
      label: t(LABELS[column], { column: visibleText(names[row] ?? '') }),
      text,
      onType: grid.type,
      onClose(key: 'Enter' | 'Tab' | 'Escape', isShift: boolean) {
        if (key === 'Escape') {
          grid.closeCell(true);
          element.current?.focus();
          return;
        }
        const to = next[key === 'Tab' && isShift ? 'back' : key];
        leaveTo(to.row < fields.length ? to : position);
      },
      onBlur: () => grid.closeCell(),
    };
    return column === 'tags' ? <TagCellField {...field} known={knownTags} /> : <TextCellField {...field} />;
  };
  const cellOf = (column: GridColumn, position: CellPosition): ShownCell => {
    const key = keyOfCell(names, position);
    return {
      value: edit.editedValue(key),
      isActive: isSameCell(position, active),
      isSelected: isWithin(grid, position),
      isChanged: edit.isChanged(key),
      editor: editorOf(column, position),
    };
  };
  const { row: activeRow, column: activeColumn } = active;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active cell is an element that is there after it has moved
  useEffect(() => {
    // Keys move the active cell beyond the edge of a narrow screen.
    const cell = element.current?.querySelector('[data-active]');
    if (document.activeElement === element.current) cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [activeRow, activeColumn]);
  const rows = Array.from({ length: Math.max(0, window.last - window.first) }, (_, index) => window.first + index);
  // The element that has the focus names the active cell, wherever the viewport is.
  if (active.row < fields.length && !rows.includes(active.row)) rows.push(active.row);
  return (
    <div
      ref={element}
      role="grid"
      className="field-grid"
      data-samples={hasSamples || undefined}
      aria-label={t('describe.grid')}
      aria-rowcount={fields.length + HEAD_ROWS}
      aria-colcount={GRID_COLUMNS.length + (hasSamples ? 2 : 1)}
      aria-multiselectable
      aria-activedescendant={idOf(active)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onCopy={onCopy}
      onCut={onCopy}
      onScroll={window.onScroll}
    >
      <GridHead hasSamples={hasSamples} />
      <div role="rowgroup" className="field-grid__rows" style={{ blockSize: fields.length * window.rowHeight }}>
        {rows.map((row) => {
          const field = fields[row];
          if (field === undefined) return null;
          return (
            <GridRow
              key={row}
              {...{ field, row, idOf, hasSamples, cellOf }}
              top={row * window.rowHeight}
              sample={samples.values?.get(field.name)}
              onPress={(cell, isExtending) => {
                pressed.current = isExtending ? undefined : active;
                grid.moveTo(cell, isExtending);
              }}
              onDrag={(cell) => grid.moveTo(cell, true)}
              onOpen={(cell) => {
                if (pressed.current !== undefined && isSameCell(pressed.current, cell)) grid.openCell();
              }}
            />
          );
        })}
      </div>
    </div>
  );
}

function GridHead({ hasSamples }: { readonly hasSamples: boolean }) {
  const { t } = useTranslation();
  const titles = [
    t('label.column'),
    ...(hasSamples ? [t('describe.samples')] : []),
    t('property.description'),
    t('property.tags'),
  ];
  return (
    <div role="rowgroup" className="field-grid__head">
      <div role="row" aria-rowindex={1} className="field-grid__row">
        {titles.map((title, index) => (
          <div key={title} role="columnheader" aria-colindex={index + 1} className="field-grid__cell">
            {title}
          </div>
        ))}
      </div>
    </div>
  );
}
