import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { useCommandGroups } from './commands.ts';
import { hasCommandKey, labelOfKeys } from './keys.ts';
import './shortcut-sheet.css';

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
                    <kbd className="keys">{labelOfKeys(command.keys ?? '', isApple)}</kbd>
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
