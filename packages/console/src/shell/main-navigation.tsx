import { type ComponentProps, type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { MessageKeyWith } from '../i18n/catalog.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import './frame.css';

/** A page in the main navigation. */
export interface NavigationItem {
  readonly path: string;
  readonly title: MessageKeyWith<never>;
  readonly icon: IconName;
  /** Number of open items on the page, such as access requests. Absent: none. */
  readonly count?: number;
}

interface MainNavigationProps {
  readonly items: readonly NavigationItem[];
  /** Path of the page that is shown. */
  readonly current: string;
  /** Number of links that have room. The others are behind "More". */
  readonly fitted: number;
}

/** Links to the pages. All are elements, so that their widths can be measured; those without room are hidden and listed behind "More". */
export function MainNavigation({ items, current, fitted }: MainNavigationProps) {
  const { t } = useTranslation();
  return (
    <nav className="frame__navigation" data-navigation="" aria-label={t('shell.main-navigation')}>
      <div className="frame__links">
        {items.map((item, index) => (
          <PageLink key={item.path} item={item} current={current} data-page="" hidden={index >= fitted} />
        ))}
      </div>
      <MorePages items={items.slice(fitted)} current={current} />
    </nav>
  );
}

interface PageLinkProps extends Omit<ComponentProps<typeof Link>, 'to'> {
  readonly item: NavigationItem;
  readonly current: string;
}

function PageLink({ item: { path, title, icon, count }, current, ...rest }: PageLinkProps) {
  const { t } = useTranslation();
  return (
    <Link {...rest} to={path} className="frame__link" aria-current={path === current ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{t(title)}</span>
      {count !== undefined && <WaitingCount count={count} />}
    </Link>
  );
}

/** Button with a list of the pages that have no room in the bar. Escape, and anything outside of it, closes the list. */
function MorePages({ items, current }: Omit<MainNavigationProps, 'fitted'>) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const count = items.reduce((sum, item) => sum + (item.count ?? 0), 0);
  useEffect(() => {
    if (!isOpen) return;
    const onPress = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node && root.current?.contains(target))) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    setOpen(false);
    button.current?.focus();
  };
  // Without a related target, the window has lost the focus, or Safari gives none to a link that is pressed.
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys and the focus of what is in it
    <div
      ref={root}
      className="frame__more"
      data-more=""
      hidden={items.length === 0}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      <button
        ref={button}
        type="button"
        className="frame__link"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-current={items.some(({ path }) => path === current) || undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
        <span>{t('shell.more')}</span>
        {count > 0 && <WaitingCount count={count} />}
      </button>
      <ul id={listId} className="frame__more-pages" hidden={!isOpen}>
        {items.map((item) => (
          <li key={item.path}>
            <PageLink item={item} current={current} onClick={() => setOpen(false)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const COUNT_SHOWN_MAX = 99;

/** Number of things that wait for the user on a page. */
function WaitingCount({ count }: { readonly count: number }) {
  const { t, formatNumber } = useTranslation();
  return (
    <span className="frame__count">
      <span aria-hidden="true">
        {count > COUNT_SHOWN_MAX ? t('shell.count.many', { count: COUNT_SHOWN_MAX }) : formatNumber(count)}
      </span>
      <span className="visually-hidden">{t('shell.count', { count })}</span>
    </span>
  );
}
