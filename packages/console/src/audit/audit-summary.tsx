import type { ApiOperationTypes } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { type AuditLink, auditPath } from '../router/audit-address.ts';
import { Loaded } from '../ui/failure.tsx';
import { Note, Section } from '../ui/layout.tsx';
import { REJECTIONS } from './audit-actions.ts';
import { type EvidenceSpan, spanBefore } from './evidence-range.ts';
import { SummaryBars } from './summary-bars.tsx';
import './audit-summary.css';

type Summary = ApiOperationTypes['summarizeAuditLogs']['result'];

/** Names of each list. */
const NAMES = 15;
/** More than there are actions, so that those that are rejections are among them. */
const ACTIONS = 200;

interface AuditSummaryProps {
  readonly span: EvidenceSpan;
}

/** The tables that were read most, the most active users, and what was rejected, in a time before now. */
export function AuditSummary({ span }: AuditSummaryProps) {
  const { t } = useTranslation();
  return (
    <div className="audit-summary">
      <CountedNames
        title={t('audit.summary.tables')}
        about={t('audit.summary.tables.about')}
        empty={t('audit.summary.tables.none')}
        by="table"
        span={span}
        linkOf={(name) => ({ reads: name })}
      />
      <CountedNames
        title={t('audit.summary.users')}
        empty={t('audit.empty')}
        by="user"
        span={span}
        linkOf={(name) => ({ user: name, hasPageLoads: true })}
      />
      <CountedNames
        title={t('audit.summary.rejections')}
        about={t('audit.summary.rejections.about')}
        empty={t('audit.summary.rejections.none')}
        by="action"
        span={span}
        isShown={(name) => REJECTIONS.has(name)}
        linkOf={(name) => ({ action: name })}
      />
    </div>
  );
}

interface CountedNamesProps extends AuditSummaryProps {
  readonly title: string;
  readonly about?: string;
  readonly empty: string;
  readonly by: Summary['by'];
  readonly isShown?: (name: string) => boolean;
  readonly linkOf: (name: string) => AuditLink;
}

function CountedNames({ title, about, empty, by, span, isShown = () => true, linkOf }: CountedNamesProps) {
  const { t } = useTranslation();
  const client = useClient();
  const query = useQuery({
    queryKey: QUERY_KEYS.auditSummary(by, span),
    queryFn: ({ signal }) => {
      const range = spanBefore(span, Date.now());
      return client.api.summarizeAuditLogs({
        query: { by, ...range, size: by === 'action' ? ACTIONS : NAMES },
        signal,
      });
    },
    // Every read is recorded, so it is not repeated by itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Section title={title}>
      {about !== undefined && <Note>{about}</Note>}
      <Loaded query={query} waiting={<Note role="status">{t('audit.loading')}</Note>}>
        {({ data, total, start, end }) => {
          const names = data.filter(({ name }) => isShown(name));
          const range = { range: 'custom', start, end } as const;
          return (
            <>
              {names.length === 0 && <Note>{empty}</Note>}
              {names.length > 0 && (
                <SummaryBars label={title} names={names} pathOf={(name) => auditPath({ ...linkOf(name), ...range })} />
              )}
              {total > data.length && <Note size="s">{t('audit.summary.more', { count: total - data.length })}</Note>}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
