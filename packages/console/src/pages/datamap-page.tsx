import type { FoundDatamap } from '@sluice/client';
import { useMemo, useState } from 'react';
import { ColumnList } from '../catalog/column-list.tsx';
import { DatamapActivity, DatamapReads, useDatamap } from '../datamaps/datamap-activity.tsx';
import { jdbcTypeName } from '../datamaps/jdbc-type-name.ts';
import { DownloadMenu } from '../downloads/download-menu.tsx';
import { datamapSource } from '../downloads/download-source.ts';
import { declaredEntry } from '../editor/parameters/declared-entry.ts';
import { type ParameterEntry, readEntry, type TypedValue } from '../editor/parameters/parameter-entry.ts';
import { ParameterForm } from '../editor/parameters/parameter-form.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import type { LinkParameters } from '../parameters/list-values.ts';
import { navigate } from '../router/router.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { ChangeList } from '../steward/changes/change-list.tsx';
import { DatamapLifecycle } from '../steward/lifecycle/datamap-lifecycle.tsx';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { notify } from '../ui/notifications.tsx';
import { Breadcrumbs, Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import { DatamapStatement } from './datamap-statement.tsx';
import { DescribeFields } from './describe-fields.tsx';
import { ObjectMetadata } from './object-metadata.tsx';
import { ObjectUnavailable } from './object-unavailable.tsx';
import { SampleRows, useSampleRun } from './sample-rows.tsx';
import { StatementActions } from './statement-actions.tsx';
import { type DatamapProps, useDatamapEdit } from './use-datamap-edit.ts';
import './object-page.css';

/** Most rows of a sample, even if the datamap has a larger preview. */
const SAMPLE_MAX = 1000;
const STATES = {
  DRAFT: { tone: 'warning', key: 'search.state.draft' },
  IN_PROGRESS: { tone: 'warning', key: 'search.state.in-progress' },
  ARCHIVED: { tone: 'neutral', key: 'search.state.archived' },
  PUBLISHED: { tone: 'success', key: 'datamap.published' },
} as const;

function DatamapBreadcrumbs() {
  const { t } = useTranslation();
  return (
    <Breadcrumbs label={t('catalog.breadcrumbs')} items={[{ text: t('page.search'), to: '/search?kind=datamap' }]} />
  );
}

/** Page of a datamap. */
export function DatamapPage({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const { id = '' } = parameters;
  const { data, error, isError, refetch } = useDatamap(id);
  // What is typed stays on the page when a later read fails.
  if (isError && data === undefined)
    return (
      <ObjectUnavailable
        error={error}
        missing={t('datamap.missing')}
        title={t('search.one.datamap')}
        breadcrumbs={<DatamapBreadcrumbs />}
        onRetry={refetch}
      />
    );
  if (data === undefined) return <Page title={t('search.one.datamap')} isTitleHidden isBusy />;
  return <Datamap key={id} found={data} refetch={async () => (await refetch()).data} />;
}

interface ParameterValues {
  readonly entries: Readonly<Record<string, ParameterEntry>>;
  readonly names: readonly string[];
  readonly change: (name: string, entry: ParameterEntry) => void;
  /** Values of the entries that are valid. */
  readonly values: Readonly<Record<string, TypedValue>>;
  /** Names of entries without a valid value. */
  readonly missing: readonly string[];
}

/** Values of the parameters that a datamap declares, beginning with their defaults. */
function useParameterValues({ datamap }: FoundDatamap): ParameterValues {
  const [changed, setChanged] = useState<Readonly<Record<string, ParameterEntry>>>({});
  const { parameters } = datamap;
  return useMemo(() => {
    const entries = {
      ...Object.fromEntries(parameters.map((parameter) => [parameter.name, declaredEntry(parameter)])),
      ...changed,
    };
    const read = Object.entries(entries).map(([name, entry]) => [name, readEntry(entry)] as const);
    return {
      entries,
      names: parameters.map(({ name }) => name),
      change: (name, entry) => setChanged((before) => ({ ...before, [name]: entry })),
      values: Object.fromEntries(read.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
      missing: read.flatMap(([name, value]) => (value === undefined ? [name] : [])),
    };
  }, [parameters, changed]);
}

function Datamap({ found, refetch }: DatamapProps) {
  const record = found.value;
  const { edit, mayEdit, mayChange } = useDatamapEdit({ found, refetch });
  const { t } = useTranslation();
  const [tab, setTab] = useState<'columns' | 'sample' | 'sql' | 'changes'>('columns');
  const sample = useSampleRun();
  const notice = useChangeNotice();
  const { permissions } = useCurrentUser();
  const { datamap } = record;
  const { sql } = datamap.advanced_mode;
  const { entries, names, change, values, missing } = useParameterValues(record);
  const { tone, key } = STATES[datamap.state];
  const readValues = () => {
    if (missing.length === 0) return values;
    notify({
      tone: 'danger',
      text: t('parameters.missing', { names: missing.map((name) => `$${name}`).join(', ') }),
    });
    return undefined;
  };
  const readInput = () => {
    const parameters = sql === null ? undefined : readValues();
    return sql === null || parameters === undefined ? undefined : { sql, parameters };
  };
  const size = Math.min(datamap.config.limit, SAMPLE_MAX);
  const loadSample = (): void => {
    const input = readInput();
    if (input !== undefined) sample.start({ ...input, size });
  };
  const leave = (requestId: string): void => {
    notice(t('lifecycle.done.delete', { name: visibleText(datamap.display_name) }), { requestId });
    navigate('/search?kind=datamap');
  };
  const columns = datamap.datamap_fields.map((field) => ({ ...field, type: jdbcTypeName(field) }));
  return (
    <Page
      title={datamap.display_name}
      breadcrumbs={<DatamapBreadcrumbs />}
      badge={
        <>
          <Badge tone={tone}>{t(key)}</Badge>
          {datamap.state === 'PUBLISHED' && permissions.includes('query:run') && (
            <DatamapDownload id={record.id} name={datamap.name} readValues={readValues} />
          )}
        </>
      }
      actions={sql !== null && <StatementActions sql={sql} name={datamap.name} parameters={entries} values={values} />}
    >
      <ObjectMetadata
        edit={edit}
        mayEdit={mayEdit}
        hasDisplayName
        descriptions={[record.description]}
        tags={record.tags}
        domains={record.topic_ids}
      />
      {mayChange && <DatamapLifecycle found={found} refetch={refetch} onDeleted={leave} />}
      <DatamapActivity record={record} />
      <DatamapFacts record={record} />
      <Tabs
        label={visibleText(datamap.display_name)}
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
                    ? (shown) => <DescribeFields edit={edit} fields={shown} sample={sample} onLoadSample={loadSample} />
                    : undefined
                }
              />
            ),
          },
          {
            id: 'sample',
            title: t('sample.title'),
            content: (
              <SampleRows sample={sample} size={size} readInput={readInput}>
                <ParameterForm parameters={{ names, rejected: [] }} entries={entries} onChange={change} />
              </SampleRows>
            ),
          },
          {
            id: 'sql',
            title: t('label.statement'),
            content: <DatamapStatement found={found} refetch={refetch} mayChange={mayChange} />,
          },
          ...(mayEdit
            ? [
                {
                  id: 'changes' as const,
                  title: t('describe.changes'),
                  content: <ChangeList object={{ type: 'DATAMAP', id: record.id }} current={found} refetch={refetch} />,
                },
              ]
            : []),
        ]}
      />
    </Page>
  );
}

