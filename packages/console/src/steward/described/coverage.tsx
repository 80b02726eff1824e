import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.tsx';
import { Link } from '../../router/link.tsx';
import { catalogPath } from '../../router/object-paths.ts';
import { useListState } from '../../router/query-parameters.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, Pager } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/failure.tsx';
import { Note, Row, Section, Stack } from '../../ui/layout.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { VisibleText, visibleText } from '../../ui/visible-text.tsx';
import { COVERAGE_PAGE_SIZE, type CoverageFilter, useCoverage, useUndescribed } from './use-coverage.ts';

/** Share of the catalog that is described, and the tables that are not, most used first. */
export function Coverage() {
  const state = useListState();
  const filter = { catalog: state.text('catalog'), schema: state.text('schema') };
  return (
    <Stack>
      <Schemas onChoose={(chosen) => state.search({ ...chosen, tab: 'coverage' })} />
      <Undescribed
        filter={filter}
        from={state.from}
        onMove={state.move}
        onClear={() => state.search({ catalog: undefined, schema: undefined, tab: 'coverage' })}
      />
    </Stack>
  );
}

function Schemas({ onChoose }: { readonly onChoose: (filter: CoverageFilter) => void }) {
  const { t } = useTranslation();
  const [from, setFrom] = useState(0);
  const coverage = useCoverage(from);
  return (
    <Loaded query={coverage}>
      {({ table_count: tables, described_count: described, total, data }) => (
        <>
          <ProgressBar
            label={t('describe.coverage')}
            value={tables === 0 ? 1 : described / tables}
            text={t('describe.coverage.count', { described, count: tables })}
          />
          <DataTable
            label={t('describe.coverage.schemas')}
            items={data}
            idOf={({ catalog, schema }) => JSON.stringify([catalog, schema])}
            empty={<Note>{t('describe.coverage.no-tables')}</Note>}
            columns={[
              {
                id: 'schema',
                title: t('describe.coverage.schema'),
                cell: ({ catalog, schema }) => {
                  const path = catalogPath(catalog, schema);
                  const text = <VisibleText text={`${catalog}.${schema}`} />;
                  return path === undefined ? text : <Link to={path}>{text}</Link>;
                },
              },
              {
                id: 'described',
                title: t('describe.coverage.described'),
                isNumber: true,
                cell: ({ table_count: count, described_count: done }) =>
                  t('describe.coverage.of', { described: done, count }),
              },
              {
                id: 'rest',
                title: t('describe.coverage.rest'),
                cell: ({ catalog, schema, table_count: count, described_count: done }) =>
                  done < count && (
                    <Button
                      size="s"
                      aria-label={t('describe.coverage.show-schema', {
                        count: count - done,
                        schema: visibleText(`${catalog}.${schema}`),
                      })}
                      onPress={() => onChoose({ catalog, schema })}
                    >
                      {t('describe.coverage.show', { count: count - done })}
                    </Button>
                  ),
              },
            ]}
          />
          <Pager
            label={t('describe.coverage.schemas')}
            from={from}
            size={COVERAGE_PAGE_SIZE}
            total={total}
            onMove={setFrom}
          />
        </>
      )}
    </Loaded>
  );
}

interface UndescribedProps {
  readonly filter: CoverageFilter;
  readonly from: number;
  readonly onMove: (from: number) => void;
  readonly onClear: () => void;
}

function Undescribed({ filter, from, onMove, onClear }: UndescribedProps) {
  const { t, formatNumber } = useTranslation();
  const tables = useUndescribed(filter, from);
  const { catalog, schema } = filter;
  return (
    <Section title={t('describe.undescribed')}>
      {catalog !== undefined && schema !== undefined && (
        <Row>
          <Note>{t('describe.undescribed.of', { schema: visibleText(`${catalog}.${schema}`) })}</Note>
          <Button size="s" icon="close" onPress={onClear}>
            {t('describe.undescribed.all')}
          </Button>
        </Row>
      )}
      <Loaded query={tables}>
        {({ total, data }) => (
          <>
            <DataTable
              label={t('describe.undescribed')}
              items={data}
              idOf={({ id }) => id}
              empty={
                <EmptyState
                  icon="check"
                  title={t('describe.undescribed.none')}
                  message={t('describe.undescribed.none.about')}
                />
              }
              columns={[
                {
                  id: 'name',
                  title: t('label.name'),
                  cell: ({ id, catalog: own, schema: within, name }) => {
                    const path = catalogPath(own, within, name);
                    return path === undefined ? (
                      <VisibleText text={id} />
                    ) : (
                      <Link to={path}>
                        <VisibleText text={id} />
                      </Link>
                    );
                  },
                },
                {
                  id: 'reads',
                  title: t('describe.undescribed.reads'),
                  isNumber: true,
                  cell: ({ read_count: reads }) => formatNumber(reads),
                },
                {
                  id: 'columns',
                  title: t('describe.undescribed.columns'),
                  isNumber: true,
                  cell: ({ column_count: count, described_column_count: described }) =>
                    t('describe.coverage.of', { described, count }),
                },
              ]}
            />
            <Pager
              label={t('describe.undescribed')}
              from={from}
              size={COVERAGE_PAGE_SIZE}
              total={total}
              onMove={onMove}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}
