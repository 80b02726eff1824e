import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { describeError } from '../../api/describe-error.ts';
import { QUERY_KEYS } from '../../api/query-keys.ts';
import { useClient } from '../../api/use-client.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useDebouncedValue } from '../../ui/use-debounced-value.ts';
import { type FoundTables, searchTables } from '../read-names.ts';
import { CatalogTree } from './catalog-tree.ts';
import { TableTree, type TableTreeProps } from './table-tree.tsx';
import { filteredRows, type TreeName, toTreeName, treeRows } from './tree-rows.ts';
import './tables-panel.css';

/** Tables, and as many views, that a search of the host returns. */
const FOUND_MAX = 100;
const FILTER_CHARACTERS_MAX = 200;
const NO_KEYS: ReadonlySet<string> = new Set();
const toTreeNames = ({ names, total }: FoundTables) => ({ names: names.map(toTreeName), total });

/** Tree of the tables that the user may see, with a filter. It stays as it is while the user is on another page. */
export function TablesPanel({ onAction }: Pick<TableTreeProps, 'onAction'>) {
  const { t } = useTranslation();
  const client = useClient();
  const create = () => new CatalogTree(client);
  // A sign-out clears the cache, and the tree with it.
  const { data: tree } = useQuery({
    queryKey: QUERY_KEYS.tree,
    queryFn: create,
    initialData: create,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const { levels, open } = useSyncExternalStore(tree.subscribe, tree.getState);
  const [typed, setTyped] = useState('');
  const [toggled, setToggled] = useState(NO_KEYS);
  const text = typed.trim().toLowerCase();
  const requested = useDebouncedValue(text);
  const search = useQuery({
    queryKey: QUERY_KEYS.treeSearch(requested),
    queryFn: ({ signal }) => searchTables(client, requested, FOUND_MAX, signal),
    select: toTreeNames,
    enabled: requested !== '',
  });
  const response = requested === text ? search : undefined;
  const found = response?.data?.names;
  const rows = useMemo(
    () =>
      text === ''
        ? treeRows(levels, (key) => open.has(key))
        : filteredRows({ levels, text, found: found ?? [], toggled }),
    [levels, open, text, found, toggled],
  );
  const filter = (value: string): void => {
    setTyped(value);
    setToggled(NO_KEYS);
  };
  const toggle = ({ key }: TreeName, isOpen: boolean): void => {
    if (text === '') tree.setOpen(key, isOpen);
    else
      setToggled((before) => new Set(before.has(key) ? [...before].filter((each) => each !== key) : [...before, key]));
  };
  const refresh = (): void => {
    tree.refresh();
    if (text !== '') void search.refetch();
  };
  return (
    <div className="tables-panel">
      <div className="tables-panel__head">
        <TextField
          type="search"
          size="s"
          icon="filter"
          label={t('tables.filter')}
          placeholder={t('tables.filter')}
          isLabelHidden
          spellCheck="false"
          autoComplete="off"
          maxLength={FILTER_CHARACTERS_MAX}
          value={typed}
          onChange={filter}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || typed === '') return event.continuePropagation();
            event.preventDefault();
            filter('');
          }}
        />
        <IconButton size="s" icon="refresh" label={t('tables.refresh')} onPress={refresh} />
      </div>
      {text !== '' && (
        <FilterStatus response={response} hasRows={rows.length > 0} text={typed.trim()} onRetry={search.refetch} />
      )}
      {rows.length > 0 && (
        <TableTree
          key={text}
          rows={rows}
          onNeeded={(path) => tree.load(path)}
          onRetry={(path) => tree.retry(path)}
          onToggle={toggle}
          onAction={onAction}
        />
      )}
    </div>
  );
}

interface FilterStatusProps {
  /** Search of the host for the text. Undefined: it has not begun. */
  readonly response: UseQueryResult<ReturnType<typeof toTreeNames>> | undefined;
  readonly hasRows: boolean;
  readonly text: string;
  readonly onRetry: () => unknown;
}

/** Line below the filter: whether the host is still searching, has failed, knows more tables, or nothing matches. */
function FilterStatus({ response, hasRows, text, onRetry }: FilterStatusProps) {
  const { t } = useTranslation();
  const data = response?.data;
  if (response?.isError)
    return (
      <p className="tables-panel__status" role="alert">
        {describeError(response.error, t).title}
        <Button size="s" onPress={() => void onRetry()}>
          {t('action.retry')}
        </Button>
      </p>
    );
  const isCut = data !== undefined && data.total > data.names.length;
  return (
    <p className="tables-panel__status" role="status">
      {data === undefined && t('tables.filter.searching')}
      {data !== undefined && !hasRows && t('tables.filter.none', { text })}
      {isCut && t('tables.filter.more', { shown: data.names.length, count: data.total })}
    </p>
  );
}
