import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { domainPath } from '../router/object-paths.ts';
import { useListState } from '../router/query-parameters.ts';
import { navigate } from '../router/router.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { DomainForm } from '../steward/domains/domain-form.tsx';
import { DomainList } from '../steward/domains/domain-list.tsx';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { visibleText } from '../ui/visible-text.tsx';

/** Page with all domains. Who may change metadata creates new ones here. */
export function DomainsPage() {
  const { t } = useTranslation();
  const { permissions } = useCurrentUser();
  const { from, move } = useListState();
  const [isCreating, setCreating] = useState(false);
  const notice = useChangeNotice();
  return (
    <Page
      title={t('property.domains')}
      about={t('describe.domain.page.about')}
      actions={
        permissions.includes('metadata:write') && (
          <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
            {t('describe.domain.new')}
          </Button>
        )
      }
    >
      <DomainList from={from} onMove={move} />
      <Dialog title={t('describe.domain.new')} isOpen={isCreating} onClose={() => setCreating(false)}>
        <DomainForm
          found={undefined}
          onClose={() => setCreating(false)}
          onSaved={({ id, name }, requestId) => {
            notice(t('describe.domain.saved', { name: visibleText(name) }), { requestId });
            navigate(domainPath(id));
          }}
        />
      </Dialog>
    </Page>
  );
}
