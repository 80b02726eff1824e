import type { FileImport, ReportedObject } from '@sluice/client';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/translate.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import type { ImportReport } from './import-report.ts';
import { type ObjectChange, valueText } from './value-text.ts';

interface ImportResultsProps {
  readonly status: FileImport;
  readonly report: ImportReport;
  /** Next actions. They precede the lists of objects, which may be long. */
  readonly children: ReactNode;
}

/** Returns the key of the sentence about the end of an import. */
function toResultKey({ state, dry_run: isDryRun }: FileImport) {
  if (state === 'FINISHED') return isDryRun ? 'dry-run' : 'applied';
  const end = state === 'CANCELLED' ? 'cancelled' : 'failed';
  return isDryRun ? (`${end}-dry-run` as const) : end;
}

/** Counts of an import, what a dry run would change, and what was not applied. */
export function ImportResults({ status, report, children }: ImportResultsProps) {
  const { t } = useTranslation();
  const { dry_run: isDryRun, changed_count: changed, success_count: succeeded, failure_count: failed } = status;
  const missing = status.total_count - status.processed_count;
  const kind = isDryRun ? 'dry-run' : 'applied';
  const notApplied = failed + missing;
  return (
    <div className="metadata-import">
      <p className="metadata-import__title" role="status">
        {t(`import.result.${toResultKey(status)}`)}
      </p>
      {isDryRun && status.state === 'FINISHED' && notApplied === 0 && (
        <p className="metadata-import__about">{t('import.valid')}</p>
      )}
      {status.error !== null && (
        <p>
          <VisibleText text={status.error.message} />
        </p>
      )}
      <ul className="metadata-import__counts">
        <li>{t(`import.count.changed.${kind}`, { count: changed })}</li>
        <li>{t('import.count.same', { count: succeeded - changed })}</li>
        <li>{t(`import.count.failed.${kind}`, { count: failed })}</li>
        {missing > 0 && <li>{t('import.count.missing', { count: missing })}</li>}
      </ul>
      {children}
      {report.failed.length > 0 && <FailedObjects objects={report.failed} total={notApplied} />}
      {report.changed.length > 0 && <Changes objects={report.changed} total={changed} />}
    </div>
  );
}

interface ObjectsProps {
  readonly objects: readonly ReportedObject[];
  readonly total: number;
}

function Shown({ objects, total }: ObjectsProps) {
  const { t, formatNumber } = useTranslation();
  if (objects.length >= total) return null;
  return (
    <p className="metadata-import__about">
      {t('import.first', { shown: formatNumber(objects.length), total: formatNumber(total) })}
    </p>
  );
}

function FailedObjects({ objects, total }: ObjectsProps) {
  const { t, formatNumber } = useTranslation();
  return (
    <section className="metadata-import">
      <h2 className="metadata-import__section">{t('import.failed')}</h2>
      <Shown objects={objects} total={total} />
      <DataTable
        label={t('import.failed')}
        items={objects}
        idOf={({ line, id }) => `${line} ${id}`}
        columns={[
          { id: 'object', title: t('import.object'), cell: ({ id }) => <VisibleText text={id} /> },
          { id: 'line', title: t('import.line'), isNumber: true, cell: ({ line }) => formatNumber(line) },
          {
            id: 'why',
            title: t('import.why'),
            cell: ({ error_message: why }) => <VisibleText text={why ?? t('import.why.missing')} />,
          },
        ]}
      />
    </section>
  );
}

interface ListedChange extends ObjectChange {
  readonly key: string;
  readonly object: string;
}

const listChanges = (objects: readonly ReportedObject[]): ListedChange[] =>
  objects.flatMap(({ id, line, changes = [] }) =>
    changes.map((change) => ({
      ...change,
      key: `${line} ${change.field ?? ''} ${change.property}`,
      object: change.field === null ? id : `${id}: ${change.field}`,
    })),
  );

/** Longest beginning of a value in a list. */
const VALUE_CHARACTERS = 300;

function Changes({ objects, total }: ObjectsProps) {
  const { t } = useTranslation();
  const cell = (value: ObjectChange['before']) => {
    const text = valueText(value, VALUE_CHARACTERS);
    return text === '' ? (
      <span className="metadata-import__about">{t('steward.conflict.none')}</span>
    ) : (
      <div className="metadata-import__value">
        <VisibleText text={text} lines="preserve" />
      </div>
    );
  };
  return (
    <section className="metadata-import">
      <h2 className="metadata-import__section">{t('import.changes')}</h2>
      <Shown objects={objects} total={total} />
      <DataTable
        label={t('import.changes')}
        items={listChanges(objects)}
        idOf={({ key }) => key}
        columns={[
          { id: 'object', title: t('import.object'), cell: ({ object }) => <VisibleText text={object} /> },
          { id: 'property', title: t('import.property'), cell: ({ property }) => t(`describe.property.${property}`) },
          { id: 'before', title: t('import.before'), cell: ({ before }) => cell(before) },
          { id: 'after', title: t('import.after'), cell: ({ after }) => cell(after) },
        ]}
      />
    </section>
  );
}
