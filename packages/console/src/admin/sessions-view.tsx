import { useTranslation } from '../i18n/translate.tsx';
import { Section, Stack } from '../ui/layout.tsx';
import { SessionSettingsForm } from './session-settings-form.tsx';
import { SessionsList } from './sessions-list.tsx';

/** Open sessions of the tenant, and when sessions end. */
export function SessionsView() {
  const { t } = useTranslation();
  return (
    <Stack>
      <SessionsList />
      <Section title={t('admin.session-settings')}>
        <SessionSettingsForm />
      </Section>
    </Stack>
  );
}
