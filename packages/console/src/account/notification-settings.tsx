import type { ApiOperationTypes } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser } from '../session/session-context.tsx';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Failure, Loaded } from '../ui/failure.tsx';
import { Note, Section, Stack } from '../ui/layout.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { visibleText } from '../ui/visible-text.tsx';

type StoredSettings = ApiOperationTypes['getNotificationSettings']['result'];
type Settings = Omit<StoredSettings, 'email' | 'is_mail_configured'>;
type MailLanguage = Settings['language'];

const KINDS = ['access_requests', 'access_decisions', 'grant_endings', 'new_devices'] as const;

/** Languages of mails with their own names. The console itself may have fewer. */
const MAIL_LANGUAGES: Readonly<Record<MailLanguage, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

/** Form with the mails that the user gets, and their language. */
export function NotificationSettings() {
  const { t } = useTranslation();
  const client = useClient();
  const settings = useQuery({
    queryKey: QUERY_KEYS.notificationSettings,
    queryFn: ({ signal }) => client.api.getNotificationSettings({ signal }),
  });
  return (
    <Section title={t('mails.title')} width="dialog">
      <Loaded query={settings}>{(stored) => <SettingsForm stored={stored} />}</Loaded>
    </Section>
  );
}

function SettingsForm({ stored }: { readonly stored: StoredSettings }) {
  const { t } = useTranslation();
  const client = useClient();
  const { user } = useCurrentUser();
  const notice = useChangeNotice();
  const { email, is_mail_configured: isConfigured, ...before } = stored;
  const [changes, setChanges] = useState<Partial<Settings>>({});
  const shown: Settings = { ...before, ...changes };
  const change = (next: Partial<Settings>): void => setChanges((earlier) => ({ ...earlier, ...next }));
  const { start, failure } = useAction(() => client.api.putNotificationSettings({ body: shown }), {
    invalidates: [QUERY_KEYS.notificationSettings],
    onDone: () => notice(t('mails.saved'), { action: 'UPDATE_NOTIFICATIONS', target: user }),
  });
  return (
    <Stack as="form" onSubmit={() => void start()}>
      <Note>{isConfigured ? t('mails.about', { email: visibleText(email) }) : t('mails.off')}</Note>
      {KINDS.map((kind) => (
        <Checkbox
          key={kind}
          label={t(`mails.${kind}`)}
          isSelected={shown[kind]}
          onChange={(isSelected) => change({ [kind]: isSelected })}
        />
      ))}
      <SelectField<MailLanguage>
        label={t('mails.language')}
        value={shown.language}
        choices={(Object.keys(MAIL_LANGUAGES) as MailLanguage[]).map((id) => ({ id, label: MAIL_LANGUAGES[id] }))}
        onChange={(language) => change({ language })}
      />
      <Failure error={failure} />
      <Button kind="primary" type="submit">
        {t('action.save')}
      </Button>
    </Stack>
  );
}
