import type { AuditEntry } from '@sluice/client';
import { useTranslation } from '../i18n/translate.tsx';
import { Badge } from '../ui/badge.tsx';
import './record-outcome.css';

type ShownRecord = Pick<AuditEntry, 'action' | 'metadata'>;

const STATES = {
  FINISHED: { tone: 'success', key: 'query-state.FINISHED' },
  FAILED: { tone: 'danger', key: 'query-state.FAILED' },
  CANCELLED: { tone: 'neutral', key: 'query-state.CANCELLED' },
  UNKNOWN: { tone: 'warning', key: 'query-state.UNKNOWN' },
} as const;

const REJECTIONS: ReadonlySet<string> = new Set(['ACCESS_DENIED', 'LOGIN_FAILED', 'REFRESH_TOKEN_REUSED']);

/** Outcome of an action: the state and rows of a query, or "rejected". Renders nothing for other actions, which have succeeded. */
export function RecordOutcome({ record: { action, metadata } }: { readonly record: ShownRecord }) {
  const { t } = useTranslation();
  if (REJECTIONS.has(action)) return <Badge tone="warning">{t('audit.state.rejected')}</Badge>;
  const { state, rows, at_least: isAtLeast } = metadata;
  const known = Object.entries(STATES).find(([name]) => name === state)?.[1];
  if (known === undefined) return null;
  return (
    <span className="record-outcome">
      <Badge tone={known.tone}>{t(known.key)}</Badge>
      {typeof rows === 'number' && (
        <span className="record-outcome__rows">
          {t(isAtLeast === true ? 'count.rows-at-least' : 'count.rows', { count: rows })}
        </span>
      )}
    </span>
  );
}
