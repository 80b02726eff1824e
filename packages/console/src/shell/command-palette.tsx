import { useTranslation } from '../i18n/translate.tsx';
import { CommandList } from '../ui/command-list.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PALETTE_ID, useCommandGroups } from './commands.ts';
import { hasCommandKey, labelOfKeys } from './keys.ts';

interface CommandPaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Every command of the page in one list that a few letters filter. */
export function CommandPalette({ isOpen, onClose }: CommandPaletteProps) {
  const { t } = useTranslation();
  const groups = useCommandGroups();
  const isApple = hasCommandKey(navigator.platform);
  const commands = groups.flatMap(({ title: group, commands: each }) =>
    each.flatMap((command) => (command.run === undefined || command.id === PALETTE_ID ? [] : [{ ...command, group }])),
  );
  return (
    <Dialog title={t('commands.title')} isOpen={isOpen} onClose={onClose} width="l">
      <CommandList
        label={t('commands.label')}
        placeholder={t('commands.placeholder')}
        empty={t('commands.empty')}
        items={commands.map(({ id, title, group, keys }) => ({
          id,
          title,
          group,
          shortcut: keys === undefined ? undefined : labelOfKeys(keys, isApple),
        }))}
        onChoose={(id) => {
          onClose();
          commands.find((command) => command.id === id)?.run?.();
        }}
      />
    </Dialog>
  );
}
