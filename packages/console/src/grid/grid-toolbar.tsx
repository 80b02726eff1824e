import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { holdsFirstRows, type ResultColumn, type ResultView } from '../result/result-view.ts';
import { type RowFilter, type RowSelection, showsAllRows } from '../result/row-order.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { COPY_FORMATS, type CopyFormat } from './copy-formats.ts';
import { FilterForm } from './filter-form.tsx';
import { cellCount, type SelectedRange } from './grid-selection.ts';
import { RowJumpForm } from './row-jump-form.tsx';
import type { RowOrder } from './use-row-order.ts';
import './grid-toolbar.css';

interface GridToolbarProps {
  readonly view: ResultView;
  readonly order: RowOrder;
  readonly rows: RowSelection;
  readonly onRows: (rows: RowSelection) => void;
  readonly range: SelectedRange;
  /** Column of the active cell, which a filter begins with. */
  readonly activeColumn: number;
  /** Outcome of the last action. */
  readonly message: string | undefined;
  readonly isFailure: boolean;
  readonly onCopy: (format: CopyFormat) => void;
  /** Shows a row by its index, from 0. */
  readonly onJump: (row: number) => void;
}

/** Search, filters and order of the loaded rows, and what is done with the selection. */
export function GridToolbar(props: GridToolbarProps) {
  const { view, order, rows, onRows, range } = props;
  const { t } = useTranslation();
  const [isFiltering, setIsFiltering] = useState(false);
  const selected = cellCount(range);
  return (
    <div className="grid-toolbar">
      <div className="grid-toolbar__line">
        <div className="grid-search">
          <SearchField
            label={holdsFirstRows(view) ? t('grid.search-first', { count: view.loadedRows }) : t('grid.search')}
            size="s"
            searchText={rows.search}
            onSearch={(search) => onRows({ ...rows, search })}
          />
        </div>
        <Button
          kind="quiet"
          size="s"
          icon="filter"
          aria-expanded={isFiltering}
          onPress={() => setIsFiltering(!isFiltering)}
        >
          {t('grid.filter')}
        </Button>
        {view.pages === undefined || !showsAllRows(rows) ? null : (
          <RowJumpForm rows={view.pages.rows} onJump={props.onJump} />
        )}
        <RowChips view={view} order={order} rows={rows} onRows={onRows} />
        <p className={props.isFailure ? 'grid-toolbar__message is-failure' : 'grid-toolbar__message'} role="status">
          {props.message ?? (selected > 1 ? selectionText(t, range) : '')}
        </p>
        <CopyMenu onCopy={props.onCopy} isDisabled={selected === 0} />
      </div>
      {isFiltering ? (
        <FilterForm
          columns={view.columns}
          initialColumn={props.activeColumn}
          onAdd={(filter) => onRows({ ...rows, filters: [...rows.filters, filter] })}
        />
      ) : null}
    </div>
  );
}

const selectionText = (t: ReturnType<typeof useTranslation>['t'], range: SelectedRange): string =>
  t('grid.selected', { rows: range.lastRow - range.firstRow, columns: range.lastColumn - range.firstColumn });

/** Returns how many of the loaded rows are shown, and how many rows there are besides. */
function shownText(
  view: ResultView,
  { shown, count }: { readonly shown: number; readonly count: number },
  t: ReturnType<typeof useTranslation>['t'],
): string {
  if (view.pages !== undefined) return t('grid.shown-pages', { shown, loaded: count, count: view.pages.rows });
  return t(holdsFirstRows(view) ? 'grid.shown-first' : 'grid.shown', { shown, count });
}

interface CopyMenuProps {
  readonly onCopy: (format: CopyFormat) => void;
  readonly isDisabled: boolean;
}

/** Menu that copies the selected cells in one of the formats. */
function CopyMenu({ onCopy, isDisabled }: CopyMenuProps) {
  const { t } = useTranslation();
  const button = (
    <Button kind="quiet" size="s" icon="copy" isDisabled={isDisabled}>
      {t('action.copy')}
    </Button>
  );
  const actions = COPY_FORMATS.map((format) => ({
    id: format,
    label: t(`grid.copy-as.${format}`),
    onAction: () => onCopy(format),
  }));
  return <MenuButton label={t('action.copy')} button={button} actions={actions} />;
}

interface ChipProps {
  readonly text: string;
  /** Action of a press, as accessible name and tooltip. */
  readonly label: string;
  readonly onRemove: () => void;
}

function Chip({ text, label, onRemove }: ChipProps) {
  return (
    <button type="button" className="grid-chip" aria-label={label} title={label} onClick={onRemove}>
      <bdi>{text}</bdi>
      <Icon name="close" />
    </button>
  );
}

interface RowChipsProps {
  readonly view: ResultView;
  readonly order: RowOrder;
  readonly rows: RowSelection;
  readonly onRows: (rows: RowSelection) => void;
}

/** Order and filters in use, each of which a press removes, and how many of the loaded rows they show. */
function RowChips({ view, order, rows, onRows }: RowChipsProps) {
  const { t } = useTranslation();
  if (showsAllRows(rows)) return null;
  const nameOf = (column: number) => visibleText((view.columns[column] as ResultColumn).name);
  const filterText = ({ column, operator, value }: RowFilter) => {
    const values = { column: nameOf(column), operator: t(`grid.operator.${operator}`), value: visibleText(value) };
    return t(operator === 'isNull' || operator === 'isNotNull' ? 'grid.filter-text-null' : 'grid.filter-text', values);
  };
  const { sort, filters } = rows;
  const shown = order.rows?.length ?? view.loadedRows;
  return (
    <div className="grid-chips">
      {sort === undefined ? null : (
        <Chip
          text={t(sort.direction === 'ascending' ? 'grid.sorted-up' : 'grid.sorted-down', {
            column: nameOf(sort.column),
          })}
          label={t('grid.remove-sort')}
          onRemove={() => onRows({ ...rows, sort: undefined })}
        />
      )}
      {filters.map((filter, index) => (
        <Chip
          // biome-ignore lint/suspicious/noArrayIndexKey: two filters may be the same
          key={index}
          text={filterText(filter)}
          label={t('grid.remove-filter', { filter: filterText(filter) })}
          onRemove={() => onRows({ ...rows, filters: filters.filter((each) => each !== filter) })}
        />
      ))}
      <span className="grid-chips__count" role="status">
        {order.isBusy ? t('grid.ordering') : shownText(view, { shown, count: order.ofRows }, t)}
      </span>
    </div>
  );
}