function DatamapFacts({ record }: { readonly record: FoundDatamap }) {
  const { t, formatTime, formatNumber } = useTranslation();
  const { assigned, explanation } = record.datamap;
  return (
    <dl className="object-page__details">
      {assigned.to !== null && (
        <div>
          <dt>{t('label.owner')}</dt>
          <dd>
            <VisibleText text={assigned.to} />
          </dd>
        </div>
      )}
      {assigned.sme !== null && (
        <div>
          <dt>{t('datamap.sme')}</dt>
          <dd>
            <VisibleText text={assigned.sme} />
          </dd>
        </div>
      )}
      <div>
        <dt>{t('datamap.reads')}</dt>
        <dd>
          <DatamapReads reads={record.reads} />
        </dd>
      </div>
      <div>
        <dt>{t('datamap.use')}</dt>
        <dd>
          {t('datamap.use.counts', {
            views: formatNumber(record.view_count),
            runs: formatNumber(record.query_count),
            favourites: formatNumber(record.favourite_count),
          })}
        </dd>
      </div>
      <div>
        <dt>{t('object.changed')}</dt>
        <dd>{formatTime(record.updated_ts)}</dd>
      </div>
      {explanation !== '' && (
        <div>
          <dt>{t('datamap.explanation')}</dt>
          <dd className="object-page__description">
            <VisibleText text={explanation} lines="preserve" />
          </dd>
        </div>
      )}
    </dl>
  );
}

interface DatamapDownloadProps {
  readonly id: string;
  readonly name: string;
  /** Returns the values of the parameters, or undefined if one is missing, which the user has been shown. */
  readonly readValues: () => Readonly<Record<string, Pick<TypedValue, 'value'>>> | undefined;
}

/** Downloads the result of a published datamap with the values that the user has entered. */
function DatamapDownload({ id, name, readValues }: DatamapDownloadProps) {
  const { t } = useTranslation();
  const readTexts = (): LinkParameters | undefined => {
    const read = readValues();
    if (read === undefined) return undefined;
    const values = Object.entries(read);
    const nulls = values.flatMap(([parameter, { value }]) =>
      value === null || (value.length === 0 && Array.isArray(value)) ? [`$${parameter}`] : [],
    );
    if (nulls.length > 0) {
      // The address of a download has strings only: no NULL and no empty list.
      notify({ tone: 'danger', text: t('datamap.download.null', { names: nulls.join(', ') }) });
      return undefined;
    }
    return Object.fromEntries(values.map(([parameter, { value }]) => [parameter, value ?? '']));
  };
  return <DownloadMenu source={datamapSource({ id, name }, readTexts)} />;
}
