import { useTranslation } from '../i18n/translate.tsx';
import { useSession } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Note, Section } from '../ui/layout.tsx';

interface HelpLinksProps {
  /** Shows the keyboard shortcuts. Undefined until the frame offers them. */
  readonly onShowShortcuts: (() => void) | undefined;
}

/** Version of the API host, which it writes into the head of the page. */
const hostVersion = (): string | undefined =>
  document.querySelector('meta[name="sluice-version"]')?.getAttribute('content') ?? undefined;

/** Keyboard shortcuts, the documentation of both hosts, and the version. */
export function HelpLinks({ onShowShortcuts }: HelpLinksProps) {
  const { t } = useTranslation();
  const { apiUrl, streamUrl } = useSession().addresses;
  const version = hostVersion();
  return (
    <Section title={t('account.help')} gap="s">
      {onShowShortcuts !== undefined && (
        <Button icon="help" onPress={onShowShortcuts}>
          {t('shortcuts.title')}
        </Button>
      )}
      <a href={`${apiUrl}/docs`} target="_blank" rel="noopener noreferrer">
        {t('account.help.api-host')}
      </a>
      <a href={`${streamUrl}/docs`} target="_blank" rel="noopener noreferrer">
        {t('account.help.stream-host')}
      </a>
      {version !== undefined && <Note size="s">{t('account.help.version', { version })}</Note>}
    </Section>
  );
}
