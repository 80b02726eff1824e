import { type ReactNode, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import type { ResultView } from '../result/result-view.ts';
import type { RowSelection } from '../result/row-order.ts';
import { Button } from '../ui/button.tsx';
import type { CopyFormat } from './copy-formats.ts';
import { CopyMenu } from './copy-menu.tsx';
import { FilterForm } from './filter-form.tsx';
import { cellCount, type SelectedRange } from './grid-selection.ts';
import { RowChips } from './row-chips.tsx';
import { SearchField } from './search-field.tsx';
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
  readonly actions: ReactNode;
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
        <SearchField value={rows.search} onChange={(search) => onRows({ ...rows, search })} />
        <Button
          kind="quiet"
          size="s"
          icon="filter"
          aria-expanded={isFiltering}
          onPress={() => setIsFiltering(!isFiltering)}
        >
          {t('grid.filter')}
        </Button>
        <RowChips view={view} order={order} rows={rows} onRows={onRows} />
        <p className={props.isFailure ? 'grid-toolbar__message is-failure' : 'grid-toolbar__message'} role="status">
          {props.message ?? (selected > 1 ? selectionText(t, range) : '')}
        </p>
        <CopyMenu onCopy={props.onCopy} isDisabled={selected === 0} />
        {props.actions}
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
