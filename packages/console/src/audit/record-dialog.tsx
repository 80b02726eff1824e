import type { AuditEntry } from '@sluice/client';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { type AuditLink, auditPath } from '../router/audit-address.ts';
import { Link } from '../router/link.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { IdText } from '../ui/id-text.tsx';
import { Note } from '../ui/layout.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { OpenRecord } from './open-record.ts';
import { RecordOutcome, RecordSentence } from './record-table.tsx';
import { tablesOf } from './record-tables.ts';
import './record-dialog.css';

/** Characters of a value that the dialog shows: more would take seconds to lay out. */
const SHOWN_CHARACTERS = 50_000;

interface RecordDialogProps {
  /** Undefined: the dialog is closed. */
  readonly record: OpenRecord | undefined;
  readonly onClose: () => void;
}

/** Everything that the log has about one action: a sentence, its facts, the statement, and the record as JSON. */
export function RecordDialog({ record, onClose }: RecordDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('audit.record')} width="l" isOpen={record !== undefined} onClose={onClose}>
      {record !== undefined && <RecordDetails {...record} onFollow={onClose} />}
      <DialogActions onClose={onClose} />
    </Dialog>
  );
}

function RecordDetails({ entry, json, onFollow }: OpenRecord & { readonly onFollow: () => void }) {
  const { t } = useTranslation();
  const { sql } = entry.metadata;
  return (
    <div className="record-details">
      <p className="record-details__sentence">
        <RecordSentence record={entry} />
      </p>
      <RecordOutcome record={entry} />
      <dl className="record-details__facts">
        <Facts entry={entry} />
      </dl>
      <nav className="record-details__links" aria-label={t('audit.record')}>
        <Related entry={entry} onFollow={onFollow} />
      </nav>
      <TablesRead tables={tablesOf(entry)} onFollow={onFollow} />
      {typeof sql === 'string' && <LongText title={t('label.statement')} text={sql} />}
      <LongText
        title={t('audit.record.json')}
        text={json}
        action={<CopyButton text={json} label={t('audit.record.copy')} />}
      />
    </div>
  );
}

function Facts({ entry }: { readonly entry: AuditEntry }) {
  const { t, formatTime } = useTranslation();
  const facts: readonly (readonly [name: string, value: string | null, isId?: boolean])[] = [
    [t('audit.record.time'), `${formatTime(entry.timestamp)} (${new Date(entry.timestamp).toISOString()})`],
    [t('audit.record.user'), entry.user],
    [t('label.action'), entry.action],
    [t('label.target'), entry.target],
    [t('audit.record.address'), entry.address],
    [t('audit.record.program'), entry.user_agent],
    [t('label.query-id'), entry.query_id, true],
    [t('label.request-id'), entry.request_id, true],
    [t('audit.record.session'), entry.session_id, true],
    [t('audit.record.id'), entry.id, true],
  ];
  return facts.map(([name, value, isId = false]) =>
    value === null || value === undefined || value === '' ? null : (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{isId ? <IdText id={value} name={name} /> : <VisibleText text={value} />}</dd>
      </div>
    ),
  );
}

function Related({ entry, onFollow }: { readonly entry: AuditEntry; readonly onFollow: () => void }) {
  const { t } = useTranslation();
  const links: readonly (readonly [string, AuditLink, boolean])[] = [
    [t('audit.record.same-user'), { user: entry.user }, true],
    [t('audit.record.same-target'), { target: entry.target }, entry.target !== '' && entry.target !== entry.query_id],
    [t('audit.record.same-query'), { queryId: entry.query_id ?? undefined }, entry.query_id !== null],
    [t('audit.record.same-request'), { requestId: entry.request_id ?? undefined }, entry.request_id !== null],
  ];
  return links.map(([title, search, isThere]) =>
    isThere ? (
      <Link key={title} to={auditPath(search)} onClick={onFollow}>
        {title}
      </Link>
    ) : null,
  );
}

const UNKNOWN_TABLES = { shown: [], count: 0, isAtLeast: false } as const;

interface TablesReadProps {
  readonly tables: ReturnType<typeof tablesOf>;
  readonly onFollow: () => void;
}

/** The tables of a record. Says so if it has none, if they are not known, and if there are more than it lists. */
function TablesRead({ tables, onFollow }: TablesReadProps) {
  const { t } = useTranslation();
  if (tables === undefined) return null;
  const { shown, count, isAtLeast } = tables === 'unknown' ? UNKNOWN_TABLES : tables;
  const isMore = isAtLeast || count > shown.length;
  return (
    <section className="record-details__tables" aria-label={t('audit.record.tables')}>
      <h3>{t('audit.record.tables')}</h3>
      {count === 0 && (
        <Note>{t(tables === 'unknown' ? 'audit.record.tables.unknown' : 'audit.record.tables.none')}</Note>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map((name) => (
            <li key={name}>
              <VisibleText text={name} />{' '}
              <Link to={auditPath({ reads: name })} onClick={onFollow}>
                {t('object.who-read')}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {isMore && (
        <Note>
          {t(isAtLeast ? 'audit.record.tables.at-least' : 'audit.record.tables.more', { shown: shown.length, count })}
        </Note>
      )}
    </section>
  );
}

interface LongTextProps {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

function LongText({ title, text, action }: LongTextProps) {
  const { t } = useTranslation();
  return (
    <section className="record-details__text" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {action}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls needs the focus to be scrolled by keys */}
      <pre tabIndex={0}>
        <VisibleText text={text.slice(0, SHOWN_CHARACTERS)} lines="preserve" />
      </pre>
      {text.length > SHOWN_CHARACTERS && (
        <p>{t('audit.record.shortened', { shown: SHOWN_CHARACTERS, count: text.length })}</p>
      )}
    </section>
  );
}
