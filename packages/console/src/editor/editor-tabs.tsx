import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { IconButton } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { visibleText } from '../ui/visible-text.tsx';
import type { Draft } from './drafts/draft.ts';
import type { DraftStore } from './drafts/draft-store.ts';
import type { DraftsState } from './drafts/drafts-state.ts';
import './editor-tabs.css';

interface EditorTabsProps {
  readonly store: DraftStore;
  readonly drafts: DraftsState;
  /** Called when a tab with another text is shown, in which the user goes on. */
  readonly onOpened: () => void;
  readonly onRename: (draft: Draft) => void;
  /** Element id of the panel that the tabs control. */
  readonly panelId: string;
  /** Button before the tabs. */
  readonly before?: ReactNode;
}

/** Tabs of the editor. Arrow keys move between them, F2 and a double click rename one, Delete and the middle button of the mouse close one. */
export function EditorTabs({ store, drafts, onOpened, onRename, panelId, before }: EditorTabsProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const { open, activeId, closed } = drafts;
  const shownName = (draft: Draft): string => nameOf(draft) || t('editor.untitled');
  useEffect(() => {
    const tab = activeId === undefined ? undefined : list.current?.querySelector('[data-active]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [activeId]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = open.findIndex(({ id }) => id === activeId);
    const next = findTarget(event.key, index, open.length);
    const active = open[index];
    if (event.key === 'F2' && active !== undefined) {
      event.preventDefault();
      onRename(active);
      return;
    }
    if (event.key === 'Delete' && activeId !== undefined) store.close(activeId);
    else if (next === undefined) return;
    else store.activate(open[next]?.id ?? '');
    event.preventDefault();
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[data-active]')?.focus());
  };
  return (
    <div className="editor-tabs">
      {before}
      <div ref={list} className="editor-tabs__list" role="tablist" aria-label={t('editor.tabs')} onKeyDown={onKeyDown}>
        {open.map((draft) => (
          <button
            key={draft.id}
            type="button"
            role="tab"
            className="editor-tabs__tab"
            aria-selected={draft.id === activeId}
            data-active={draft.id === activeId || undefined}
            aria-controls={panelId}
            tabIndex={draft.id === activeId ? 0 : -1}
            title={visibleText(draft.title)}
            onClick={() => store.activate(draft.id)}
            onDoubleClick={() => onRename(draft)}
            onAuxClick={(event) => event.button === 1 && store.close(draft.id)}
          >
            {shownName(draft)}
          </button>
        ))}
      </div>
      {open.length > 1 && (
        <MenuButton
          label={t('editor.all-tabs')}
          button={<IconButton size="s" icon="down" label={t('editor.all-tabs')} />}
          actions={open.map((draft) => ({
            id: draft.id,
            label: shownName(draft),
            ...(draft.id === activeId ? { icon: 'check' as const } : {}),
            onAction: () => store.activate(draft.id),
          }))}
        />
      )}
      <IconButton
        size="s"
        icon="plus"
        label={t('editor.new')}
        onPress={() => {
          store.create('');
          onOpened();
        }}
      />
      <IconButton
        size="s"
        icon="close"
        label={t('editor.close')}
        onPress={() => activeId !== undefined && store.close(activeId)}
      />
      <IconButton
        size="s"
        icon="undo"
        label={t('editor.reopen')}
        isDisabled={closed.length === 0}
        onPress={() => {
          store.reopen();
          onOpened();
        }}
      />
    </div>
  );
}

const nameOf = ({ name, title }: Draft): string => visibleText(name ?? title);

function findTarget(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
