import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { notify } from '../ui/notifications.tsx';
import { useClipboard } from '../ui/use-clipboard.ts';
import { PROGRAMS, type Program } from './program.ts';
import { type SnippetInput, writeSnippet } from './write-snippet.ts';

/** Menu that copies a program which runs a statement. */
export function CopyAsMenu({ input }: { readonly input: SnippetInput }) {
  const { t } = useTranslation();
  const copyText = useClipboard();
  const copy = async (program: Program) => {
    if (await copyText(writeSnippet(program, input))) notify({ tone: 'success', text: t(`snippet.copied.${program}`) });
  };
  return (
    <MenuButton
      label={t('snippet.copy-as')}
      button={<Button icon="code">{t('snippet.copy-as')}</Button>}
      actions={PROGRAMS.map((program) => ({
        id: program,
        label: t(`snippet.kind.${program}`),
        onAction: () => void copy(program),
      }))}
    />
  );
}
