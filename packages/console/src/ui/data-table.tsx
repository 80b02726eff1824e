import type { ReactNode } from 'react';
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import './pager.css';
import './data-table.css';

interface TableColumn<Item> {
  readonly id: string;
  readonly title: string;
  readonly cell: (item: Item) => ReactNode;
  /** Numbers are aligned at their end. */
  readonly isNumber?: boolean;
  /** Terms of the product, such as kinds and states, are not broken within a word. Names of users and data are, if they are long. */
  readonly isTerm?: boolean;
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

/** Table of records, such as columns of a table or requests. Results of queries have a grid of their own. */
export function DataTable<Item>(props: DataTableProps<Item>) {
  const { label, columns, items, idOf, onOpen, empty, order, onOrder } = props;
  return (
    <div className="data-table">
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
              {columns.map(({ id, cell, isNumber = false, isTerm = false }) => (
                <Cell key={id} className="data-table__cell" data-number={isNumber} data-term={isTerm}>
                  {cell(item)}
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
      </Table>
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
