import { AuditSummary } from '../audit/audit-summary.tsx';
import { EVIDENCE_SPANS, type EvidenceSpan } from '../audit/evidence-range.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useListState } from '../router/query-parameters.ts';
import { Breadcrumbs, Page } from '../ui/page.tsx';
import { SelectField } from '../ui/select-field.tsx';

const isSpan = (text: string | undefined): text is EvidenceSpan => EVIDENCE_SPANS.some((span) => span === text);

/** Page that counts the records of the audit log. */
export function AuditSummaryPage() {
  const { t } = useTranslation();
  const { text, search } = useListState();
  const given = text('range');
  const span = isSpan(given) ? given : 'month';
  return (
    <Page
      title={t('page.audit-summary')}
      about={t('audit.summary.about')}
      breadcrumbs={
        <Breadcrumbs label={t('audit.summary.breadcrumbs')} items={[{ text: t('page.audit'), to: '/audit' }]} />
      }
    >
      <SelectField
        label={t('label.time')}
        value={span}
        choices={EVIDENCE_SPANS.map((id) => ({
          id,
          label: id === 'year' ? t('audit.verify.range.year') : t(`audit.filter.range.${id}`),
        }))}
        onChange={(range) => search({ range })}
      />
      <AuditSummary key={span} span={span} />
    </Page>
  );
}
