import { type DragEvent, type KeyboardEvent, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { describeError } from '../../api/describe-error.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { catalogPath } from '../../router/object-paths.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { announce } from '../../ui/live-regions.tsx';
import { MarkdownExcerpt } from '../../ui/markdown.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { useRowWindow } from '../../ui/use-row-window.ts';
import { VisibleText, visibleText } from '../../ui/visible-text.tsx';
import {
  type NameRow,
  type NoteRow,
  pathOf,
  sqlOf,
  type TreeName,
  type TreeRow,
  treeStep,
  typeAhead,
} from './tree-rows.ts';
import './table-tree.css';

/** Action on a name: insert it, write a query of its table, show the first rows, open the page. */
export type TreeAction = 'insert' | 'select' | 'sample' | 'page';

export interface TableTreeProps {
  readonly rows: readonly TreeRow[];
  /** Called for each level that has names to load and is in the viewport, again and again until it is loaded. */
  readonly onNeeded: (path: readonly string[]) => void;
  readonly onRetry: (path: readonly string[]) => void;
  readonly onToggle: (name: TreeName, isOpen: boolean) => void;
  readonly onAction: (action: TreeAction, name: TreeName) => void;
}

/** Time after a key in which the next one continues the beginning of a name, in milliseconds. */
const TYPING_MS = 700;
const NAME_CHARACTER = /^[\p{L}\p{N}_$]$/u;
/** A description has one line here, and may be 100,000 characters long. */
const DESCRIPTION_CHARACTERS = 200;

/** Checks whether an event is one of the element itself: React passes those of an open menu on, and a button acts by itself. */
const isOwn = ({ currentTarget, target }: SyntheticEvent): boolean =>
  target instanceof Element && currentTarget.contains(target) && target.closest('button') === null;

/**
 * Catalogs, schemas, tables and columns, with the keys of the ARIA tree pattern. Only the rows in the viewport are elements, so `aria-level`
 * says what nested groups would. The tree itself has the focus and names its active row.
 */
export function TableTree({ rows, onNeeded, onRetry, onToggle, onAction }: TableTreeProps) {
  const { t } = useTranslation();
  const treeId = useId();
  const tree = useRef<HTMLDivElement>(null);
  const window = useRowWindow(tree, rows.length);
  const [active, setActive] = useState({ key: '', index: 0 });
  const [hoveredKey, setHoveredKey] = useState<string>();
  const [menuKey, setMenuKey] = useState<string>();
  const typed = useRef({ text: '', atMs: 0 });
  const activeIndex = findActive(rows, active);
  const shown = rows.slice(window.first, window.last).map((row, index) => ({ row, index: window.first + index }));
  const activeRow = rows[activeIndex];
  // The element that has the focus names it, wherever the viewport is.
  if (activeRow !== undefined && !shown.some(({ index }) => index === activeIndex))
    shown.push({ row: activeRow, index: activeIndex });
  useEffect(() => {
    for (const { row } of shown) if (row.kind === 'pending') onNeeded(row.path);
  });
  const activate = (index: number): void => setActive({ key: rows[index]?.key ?? '', index });
  const goTo = (index: number): void => {
    activate(index);
    window.show(index);
  };
  const act = (action: TreeAction, name: TreeName): void => {
    // The menu is closed first: it keeps the focus while it is open.
    flushSync(() => setMenuKey(undefined));
    onAction(action, name);
  };
  const enter = (row: TreeRow | undefined): void => {
    if (row?.kind === 'failed') onRetry(row.path);
    else if (row?.kind !== 'name') return;
    else if (row.depth < 3) onToggle(row.name, row.isOpen !== true);
    else onAction('insert', row.name);
  };
  const findTyped = (character: string): number | undefined => {
    const isNew = performance.now() - typed.current.atMs > TYPING_MS;
    typed.current = { text: isNew ? character : typed.current.text + character, atMs: performance.now() };
    return typeAhead(rows, activeIndex, typed.current.text);
  };
  /** Moves between the rows, or opens and closes one. Returns whether the key does so. */
  const move = (key: string): boolean => {
    const step = treeStep(key, rows, activeIndex, window.rowsPerPage());
    if (typeof step === 'number') goTo(step);
    else if (step !== undefined && activeRow?.kind === 'name') onToggle(activeRow.name, step === 'open');
    else return false;
    // What is typed at the next row begins another name.
    typed.current = { text: '', atMs: 0 };
    return true;
  };
  /** Acts on the active row, or finds another by the beginning of its name. Returns whether the key does so. */
  const press = (key: string, isShift: boolean): boolean => {
    if (key === 'Enter') enter(activeRow);
    else if (key === 'ContextMenu' || (key === 'F10' && isShift)) setMenuKey(activeRow?.key);
    else if (NAME_CHARACTER.test(key)) goTo(findTyped(key) ?? activeIndex);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const { key, currentTarget } = event;
    if (!currentTarget.contains(event.target as Node) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!move(key) && !(isOwn(event) && press(key, event.shiftKey))) return;
    event.preventDefault();
    if (key.startsWith('Arrow')) currentTarget.focus();
  };
  return (
    <div
      ref={tree}
      role="tree"
      className="table-tree"
      aria-label={t('tables.title')}
      aria-activedescendant={activeRow === undefined ? undefined : `${treeId}-${activeIndex}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={window.onScroll}
      onPointerLeave={() => setHoveredKey(undefined)}
    >
      <div role="none" className="table-tree__rows" style={{ blockSize: rows.length * window.rowHeight }}>
        {shown.map(({ row, index }) => (
          <TreeItem
            key={row.key}
            row={row}
            id={`${treeId}-${index}`}
            top={index * window.rowHeight}
            isActive={index === activeIndex}
            hasMenu={index === activeIndex || row.key === hoveredKey}
            isMenuOpen={row.key === menuKey}
            onHover={() => setHoveredKey(row.key)}
            onPress={() => {
              activate(index);
              tree.current?.focus();
            }}
            onToggle={onToggle}
            onRetry={onRetry}
            onAction={onAction}
            onMenuAction={act}
            onMenu={(isOpen) => {
              if (isOpen) activate(index);
              setMenuKey(isOpen ? row.key : undefined);
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface TreeItemProps extends Pick<TableTreeProps, 'onToggle' | 'onRetry' | 'onAction'> {
  readonly row: TreeRow;
  readonly id: string;
  /** Place in the tree, in pixels. */
  readonly top: number;
  readonly isActive: boolean;
  readonly hasMenu: boolean;
  readonly isMenuOpen: boolean;
  readonly onHover: () => void;
  readonly onPress: () => void;
  readonly onMenu: (isOpen: boolean) => void;
  readonly onMenuAction: (action: TreeAction, name: TreeName) => void;
}

/** One row of the tree. Its keys are those of the tree, which has the focus. */
function TreeItem(props: TreeItemProps) {
  const { row, id, top, isActive, hasMenu, isMenuOpen, onHover, onPress, onMenu, onMenuAction } = props;
  const { onToggle, onRetry, onAction } = props;
  const name = row.kind === 'name' ? row : undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens to the keys
    <div
      id={id}
      role="treeitem"
      className="table-tree__row"
      aria-level={row.depth}
      aria-selected={isActive}
      aria-labelledby={`${id}-text ${id}-more`}
      {...(name && itemAttributes(name))}
      data-depth={row.depth}
      style={{ insetBlockStart: top }}
      onPointerEnter={onHover}
      onClick={(event) => {
        if (!isOwn(event)) return;
        onPress();
        // The second press of a double one inserts the name.
        if (name?.isOpen !== undefined && event.detail < 2) onToggle(name.name, !name.isOpen);
      }}
      onDoubleClick={(event) => {
        if (isOwn(event) && name !== undefined && name.depth > 2) onAction('insert', name.name);
      }}
      onContextMenu={(event) => {
        if (!isOwn(event) || name === undefined) return;
        event.preventDefault();
        onMenu(true);
      }}
    >
      {row.kind === 'name' ? (
        <NameContent row={row} id={id} />
      ) : (
        <NoteContent row={row} id={id} onRetry={() => onRetry(row.path)} />
      )}
      {name !== undefined && hasMenu && (
        <RowMenu
          name={name.name}
          isInTabOrder={isActive}
          isOpen={isMenuOpen}
          onOpenChange={onMenu}
          onAction={(action) => onMenuAction(action, name.name)}
        />
      )}
    </div>
  );
}

const itemAttributes = ({ name, isOpen, position, size }: NameRow) => ({
  'aria-expanded': isOpen,
  'aria-posinset': position,
  'aria-setsize': size,
  draggable: true,
  onDragStart: ({ dataTransfer }: DragEvent) => dataTransfer.setData('text/plain', sqlOf(name)),
});

/** Returns the index of the active row, or of the row that has its place now. */
function findActive(
  rows: readonly TreeRow[],
  { key, index }: { readonly key: string; readonly index: number },
): number {
  if (rows[index]?.key === key) return index;
  const found = rows.findIndex((row) => row.key === key);
  return found === -1 ? Math.min(index, rows.length - 1) : found;
}

function NameContent({ row: { name, isOpen }, id }: { readonly row: NameRow; readonly id: string }) {
  const { t } = useTranslation();
  const { kind, detail, tableCount } = name;
  const description = (name.description ?? '').slice(0, DESCRIPTION_CHARACTERS).replace(/\s+/g, ' ').trim();
  const count = tableCount === undefined ? '' : t('catalog.tables', { count: tableCount });
  const facts = [detail ?? '', count].filter((fact) => fact !== '').join(' · ');
  // The tooltip has the description as it was typed: it is text without formats.
  const all = [facts, description].filter((fact) => fact !== '').join(' · ');
  return (
    <>
      <span className="table-tree__sign">
        {isOpen !== undefined && <Icon name={isOpen ? 'down' : 'right'} />}
        <Icon name={kind === 'column' ? 'columns' : kind} />
      </span>
      <span className="table-tree__text" title={[visibleText(name.name), visibleText(all)].join('\n')}>
        <span id={`${id}-text`}>
          <VisibleText text={name.name} />
        </span>{' '}
        <span id={`${id}-more`} className="table-tree__facts">
          <VisibleText text={facts} />
          {facts !== '' && description !== '' && ' · '}
          {description !== '' && <MarkdownExcerpt text={description} characters={DESCRIPTION_CHARACTERS} />}
        </span>
      </span>
    </>
  );
}

interface NoteContentProps {
  readonly row: NoteRow;
  readonly id: string;
  readonly onRetry: () => void;
}

const EMPTY = ['catalog.empty.title', 'tables.empty.catalog', 'tables.empty.schema', 'columns.none'] as const;

function NoteContent({ row: { kind, path, error }, id, onRetry }: NoteContentProps) {
  const { t } = useTranslation();
  const { title, message } = describeError(error, t);
  const isFailed = kind === 'failed';
  useEffect(() => {
    if (isFailed) announce(title, 'assertive');
  }, [isFailed, title]);
  const text = isFailed ? title : t(kind === 'pending' ? 'tables.loading' : (EMPTY[path.length] ?? 'columns.none'));
  return (
    <>
      <span id={`${id}-text`} className="table-tree__note" title={isFailed ? message : undefined}>
        {text}
      </span>{' '}
      {isFailed && (
        <Button id={`${id}-more`} size="s" onPress={onRetry}>
          {t('action.retry')}
        </Button>
      )}
    </>
  );
}

interface RowMenuProps {
  readonly name: TreeName;
  readonly isInTabOrder: boolean;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onAction: (action: TreeAction) => void;
}

const ICONS = { insert: 'edit', select: 'query', sample: 'table', page: 'external' } as const;

/** Button with a menu of what can be done with a name. */
function RowMenu({ name, isInTabOrder, isOpen, onOpenChange, onAction }: RowMenuProps) {
  const { t } = useTranslation();
  const label = t('tables.actions', { name: visibleText(name.name) });
  const isTable = name.kind === 'table' || name.kind === 'view';
  const hasPage = name.kind !== 'column' && catalogPath(...pathOf(name)) !== undefined;
  const actions: readonly TreeAction[] = [
    'insert',
    ...(isTable ? (['select', 'sample'] as const) : []),
    ...(hasPage ? (['page'] as const) : []),
  ];
  return (
    <MenuButton
      label={label}
      open={{ isOpen, onOpenChange }}
      button={<IconButton size="s" icon="more" label={label} excludeFromTabOrder={!isInTabOrder} />}
      actions={actions.map((id) => ({
        id,
        label: t(`tables.action.${id}`),
        icon: ICONS[id],
        onAction: () => onAction(id),
      }))}
    />
  );
}
