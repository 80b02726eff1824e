import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Pager } from '../ui/data-table.tsx';
import { Failure } from '../ui/failure.tsx';
import './admin-list.css';

/** A page of a list, as far as it is read. */
interface ReadPage<Entry> {
  readonly data: { readonly data: readonly Entry[]; readonly total: number } | undefined;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
}

interface SearchedListProps<Entry> {
  /** Fields of the search. */
  readonly search: ReactNode;
  readonly newLabel: string;
  /** Opens the dialog that adds an entry. */
  readonly onNew: () => void;
  readonly page: ReadPage<Entry>;
  /** Returns the table of the entries. */
  readonly table: (entries: readonly Entry[]) => ReactNode;
  readonly pagesLabel: string;
  /** Index of the first entry of the page. */
  readonly from: number;
  readonly size: number;
  readonly onMove: (from: number) => void;
  /** Dialogs. */
  readonly children: ReactNode;
}

/** A list of the administration, page by page: a search, a button for a new entry, and why it cannot be read. */
export function SearchedList<Entry>(props: SearchedListProps<Entry>) {
  const { t } = useTranslation();
  const { data, error, refetch } = props.page;
  return (
    <div className="admin-list">
      <div className="admin-list__tools">
        {props.search}
        <Button kind="primary" icon="plus" onPress={props.onNew}>
          {props.newLabel}
        </Button>
      </div>
      {error !== null && (
        <Failure error={error}>
          <Button size="s" onPress={() => void refetch()}>
            {t('action.retry')}
          </Button>
        </Failure>
      )}
      {data !== undefined && (
        <>
          {props.table(data.data)}
          <Pager
            label={props.pagesLabel}
            from={props.from}
            size={props.size}
            total={data.total}
            onMove={props.onMove}
          />
        </>
      )}
      {props.children}
    </div>
  );
}
