import type { ApiOperationTypes } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Section } from '../ui/layout.tsx';
import { visibleText } from '../ui/visible-text.tsx';

type OwnConsent = ApiOperationTypes['listOwnConsents']['result']['data'][number];

/** Programs that the user has let log in and that do not ask again, with a way to withdraw each consent. */
export function OwnConsents() {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const [asked, setAsked] = useState<OwnConsent>();
  const consents = useQuery({
    queryKey: QUERY_KEYS.ownConsents,
    queryFn: ({ signal }) => client.api.listOwnConsents({ signal }),
    staleTime: 0,
  });
  const { start, failure } = useAction(({ id }: OwnConsent) => client.api.withdrawConsent({ params: { id } }), {
    invalidates: [QUERY_KEYS.ownConsents, QUERY_KEYS.ownSessions],
    onDone: ({ input: { name, client_id: target } }) =>
      notice(t('account.consent.withdrawn', { name: visibleText(name) }), { action: 'WITHDRAW_CONSENT', target }),
  });
  return (
    <Section title={t('account.consents')}>
      <Failure error={failure} />
      <Loaded query={consents}>
        {({ data }) => (
          <DataTable
            label={t('account.consents')}
            items={data}
            idOf={({ id }) => id}
            empty={<EmptyState icon="code" title={t('account.consents.none')} />}
            columns={[
              { id: 'name', title: t('account.consent.program'), cell: ({ name }) => visibleText(name) },
              {
                id: 'scopes',
                title: t('account.consent.scopes'),
                cell: ({ scopes }) => scopes?.join(', ') ?? t('account.consent.everything'),
              },
              { id: 'time', title: t('account.consent.time'), cell: ({ updated_ts: time }) => formatTime(time) },
              { id: 'sessions', title: t('account.sessions'), cell: ({ session_count: count }) => count },
              {
                id: 'withdraw',
                title: t('account.consent.withdraw'),
                cell: (consent) => (
                  <Button
                    size="s"
                    kind="danger-quiet"
                    aria-label={t('account.consent.withdraw.of', { name: visibleText(consent.name) })}
                    onPress={() => setAsked(consent)}
                  >
                    {t('account.consent.withdraw')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <ConfirmDialog
        title={t('account.consent.withdraw')}
        action={t('account.consent.withdraw')}
        cancel={t('action.cancel')}
        isOpen={asked !== undefined}
        onConfirm={() => asked !== undefined && void start(asked)}
        onClose={() => setAsked(undefined)}
      >
        {asked !== undefined && <p>{t('account.consent.withdraw.about', { name: visibleText(asked.name) })}</p>}
      </ConfirmDialog>
    </Section>
  );
}
