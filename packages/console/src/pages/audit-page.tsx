import { useState } from 'react';
import { AuditFilterForm } from '../audit/audit-filter-form.tsx';
import { AuditLive } from '../audit/audit-live.tsx';
import { AuditRecords } from '../audit/audit-records.tsx';
import { ExportDialog } from '../audit/export-dialog.tsx';
import { VerifyDialog } from '../audit/verify/verify-dialog.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import { type AuditSearch, auditPath, readAuditSearch } from '../router/audit-address.ts';
import { navigate, useQueryString } from '../router/router.ts';
import { Button } from '../ui/button.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';

type View = 'records' | 'live';

/** Page on which an auditor searches the log, follows it and takes it along. */
export function AuditPage() {
  const { t } = useTranslation();
  const query = useQueryString();
  const search = readAuditSearch(query);
  const view: View = new URLSearchParams(query).get('view') === 'live' ? 'live' : 'records';
  const [isExporting, setExporting] = useState(false);
  const [isVerifying, setVerifying] = useState(false);
  const show = (next: AuditSearch, nextView: View = view) => navigate(auditPath(next, nextView));
  const filter = { ...search, position: undefined };
  return (
    <Page
      title={t('page.audit')}
      about={t('audit.about')}
      actions={
        <>
          <LinkButton to="/audit/summary" icon="chart">
            {t('page.audit-summary')}
          </LinkButton>
          <Button icon="check" onPress={() => setVerifying(true)}>
            {t('audit.verify')}
          </Button>
          <Button icon="download" onPress={() => setExporting(true)}>
            {t('action.export')}
          </Button>
        </>
      }
    >
      {/* Another search, such as a link of a record, fills the fields again. */}
      <AuditFilterForm key={auditPath(filter)} search={filter} onSearch={show} />
      <Tabs
        label={t('page.audit')}
        selected={view}
        onSelect={(id) => show(filter, id)}
        items={[
          {
            id: 'records',
            title: t('audit.view.records'),
            content: <AuditRecords search={search} onMove={(position) => show({ ...search, position })} />,
          },
          { id: 'live', title: t('audit.view.live'), content: <AuditLive search={filter} /> },
        ]}
      />
      <VerifyDialog isOpen={isVerifying} onClose={() => setVerifying(false)} />
      <ExportDialog search={filter} isOpen={isExporting} onClose={() => setExporting(false)} />
    </Page>
  );
}
