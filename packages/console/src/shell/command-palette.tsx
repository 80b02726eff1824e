import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { navigate } from '../router/router.ts';
import { searchPath, WORDS_CHARACTERS_MAX } from '../router/search-address.ts';
import { CommandList } from '../ui/command-list.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PALETTE_ID, useCommandGroups } from './commands.ts';
import { hasCommandKey, labelOfKeys } from './keys.ts';

interface CommandPaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Every command of the page in one list that a few letters filter, and the search for data with the same letters. */
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
        search={{
          titleOf: (words) => t('commands.search', { words: visibleText(words) }),
          group: t('page.search'),
          onSearch: (words) => {
            onClose();
            navigate(searchPath({ words: words.slice(0, WORDS_CHARACTERS_MAX) }));
          },
        }}
        onChoose={(id) => {
          onClose();
          commands.find((command) => command.id === id)?.run?.();
        }}
      />
    </Dialog>
  );
}
