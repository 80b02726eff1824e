import { type ReactNode, useEffect } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Link } from '../router/link.tsx';
import { useSession } from '../session/session-context.tsx';
import { Icon } from './icon.tsx';
import { VisibleText } from './visible-text.tsx';
import './page.css';

/** Names the page in the title of the tab. */
export function usePageTitle(page: string): void {
  const { t } = useTranslation();
  const { tenant } = useSession().addresses;
  useEffect(() => {
    document.title = t('app.title', { page, tenant });
  }, [page, t, tenant]);
}

interface PageProps {
  /** Heading of the page and title of the tab. It may be a name that a user has chosen. */
  readonly title: string;
  /** Default: `title`. */
  readonly tabTitle?: string;
  /** Whether the heading is for screen readers only. */
  readonly isTitleHidden?: boolean;
  /** Whether the content is still loading. */
  readonly isBusy?: boolean;
  readonly breadcrumbs?: ReactNode;
  /** Content beside the heading, such as a badge. */
  readonly badge?: ReactNode;
  /** Buttons and links at the end of the line of the heading. */
  readonly actions?: ReactNode;
  /** Sentence below the heading. */
  readonly about?: string;
  /** Further content of the head. */
  readonly head?: ReactNode;
  /** Second column. On a small screen it follows the head. */
  readonly aside?: { readonly label: string; readonly content: ReactNode } | undefined;
  readonly children?: ReactNode;
}

/** Frame of a page: breadcrumbs, heading, actions and content. */
export function Page({ title, tabTitle = title, isTitleHidden = false, isBusy, aside, children, ...head }: PageProps) {
  usePageTitle(visibleText(tabTitle));
  return (
    <main className="page" data-columns={aside !== undefined || undefined} aria-busy={isBusy}>
      {head.breadcrumbs}
      <header className={isTitleHidden ? 'visually-hidden' : 'page__head'}>
        <div className="page__line">
          <h1 className="page__title">
            <VisibleText text={title} />
          </h1>
          {head.badge}
          {head.actions !== undefined && head.actions !== false && <div className="page__actions">{head.actions}</div>}
        </div>
        {head.about !== undefined && <p className="page__about">{head.about}</p>}
        {head.head}
      </header>
      {aside === undefined ? (
        children
      ) : (
        <>
          <aside className="page__aside" aria-label={aside.label}>
            {aside.content}
          </aside>
          <div className="page__body">{children}</div>
        </>
      )}
    </main>
  );
}

interface BreadcrumbsProps {
  readonly label: string;
  /** Objects from the top to the one right above the page. One without a path is not a link. */
  readonly items: readonly { readonly text: string; readonly to: string | undefined }[];
}

/** Links to what is above a page. */
export function Breadcrumbs({ label, items }: BreadcrumbsProps) {
  return (
    <nav aria-label={label}>
      <ol className="breadcrumbs">
        {items.map(({ text, to }, index) => (
          <li key={to ?? text}>
            {index > 0 && <Icon name="right" />}
            {to === undefined ? (
              <VisibleText text={text} />
            ) : (
              <Link to={to}>
                <VisibleText text={text} />
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface StickyBarProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Bar that stays at the edge of the screen, such as with the buttons of a long form. It is a child of the page. */
export function StickyBar({ label, children }: StickyBarProps) {
  return (
    <section className="sticky-bar" aria-label={label}>
      {children}
    </section>
  );
}
