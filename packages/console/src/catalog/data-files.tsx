import type { ApiOperationTypes } from '@sluice/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Row } from '../ui/layout.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import './catalog.css';

type DataFile = ApiOperationTypes['listCatalogFiles']['result']['files'][number];

const PAGE_SIZE = 100;
/** Characters that are not seen. */
const SEPARATORS: Readonly<Record<string, string>> = { '\t': '⇥' };

/** Files of the folder that the operator serves: how each was read, or why it was not. Renders nothing without such a folder. */
export function DataFiles() {
  const { t, formatNumber } = useTranslation();
  const client = useClient();
  const list = useInfiniteQuery({
    queryKey: ['catalog files'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client.api.listCatalogFiles({
        query: { size: PAGE_SIZE, ...(pageParam === undefined ? {} : { files_after: pageParam }) },
        signal,
      }),
    getNextPageParam: (page) => page.next_files_after,
  });
  const files = list.data?.pages.flatMap((page) => page.files) ?? [];
  if (files.length === 0) return null;
  const [first] = list.data?.pages ?? [];
  const written = ({ compression, separator, header, encoding }: DataFile): string =>
    [
      separator !== null && t('catalog.files.separator', { separator: SEPARATORS[separator] ?? separator }),
      header === false && t('catalog.files.no-header'),
      encoding,
      compression,
    ]
      .filter((part) => typeof part === 'string')
      .join(', ');
  return (
    <section className="data-files">
      <h2>{t('catalog.files')}</h2>
      <p>
        {t('catalog.files.count', { count: first?.file_count ?? 0 })}{' '}
        {t('catalog.files.problems', { count: first?.problem_count ?? 0 })}
      </p>
      <DataTable
        label={t('catalog.files')}
        items={files}
        idOf={({ path }) => path}
        columns={[
          { id: 'path', title: t('catalog.files.file'), cell: ({ path }) => <VisibleText text={path} /> },
          {
            id: 'outcome',
            title: t('catalog.files.outcome'),
            isText: true,
            cell: ({ view, problem }) =>
              problem === null ? (
                <VisibleText text={view ?? ''} />
              ) : (
                <>
                  <Badge tone="danger">{t('catalog.files.problem')}</Badge> <VisibleText text={problem} />
                </>
              ),
          },
          {
            id: 'rows',
            title: t('catalog.files.rows'),
            isNumber: true,
            cell: ({ rows }) => (rows === null ? '' : formatNumber(rows)),
          },
          {
            id: 'columns',
            title: t('catalog.files.columns'),
            isNumber: true,
            cell: ({ columns }) => (columns === null ? '' : formatNumber(columns)),
          },
          { id: 'written', title: t('catalog.files.written'), isText: true, cell: written },
        ]}
      />
      {list.hasNextPage && (
        <Row>
          <Button onPress={() => list.isFetchingNextPage || void list.fetchNextPage()}>{t('search.more')}</Button>
        </Row>
      )}
    </section>
  );
}
