import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { ifUnchanged, readVersioned, useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { Row, Stack } from '../ui/layout.tsx';

/** Setting of the tenant: whether users may let programs log in that no admin registered. */
export function ProgramSettingsForm() {
  const { t } = useTranslation();
  const client = useClient();
  const notice = useChangeNotice();
  const [chosen, setChosen] = useState<boolean>();
  const settings = useQuery({
    queryKey: QUERY_KEYS.adminRecord('oauth-settings'),
    queryFn: ({ signal }) => readVersioned((options) => client.api.getOAuthSettings({ signal, ...options })),
    staleTime: 0,
    gcTime: 0,
  });
  const reload = () => {
    setChosen(undefined);
    void settings.refetch();
  };
  const { start, isRunning, failure } = useAction(
    (isAllowed: boolean) =>
      client.api.putOAuthSettings({
        body: { client_metadata_documents: isAllowed ? 'allowed' : 'refused' },
        ...(settings.data === undefined ? {} : ifUnchanged(settings.data)),
      }),
    {
      onDone() {
        notice(t('admin.programs.documents.saved'), { action: 'UPDATE_OAUTH_SETTINGS' });
        reload();
      },
    },
  );
  return (
    <Loaded query={settings}>
      {({ value }) => {
        const isAllowed = value.client_metadata_documents === 'allowed';
        const isWanted = chosen ?? isAllowed;
        return (
          <Stack as="form" width="dialog" onSubmit={() => start(isWanted)}>
            <Checkbox
              label={t('admin.programs.documents')}
              description={t('admin.programs.documents.about')}
              isSelected={isWanted}
              onChange={setChosen}
            />
            {isAllowed && !isWanted && <Impact losses={[t('admin.impact.programs-documents')]} />}
            <Failure error={failure} onRetry={reload} retryLabel={t('admin.reload')} />
            {isWanted !== isAllowed && (
              <Row>
                <Button kind="primary" type="submit" isDisabled={isRunning}>
                  {t('action.save')}
                </Button>
              </Row>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}
