import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { notify } from '../ui/notifications.tsx';
import { SNIPPET_KINDS, type SnippetInput, type SnippetKind, writeSnippet } from './write-snippet.ts';

/** Menu that copies a program which runs a statement. */
export function CopyAsMenu({ input }: { readonly input: SnippetInput }) {
  const { t } = useTranslation();
  const copy = async (kind: SnippetKind) => {
    try {
      await navigator.clipboard.writeText(writeSnippet(kind, input));
      notify({ tone: 'success', text: t(`snippet.copied.${kind}`) });
    } catch {
      notify({ tone: 'danger', text: t('grid.copyDenied') });
    }
  };
  return (
    <MenuButton
      label={t('snippet.copy-as')}
      button={<Button icon="code">{t('snippet.copy-as')}</Button>}
      actions={SNIPPET_KINDS.map((kind) => ({
        id: kind,
        label: t(`snippet.kind.${kind}`),
        onAction: () => void copy(kind),
      }))}
    />
  );
}
