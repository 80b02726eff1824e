import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser, useSession } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/notifications.tsx';
import { useCopy } from '../ui/use-copy.ts';
import { Tabs } from '../ui/tabs.tsx';
import { type ItemSnippetInput, writeItemSnippet } from './item-snippets.ts';
import { PROGRAMS, type Program } from './program.ts';
import './item-snippet-tabs.css';

type ItemSnippetTabsProps = Pick<ItemSnippetInput, 'id' | 'format' | 'extension' | 'parameters'>;

const ROWS_MAX = 12;
/** Characters of a line of the field, about. */
const LINE_CHARACTERS = 40;

/** Returns the approximate height of a snippet in lines. */
const rowsOf = (text: string): number =>
  Math.min(
    ROWS_MAX,
    text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_CHARACTERS)), 0),
  );

/** Programs that download an item, each with a button that copies it. */
export function ItemSnippetTabs(item: ItemSnippetTabsProps) {
  const { t } = useTranslation();
  const { addresses } = useSession();
  const { user } = useCurrentUser();
  const [selected, setSelected] = useState<Program>('curl');
  const copy = useCopy();
  const copySnippet = async (text: string) => {
    if (await copy(text)) notify({ tone: 'success', text: t('snippets.copied') });
  };
  return (
    <Tabs
      label={t('snippets.title')}
      selected={selected}
      onSelect={setSelected}
      items={PROGRAMS.map((program) => {
        const text = writeItemSnippet(program, { ...item, ...addresses, user }).trimEnd();
        return {
          id: program,
          title: t(`snippets.${program}`),
          content: (
            <div>
              <textarea
                className="snippets__text"
                readOnly
                rows={rowsOf(text)}
                aria-label={t(`snippets.${program}`)}
                value={text}
              />
              <div className="snippets__actions">
                <Button size="s" icon="copy" onPress={() => void copySnippet(text)}>
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
