import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { navigate } from '../router/router.ts';
import { savedQueryPath } from '../router/saved-query-link.ts';
import { SEARCH_CHARACTERS_MAX, searchPath } from '../router/search-address.ts';
import { Button } from '../ui/button.tsx';
import { CommandList, Keys } from '../ui/command-list.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { PALETTE_ID, useCommandGroups } from './commands.ts';
import { hasCommandKey, labelOfKeys } from './keys.ts';
import { useFoundQueries } from './use-found-queries.ts';
import './shortcut-sheet.css';

interface CommandPaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Every command of the page in one list that a few letters filter, saved queries, and the search for data with the same letters. */
export function CommandPalette({ isOpen, onClose }: CommandPaletteProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('commands.title')} isOpen={isOpen} onClose={onClose} width="l">
      <Commands onClose={onClose} />
      <div className="palette-actions">
        <DialogActions onClose={onClose} />
      </div>
    </Dialog>
  );
}

function Commands({ onClose }: Pick<CommandPaletteProps, 'onClose'>) {
  const { t } = useTranslation();
  const groups = useCommandGroups();
  const [text, setText] = useState('');
  const queries = useFoundQueries(text);
  const isApple = hasCommandKey(navigator.platform);
  const commands = groups.flatMap(({ title: group, commands: each }) =>
    each.flatMap((command) => (command.run === undefined || command.id === PALETTE_ID ? [] : [{ ...command, group }])),
  );
  const saved = queries.map(({ id, name }) => ({
    id: `saved:${id}`,
    title: visibleText(name),
    group: t('saved.title'),
  }));
  return (
    <CommandList
      label={t('commands.label')}
      placeholder={t('commands.placeholder')}
      empty={t('commands.empty')}
      items={[
        ...commands.map(({ id, title, group, keys }) => ({
          id,
          title,
          group,
          shortcut: keys === undefined ? undefined : labelOfKeys(keys, isApple),
        })),
        ...saved,
      ]}
      onText={setText}
      search={{
        titleOf: (searchText) => t('commands.search', { searchText: visibleText(searchText) }),
        group: t('page.search'),
        onSearch: (searchText) => {
          onClose();
          navigate(searchPath({ searchText: searchText.slice(0, SEARCH_CHARACTERS_MAX) }));
        },
      }}
      onChoose={(id) => {
        onClose();
        const query = queries.find((each) => `saved:${each.id}` === id);
        if (query !== undefined) navigate(savedQueryPath(query.id));
        else commands.find((command) => command.id === id)?.run?.();
      }}
    />
  );
}

interface ShortcutSheetProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The keys of everything that is shown, by part of the page. */
export function ShortcutSheet({ isOpen, onClose }: ShortcutSheetProps) {
  const { t } = useTranslation();
  const isApple = hasCommandKey(navigator.platform);
  const groups = useCommandGroups()
    .map(({ title, commands }) => ({ title, commands: commands.filter(({ keys }) => keys !== undefined) }))
    .filter(({ commands }) => commands.length > 0);
  return (
    <Dialog title={t('shortcuts.title')} isOpen={isOpen} onClose={onClose} width="l">
      <div className="shortcut-sheet">
        {groups.map(({ title, commands }) => (
          <section key={title}>
            <h3 className="shortcut-sheet__title">{title}</h3>
            <dl>
              {commands.map((command) => (
                <div key={command.id} className="shortcut-sheet__row">
                  <dt>{command.title}</dt>
                  <dd>
                    <Keys text={labelOfKeys(command.keys ?? '', isApple)} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <DialogActions>
        <Button autoFocus onPress={onClose}>
          {t('action.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
