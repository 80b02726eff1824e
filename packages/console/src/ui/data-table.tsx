import type { ReactNode } from 'react';
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { NativeSelect } from './native-select.tsx';
import './pager.css';
import './data-table.css';

interface TableColumn<Item> {
  readonly id: string;
  readonly title: string;
  readonly cell: (item: Item) => ReactNode;
  /** Numbers are aligned at their end. */
  readonly isNumber?: boolean;
  /** Terms and types, such as states and `timestamp with time zone`, are not broken within a word. Long names of users and data are. */
  readonly isTerm?: boolean;
  /** Sentences and lists of words take the room that the other columns leave. */
  readonly isText?: boolean;
  /** Heads the card of the row on a narrow screen. Default: the first column. */
  readonly isTitle?: boolean;
  /** The title is a button that sorts by this column. */
  readonly isSortable?: boolean;
}

/** Order of the rows. */
export interface TableOrder {
  /** Id of a column. */
  readonly column: string;
  readonly isDescending: boolean;
}

export interface DataTableProps<Item> {
  /** Accessible name of the table. */
  readonly label: string;
  /** The first column names the row. */
  readonly columns: readonly TableColumn<Item>[];
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  /** Called when a row is chosen with a click or Enter. */
  readonly onOpen?: (item: Item) => void;
  /** Shown instead of rows. */
  readonly empty?: ReactNode;
  /** Order in which `items` are. The host or the caller sorts them. */
  readonly order?: TableOrder;
  readonly onOrder?: (order: TableOrder) => void;
}

/**
 * Table of records, such as columns of a table or requests. Where it has little room, each row becomes a card by CSS alone; the elements
 * keep the roles of a table. Results of queries have a grid of their own.
 */
export function DataTable<Item>(props: DataTableProps<Item>) {
  const { label, columns, items, idOf, onOpen, empty, order, onOrder } = props;
  const titleId = (columns.find(({ isTitle }) => isTitle) ?? columns[0])?.id;
  return (
    <div className="data-table">
      {onOrder !== undefined && <OrderSelect columns={columns} order={order} onOrder={onOrder} />}
      <div className="data-table__frame">
        <Table
          aria-label={label}
          className="data-table__table"
          {...(order === undefined ? {} : { sortDescriptor: descriptorOf(order) })}
          onSortChange={({ column, direction }) =>
            onOrder?.({ column: String(column), isDescending: direction === 'descending' })
          }
        >
          <TableHeader>
            {columns.map(({ id, title, isNumber = false, isSortable = false }, index) => (
              <Column
                key={id}
                id={id}
                isRowHeader={index === 0}
                allowsSorting={isSortable}
                className="data-table__head"
                data-number={isNumber}
                data-sortable={isSortable || undefined}
              >
                {({ sortDirection }) =>
                  isSortable ? (
                    <span className="data-table__title">
                      {title}
                      <span className="data-table__order" data-order={sortDirection}>
                        <Icon name="down" />
                      </span>
                    </span>
                  ) : (
                    title
                  )
                }
              </Column>
            ))}
          </TableHeader>
          <TableBody renderEmptyState={() => empty}>
            {items.map((item) => (
              <Row
                key={idOf(item)}
                id={idOf(item)}
                className="data-table__row"
                data-opens={onOpen !== undefined || undefined}
                {...(onOpen === undefined ? {} : { onAction: () => onOpen(item) })}
              >
                {columns.map(({ id, title, cell, isNumber = false, isTerm = false, isText = false }) => (
                  <Cell
                    key={id}
                    className="data-table__cell"
                    data-label={title}
                    data-title={id === titleId}
                    data-number={isNumber}
                    data-term={isTerm}
                    data-text={isText}
                  >
                    <div className="data-table__value">{cell(item)}</div>
                  </Cell>
                ))}
              </Row>
            ))}
          </TableBody>
        </Table>
      </div>
    </div>
  );
}

interface OrderSelectProps {
  readonly columns: readonly Pick<TableColumn<never>, 'id' | 'title' | 'isSortable'>[];
  readonly order: TableOrder | undefined;
  readonly onOrder: (order: TableOrder) => void;
}

/** Sorts the cards of a narrow screen, which have no head to press. */
function OrderSelect({ columns, order, onOrder }: OrderSelectProps) {
  const { t } = useTranslation();
  const choices = columns
    .filter(({ isSortable = false }) => isSortable)
    .flatMap(({ id, title }) =>
      [false, true].map((isDescending) => ({
        order: { column: id, isDescending },
        text: t(isDescending ? 'table.order.descending' : 'table.order.ascending', { column: title }),
      })),
    );
  const isOrder = ({ column, isDescending }: TableOrder): boolean =>
    column === order?.column && isDescending === order.isDescending;
  return (
    <div className="data-table__order-by">
      <NativeSelect
        label={t('table.order')}
        value={choices.findIndex((choice) => isOrder(choice.order))}
        onChange={(value) => {
          const choice = choices[Number(value)];
          if (choice !== undefined) onOrder(choice.order);
        }}
      >
        {order === undefined && <option value={-1} />}
        {choices.map(({ text }, index) => (
          <option key={text} value={index}>
            {text}
          </option>
        ))}
      </NativeSelect>
    </div>
  );
}

const descriptorOf = ({ column, isDescending }: TableOrder) =>
  ({ column, direction: isDescending ? 'descending' : 'ascending' }) as const;

interface PagerProps {
  /** Accessible name, which says what the pages list. */
  readonly label: string;
  /** Position of the first entry that is shown, from 0. */
  readonly from: number;
  readonly size: number;
  readonly total: number;
  readonly onMove: (from: number) => void;
}

/** Buttons to the pages before and after. Nothing if one page holds everything. */
export function Pager({ label, from, size, total, onMove }: PagerProps) {
  const { t } = useTranslation();
  if (total <= size && from === 0) return null;
  const last = Math.min(from + size, total);
  return (
    <nav className="pager" aria-label={label}>
      <span>{t('pager.shown', { first: Math.min(from + 1, total), last, total })}</span>
      <Button size="s" isDisabled={from === 0} onPress={() => onMove(Math.max(0, from - size))}>
        {t('pager.before')}
      </Button>
      <Button size="s" isDisabled={from + size >= total} onPress={() => onMove(from + size)}>
        {t('pager.after')}
      </Button>
    </nav>
  );
}
