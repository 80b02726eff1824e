import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import type { ResultColumn, ResultView } from '../result/result-view.ts';
import { type RowFilter, type RowSelection, showsAllRows } from '../result/row-order.ts';
import { Icon } from '../ui/icon.tsx';
import type { RowOrder } from './use-row-order.ts';

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
export function RowChips({ view, order, rows, onRows }: RowChipsProps) {
  const { t } = useTranslation();
  if (showsAllRows(rows)) return null;
  const nameOf = (column: number) => visibleText((view.columns[column] as ResultColumn).name);
  const filterText = ({ column, operator, value }: RowFilter) => {
    const values = { column: nameOf(column), operator: t(`grid.operator.${operator}`), value: visibleText(value) };
    return t(operator === 'isNull' || operator === 'isNotNull' ? 'grid.filter-text-null' : 'grid.filter-text', values);
  };
  const { sort, filters } = rows;
  const shown = order.rows?.length ?? view.keptRows;
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
        {order.isBusy ? t('grid.ordering') : t('grid.shown', { shown, count: order.ofRows })}
      </span>
    </div>
  );
}
