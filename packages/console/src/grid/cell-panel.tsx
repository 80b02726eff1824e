import { useMemo, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { fullText, visibleText } from '../result/cell-text.ts';
import { columnKind } from '../result/column-kind.ts';
import type { ResultColumn } from '../result/result-view.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { useClipboard } from '../ui/use-clipboard.ts';
import { VisibleText } from '../ui/visible-text.tsx';
import { prettyJson } from './pretty-json.ts';
import './cell-panel.css';

/** Characters of a value that the panel shows: more would take seconds to lay out. A copy has all. */
const SHOWN_CHARACTERS = 100_000;

interface CellPanelProps {
  readonly column: ResultColumn;
  /** Number of the row, from 1. */
  readonly row: number;
  /** JSON text of the value. */
  readonly json: string;
  readonly onClose: () => void;
}

/** Text to show of a value, and its length in characters. */
function presentValue(type: string, json: string): { readonly shown: string; readonly length: number } {
  const text = fullText(json);
  const isNested = columnKind(type) === 'nested' && /^[[{]/.test(text);
  return {
    shown: isNested ? prettyJson(text, SHOWN_CHARACTERS) : text.slice(0, SHOWN_CHARACTERS),
    length: text.length,
  };
}

/** The whole value of a cell: lines as they are, and nested values with a line for each element. */
export function CellPanel({ column, row, json, onClose }: CellPanelProps) {
  const { t } = useTranslation();
  const copy = useClipboard();
  const [copied, setCopied] = useState<string>();
  const { shown, length } = useMemo(() => presentValue(column.type, json), [column.type, json]);
  const title = t('panel.title', { column: visibleText(column.name), row });
  const isText = json !== 'null' && json !== '""';
  return (
    <aside className="cell-panel" aria-label={title}>
      <header className="cell-panel__head">
        <div className="cell-panel__titles">
          <h2 className="cell-panel__title">
            <bdi>
              <VisibleText text={column.name} />
            </bdi>
          </h2>
          <p className="cell-panel__type">{column.type}</p>
        </div>
        <IconButton icon="close" size="s" label={t('action.close')} onPress={onClose} />
      </header>
      {isText ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus to be scrolled by keys
        <pre className="cell-panel__value" tabIndex={0} aria-label={title} role="region">
          <VisibleText text={shown} lines="preserve" />
        </pre>
      ) : (
        <p className="cell-panel__none">{t(json === 'null' ? 'panel.null' : 'panel.empty')}</p>
      )}
      <footer className="cell-panel__foot">
        <p className="cell-panel__length">
          {length > SHOWN_CHARACTERS
            ? t('panel.shortened', { shown: SHOWN_CHARACTERS, count: length })
            : isText && t('panel.characters', { count: length })}
        </p>
        <Button
          size="s"
          icon={copied === json ? 'check' : 'copy'}
          onPress={async () => {
            if (await copy(json === 'null' ? '' : fullText(json))) setCopied(json);
          }}
        >
          {t('panel.copy')}
        </Button>
      </footer>
    </aside>
  );
}
