import type { ApiOperationTypes } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { readVersioned, type Versioned } from '../api/versioned.ts';
import { CatalogTrail } from '../catalog/catalog-trail.tsx';
import { ColumnList } from '../catalog/column-list.tsx';
import { sqlName } from '../editor/completion/sql-words.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { FieldForms } from '../steward/field-forms.tsx';
import { describedObject } from '../steward/metadata-edit.ts';
import { useMetadataEdit } from '../steward/use-metadata-edit.ts';
import { Badge } from '../ui/badge.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { ObjectMetadata } from './object-metadata.tsx';
import { ObjectUnavailable } from './object-unavailable.tsx';
import { SampleRows, useSample } from './sample-rows.tsx';
import { StatementActions } from './statement-actions.tsx';
import './object-page.css';

type FoundTable = ApiOperationTypes['getCatalogTable']['result'];

/** Rows of a sample. */
const SAMPLE_SIZE = 100;

const describeTable = ({ value, entityTag }: Versioned<FoundTable>) => {
  const { type, id, description, tags, columns } = value;
  return { value: describedObject({ type, id }, { description: description ?? '', tags }, columns), entityTag };
};

/** Page of a table or view. */
export function TablePage({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const client = useClient();
  const { catalog = '', schema = '', table = '' } = parameters;
  const names = [catalog, schema, table];
  const found = useQuery({
    queryKey: ['table', ...names],
    queryFn: ({ signal }) =>
      readVersioned((options) =>
        client.api.getCatalogTable({ params: { catalog, schema, table }, signal, ...options }),
      ),
  });
  usePageTitle(visibleText(table));
  const trail = <CatalogTrail names={names.slice(0, -1)} />;
  // What is typed stays on the page when a later read fails.
  if (found.isError && found.data === undefined)
    return (
      <ObjectUnavailable
        error={found.error}
        missing={t('table.missing', { name: visibleText(names.join('.')) })}
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
          <Badge tone="accent">{t(data.value.type === 'VIEW' ? 'search.one.view' : 'search.one.table')}</Badge>
        )}
        <StatementActions sql={sql} name={table} copyName={names.map(sqlName).join('.')} />
      </header>
      {data !== undefined && (
        <TableDetails key={data.value.id} found={data} sql={sql} reread={async () => (await found.refetch()).data} />
      )}
    </main>
  );
}

interface TableDetailsProps {
  readonly found: Versioned<FoundTable>;
  readonly sql: string;
  readonly reread: () => Promise<Versioned<FoundTable> | undefined>;
}

function TableDetails({ found, sql, reread }: TableDetailsProps) {
  const { t, formatTime } = useTranslation();
  const { permissions } = useCurrentUser();
  const mayEdit = permissions.includes('metadata:write');
  const [tab, setTab] = useState<'columns' | 'sample'>('columns');
  const sample = useSample();
  const read = useMemo(() => describeTable(found), [found]);
  const edit = useMetadataEdit({
    read,
    reread: async () => {
      const again = await reread();
      return again && describeTable(again);
    },
  });
  const { columns, description, remarks, tags, domains, updated_ts: updatedTs } = found.value;
  return (
    <>
      <ObjectMetadata
        edit={edit}
        mayEdit={mayEdit}
        hasDisplayName={false}
        descriptions={[description, remarks]}
        tags={tags}
        domains={domains}
      />
      <p className="object-page__facts">{t('object.updated', { time: formatTime(updatedTs) })}</p>
      <Tabs
        label={visibleText(found.value.name)}
        selected={tab}
        onSelect={setTab}
        items={[
          {
            id: 'columns',
            title: t('columns.count', { count: columns.length }),
            content: (
              <ColumnList
                columns={columns}
                renderForms={mayEdit && edit.isOpen ? (shown) => <FieldForms edit={edit} fields={shown} /> : undefined}
              />
            ),
          },
          {
            id: 'sample',
            title: t('sample.title'),
            content: <SampleRows sample={sample} size={SAMPLE_SIZE} inputOf={() => ({ sql })} />,
          },
        ]}
      />
    </>
  );
}
