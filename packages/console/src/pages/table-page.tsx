import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { CatalogTrail } from '../catalog/catalog-trail.tsx';
import { ColumnList } from '../catalog/column-list.tsx';
import { sqlName } from '../editor/completion/sql-words.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Badge } from '../ui/badge.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { ObjectTags } from './object-tags.tsx';
import { ObjectUnavailable } from './object-unavailable.tsx';
import { SampleRows } from './sample-rows.tsx';
import { StatementActions } from './statement-actions.tsx';
import { useSample } from './use-sample.ts';
import './object-page.css';

/** Rows of a sample. */
const SAMPLE_SIZE = 100;

/** Page of a table or view. */
export function TablePage({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const { catalog = '', schema = '', table = '' } = parameters;
  const names = [catalog, schema, table];
  const name = visibleText(names.join('.'));
  const found = useQuery({
    queryKey: ['table', ...names],
    queryFn: ({ signal }) => client.api.getCatalogTable({ params: { catalog, schema, table }, signal }),
  });
  const [tab, setTab] = useState<'columns' | 'sample'>('columns');
  const sample = useSample();
  usePageTitle(visibleText(table));
  const trail = <CatalogTrail names={names.slice(0, -1)} />;
  if (found.isError)
    return (
      <ObjectUnavailable
        error={found.error}
        missing={t('table.missing', { name })}
        trail={trail}
        onRetry={() => void found.refetch()}
      />
    );
  // `SELECT *` of the whole name, because its schema may not be the default.
  const sql = `SELECT * FROM ${names.map(sqlName).join('.')}`;
  const { data } = found;
  return (
    <main className="object-page">
      {trail}
      <header className="object-page__head">
        <h1 className="object-page__title">
          <VisibleText text={table} />
        </h1>
        {data !== undefined && (
          <Badge tone="accent">{t(data.type === 'VIEW' ? 'search.one.view' : 'search.one.table')}</Badge>
        )}
        <StatementActions sql={sql} name={table} copyName={names.map(sqlName).join('.')} />
      </header>
      {data !== undefined && (
        <>
          <Description texts={[data.description, data.remarks]} />
          <ObjectTags tags={data.tags} domains={data.domains} />
          <p className="object-page__facts">{t('object.updated', { time: formatTime(data.updated_ts) })}</p>
          <Tabs
            label={name}
            selected={tab}
            onSelect={setTab}
            items={[
              {
                id: 'columns',
                title: t('columns.count', { count: data.columns.length }),
                content: <ColumnList columns={data.columns} />,
              },
              {
                id: 'sample',
                title: t('sample.title'),
                content: <SampleRows sample={sample} size={SAMPLE_SIZE} inputOf={() => ({ sql })} />,
              },
            ]}
          />
        </>
      )}
    </main>
  );
}

/** The first description that there is: what people wrote, else the comment in the engine. */
function Description({ texts }: { readonly texts: readonly (string | null)[] }) {
  const { t } = useTranslation();
  const text = texts.find((each) => each !== null && each !== '');
  return (
    <p className="object-page__description" data-empty={text === undefined || undefined}>
      {text == null ? t('object.no-description') : <VisibleText text={text} lines="keep" />}
    </p>
  );
}
