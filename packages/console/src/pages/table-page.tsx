import type { ApiOperationTypes } from '@sluice/client';
import { sqlName } from '@sluice/contract/sql';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { readVersioned, useClient, type Versioned } from '../api/use-client.ts';
import { CatalogBreadcrumbs } from '../catalog/catalog-breadcrumbs.tsx';
import { ColumnList } from '../catalog/column-list.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { ChangeList } from '../steward/changes/change-list.tsx';
import { describedObject } from '../steward/metadata-edit.ts';
import { useMetadataEdit } from '../steward/use-metadata-edit.ts';
import { AuditLogLink } from '../ui/audit-log-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Note, Row } from '../ui/layout.tsx';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { DescribeFields } from './describe-fields.tsx';
import { ObjectMetadata } from './object-metadata.tsx';
import { ObjectUnavailable } from './object-unavailable.tsx';
import { SampleRows, useSampleRun } from './sample-rows.tsx';
import { StatementActions } from './statement-actions.tsx';

type FoundTable = ApiOperationTypes['getCatalogTable']['result'];

/** Rows of a sample. */
const SAMPLE_SIZE = 100;

const describeTable = ({ value, entityTag }: Versioned<FoundTable>) => {
  const { type, id, description, tags, domains, owner, columns } = value;
  const own = { description: description ?? '', tags, domains, owner: owner ?? '' };
  return { value: describedObject({ type, id }, own, columns), entityTag };
};

/** Page of a table or view. */
export function TablePage({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const client = useClient();
  const { catalog = '', schema = '', table = '' } = parameters;
  const names = [catalog, schema, table];
  const found = useQuery({
    queryKey: QUERY_KEYS.table(names),
    queryFn: ({ signal }) =>
      readVersioned((options) =>
        client.api.getCatalogTable({ params: { catalog, schema, table }, signal, ...options }),
      ),
  });
  const breadcrumbs = <CatalogBreadcrumbs names={names.slice(0, -1)} />;
  // What is typed stays on the page when a later read fails.
  if (found.isError && found.data === undefined)
    return (
      <ObjectUnavailable
        error={found.error}
        missing={t('table.missing', { name: visibleText(names.join('.')) })}
        title={table}
        breadcrumbs={breadcrumbs}
        onRetry={found.refetch}
      />
    );
  // `SELECT *` of the whole name, because its schema may not be the default.
  const sql = `SELECT * FROM ${names.map(sqlName).join('.')}`;
  const { data } = found;
  return (
    <Page
      title={table}
      breadcrumbs={breadcrumbs}
      badge={
        data !== undefined && (
          <Badge tone="accent">{t(data.value.type === 'VIEW' ? 'search.one.view' : 'search.one.table')}</Badge>
        )
      }
      actions={<StatementActions sql={sql} name={table} copyName={names.map(sqlName).join('.')} />}
    >
      {data !== undefined && (
        <TableDetails key={data.value.id} found={data} sql={sql} refetch={async () => (await found.refetch()).data} />
      )}
    </Page>
  );
}

interface TableDetailsProps {
  readonly found: Versioned<FoundTable>;
  readonly sql: string;
  readonly refetch: () => Promise<Versioned<FoundTable> | undefined>;
}

function TableDetails({ found, sql, refetch }: TableDetailsProps) {
  const { t, formatTime } = useTranslation();
  const { permissions } = useCurrentUser();
  const mayEdit = permissions.includes('metadata:write');
  const [tab, setTab] = useState<'columns' | 'sample' | 'changes'>('columns');
  const sample = useSampleRun();
  const read = useMemo(() => describeTable(found), [found]);
  const edit = useMetadataEdit({
    read,
    refetch: async () => {
      const again = await refetch();
      return again && describeTable(again);
    },
  });
  const { columns, description, remarks, tags, domains, owner, updated_ts: updatedTs } = found.value;
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
      <Row>
        {owner !== null && <Note size="s">{t('describe.owner', { owner: visibleText(owner) })}</Note>}
        <Note size="s">{t('object.updated', { time: formatTime(updatedTs) })}</Note>
        <AuditLogLink search={{ reads: found.value.id }} text={t('object.who-read')} />
      </Row>
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
                renderForms={
                  mayEdit && edit.isOpen
                    ? (shown) => (
                        <DescribeFields
                          edit={edit}
                          fields={shown}
                          sample={sample}
                          onLoadSample={() => sample.start({ sql, size: SAMPLE_SIZE })}
                        />
                      )
                    : undefined
                }
              />
            ),
          },
          {
            id: 'sample',
            title: t('sample.title'),
            content: <SampleRows sample={sample} size={SAMPLE_SIZE} readInput={() => ({ sql })} />,
          },
          ...(mayEdit
            ? [
                {
                  id: 'changes' as const,
                  title: t('describe.changes'),
                  content: <ChangeList object={read.value} current={found} refetch={refetch} />,
                },
              ]
            : []),
        ]}
      />
    </>
  );
}
