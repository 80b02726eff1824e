import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { IconButton } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { HistoryList, type HistoryListProps } from './history-list.tsx';
import { RunningList } from './running-list.tsx';
import './history-panel.css';

interface HistoryPanelProps extends HistoryListProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

type Shown = 'past' | 'running';

/** Panel beside the result: statements and downloads of the user, as the host has recorded them, and what runs now. */
export function HistoryPanel({ isOpen, onClose, ...actions }: HistoryPanelProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Shown>('past');
  const panel = useRef<HTMLElement>(null);
  // It opens from a button or the command palette, which the focus leaves.
  useEffect(() => {
    if (isOpen) panel.current?.focus();
  }, [isOpen]);
  if (!isOpen) return null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  return (
    <aside ref={panel} className="history-panel" aria-label={t('history.title')} tabIndex={-1} onKeyDown={onKeyDown}>
      <header className="history-panel__header">
        <h2>{t('history.title')}</h2>
        <IconButton icon="close" size="s" label={t('action.close')} onPress={onClose} />
      </header>
      <SegmentedControl
        label={t('history.view')}
        value={shown}
        items={[
          { id: 'past', text: t('history.past'), icon: 'history' },
          { id: 'running', text: t('history.running'), icon: 'run' },
        ]}
        onChange={setShown}
      />
      {shown === 'past' ? <HistoryList {...actions} /> : <RunningList />}
    </aside>
  );
}
