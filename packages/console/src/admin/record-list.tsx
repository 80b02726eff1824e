import type { ReactNode } from 'react';
import type { ListState } from '../router/query-parameters.ts';
import { Button } from '../ui/button.tsx';
import { DataTable, type DataTableProps, Pager } from '../ui/data-table.tsx';
import { Loaded } from '../ui/failure.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { SearchField } from '../ui/search-field.tsx';

interface RecordListProps<Entry> extends Omit<DataTableProps<Entry>, 'items'> {
  /** Search and position, from the address of the page. */
  readonly state: ListState;
  readonly page: Parameters<typeof Loaded<{ readonly data: readonly Entry[]; readonly total: number }>>[0]['query'];
  /** Absent: the host has no search. */
  readonly search?: {
    readonly label: string;
    readonly hasLabel?: boolean;
    readonly maxLength: number;
    readonly suggestions?: readonly string[];
  };
  /** Further fields of the search. */
  readonly filters?: ReactNode;
  readonly newLabel: string;
  /** Opens the dialog that adds an entry. */
  readonly onNew: () => void;
  /** Further buttons. */
  readonly actions?: ReactNode;
  /** Absent: the host sends all entries at once. */
  readonly pages?: { readonly label: string; readonly size: number };
  /** Dialogs. */
  readonly children: ReactNode;
}

/** A list of the administration, page by page: a search, a button for a new entry, and a table. */
export function RecordList<Entry>(props: RecordListProps<Entry>) {
  const { state, page, search, filters, newLabel, onNew, actions, pages, children, ...table } = props;
  return (
    <Stack>
      <Row>
        {filters}
        {search !== undefined && (
          <SearchField
            {...search}
            searchText={state.searchText}
            onSearch={(searchText) => state.search({ q: searchText.trim() })}
          />
        )}
        <Button kind="primary" icon="plus" onPress={onNew}>
          {newLabel}
        </Button>
        {actions}
      </Row>
      <Loaded query={page}>
        {({ data, total }) => (
          <>
            <DataTable {...table} items={data} />
            {pages !== undefined && <Pager {...pages} from={state.from} total={total} onMove={state.move} />}
          </>
        )}
      </Loaded>
      {children}
    </Stack>
  );
}
