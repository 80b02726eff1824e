import { type Finding, SAVED_CHECKPOINT } from '@sluice/audit/verify-in-browser';
import { type Translate, useTranslation } from '../../i18n/translate.tsx';
import { visibleText } from '../../result/cell-text.ts';
import { auditPath, RANGE_MS } from '../../router/audit-address.ts';
import { Link } from '../../router/link.tsx';
import { Icon } from '../../ui/icon.tsx';
import { type Fact, FactTable } from './fact-table.tsx';
import type { Verification } from './use-verification.ts';

interface FoundChangeProps {
  readonly finding: Finding;
  readonly verification: Verification;
  /** Called when the user follows the link to the record. */
  readonly onFollow: () => void;
}

/** Returns what was found, and where: the most exact place that is known. */
function describeFinding({ kind, sequence, checkpoint, member }: Finding, t: Translate): string {
  if (sequence !== undefined) return t(`audit.verify.record.${kind}`, { sequence });
  if (member === SAVED_CHECKPOINT) return t('audit.verify.saved.unusable');
  if (checkpoint !== undefined) return t(`audit.verify.checkpoint.${kind}`, { number: checkpoint });
  return t('audit.verify.package', { member: visibleText(member ?? 'audit.ndjson') });
}

/** The first place at which the log is not what was sealed, its time, a link to it, and what to do. */
export function FoundChange({ finding, verification, onFollow }: FoundChangeProps) {
  const { t, formatTime } = useTranslation();
  const { records, last } = verification.verdict;
  const facts: readonly Fact[] = [
    { id: 'reason', name: t('audit.verify.fact.reason'), value: visibleText(finding.reason) },
    ...(finding.timeMs === undefined
      ? []
      : [
          {
            id: 'time' as const,
            name: t('audit.verify.fact.time'),
            value: t('audit.verify.at', { time: formatTime(finding.timeMs) }),
          },
        ]),
    ...(last === undefined
      ? []
      : [
          {
            id: 'intact' as const,
            name: t('audit.verify.fact.intact'),
            value: t('audit.verify.before', {
              count: records,
              sequence: last.sequence,
              time: formatTime(last.timeMs),
            }),
          },
        ]),
  ];
  return (
    <div role="alert" className="verify-result__found">
      <h3 className="verify-result__title">
        <Icon name="error" />
        {describeFinding(finding, t)}
      </h3>
      <FactTable facts={facts} />
      <RecordLink finding={finding} verification={verification} onFollow={onFollow} />
      <p>{t(finding.member === SAVED_CHECKPOINT ? 'audit.verify.saved.todo' : 'audit.verify.todo')}</p>
    </div>
  );
}

/** Link to the record, or to those around the place where one is missing. */
function RecordLink({ finding, verification, onFollow }: FoundChangeProps) {
  const { t } = useTranslation();
  const { timeMs, sequence } = finding;
  const around = sequence === undefined ? undefined : verification.verdict.last?.timeMs;
  const [start, end] =
    timeMs === undefined
      ? [
          around === undefined ? undefined : around - RANGE_MS.hour,
          around === undefined ? undefined : around + RANGE_MS.hour,
        ]
      : [timeMs, timeMs + 1];
  if (start === undefined || end === undefined) return null;
  return (
    <p>
      <Link to={auditPath({ range: 'custom', start: Math.max(0, start), end })} onClick={onFollow}>
        {t(timeMs === undefined ? 'audit.verify.show-around' : 'audit.verify.show')}
      </Link>
    </p>
  );
}
