import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser, useSession } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/notifications.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useClipboard } from '../ui/use-clipboard.ts';
import { type ItemSnippetInput, writeItemSnippet } from './item-snippets.ts';
import { PROGRAMS, type Program } from './program.ts';
import './item-snippet-tabs.css';

type ItemSnippetTabsProps = Pick<ItemSnippetInput, 'id' | 'format' | 'extension' | 'parameters'>;

/** Height of the field in lines. Longer programs scroll. */
const LINES_MAX = 16;

/** Lines of a text in the field, which breaks none, and one for its scroll bar. */
const countLines = (text: string): number => text.split('\n').length + 1;

/** Programs that download an item, one per tab, each with a copy button. */
export function ItemSnippetTabs(item: ItemSnippetTabsProps) {
  const { t } = useTranslation();
  const copy = useClipboard();
  const { addresses } = useSession();
  const { user } = useCurrentUser();
  const [selected, setSelected] = useState<Program>('curl');
  return (
    <Tabs
      label={t('snippet.tabs')}
      selected={selected}
      onSelect={setSelected}
      items={PROGRAMS.map((program) => {
        const title = t(`snippet.tab.${program}`);
        const text = writeItemSnippet(program, { ...item, ...addresses, user }).trimEnd();
        return {
          id: program,
          title,
          content: (
            <div>
              <textarea
                className="snippets__text"
                readOnly
                wrap="off"
                rows={Math.min(countLines(text), LINES_MAX)}
                aria-label={title}
                value={text}
              />
              <div className="snippets__actions">
                <Button
                  size="s"
                  icon="copy"
                  onPress={async () => {
                    if (await copy(text)) notify({ tone: 'success', text: t('snippet.tab.copied') });
                  }}
                >
                  {t('action.copy')}
                </Button>
              </div>
            </div>
          ),
        };
      })}
    />
  );
}
