import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { useCurrentUser } from '../session/session-context.tsx';
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { MarkdownExcerpt } from '../ui/markdown.tsx';
import { TagList } from '../ui/tag-list.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { SearchHit } from './search-hit.ts';
import { KIND_ICONS } from './search-kinds.tsx';
import './search.css';

const TAGS_MAX = 6;
/** Characters of a description: it has two lines, and may be 100,000 characters long. */
const DESCRIPTION_CHARACTERS = 400;
const LINKS = '[data-hit]';

interface SearchHitsProps {
  readonly hits: readonly SearchHit[];
  /** The hits are those of the words before. */
  readonly isOld: boolean;
  /** Called for the up arrow on the first hit. */
  readonly onLeave: () => void;
  readonly listRef: Ref<HTMLOListElement>;
}

/** Results of a search. The arrow keys move between them. */
export function SearchHits({ hits, isOld, onLeave, listRef }: SearchHitsProps) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent<HTMLOListElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>(LINKS)];
    const at = links.findIndex((link) => link.closest('li')?.contains(document.activeElement));
    event.preventDefault();
    if (at + step < 0) onLeave();
    else links[at + step]?.focus();
  };
  return (
    <ol
      ref={listRef}
      className="search-hits"
      aria-label={t('search.results')}
      aria-busy={isOld}
      data-old={isOld || undefined}
      onKeyDown={onKeyDown}
    >
      {hits.map((hit) => (
        <li key={hit.key} className="search-hit">
          <span className="search-hit__icon">
            <Icon name={KIND_ICONS[hit.kind]} />
          </span>
          <HitContent hit={hit} />
        </li>
      ))}
    </ol>
  );
}

/** Moves the focus to the first result. */
export const focusFirstHit = (list: HTMLOListElement | null): void => list?.querySelector<HTMLElement>(LINKS)?.focus();

/** Colours of the states; those of items are the same as in the marketplace. */
const TONES = {
  owner: 'accent',
  granted: 'success',
  archived: 'warning',
  draft: 'warning',
  'in-progress': 'warning',
} as const;

function HitContent({ hit }: { readonly hit: SearchHit }) {
  const { t } = useTranslation();
  const { kind, title, path, location, description, tags, state } = hit;
  const { user } = useCurrentUser();
  const isOwn = state === 'granted' && hit.owner === user;
  const name = <VisibleText text={title} />;
  return (
    <div className="search-hit__content">
      <p className="search-hit__title">
        {path === undefined ? (
          <span>{name}</span>
        ) : (
          <Link to={path} data-hit="">
            {name}
          </Link>
        )}
        {state !== undefined && (
          <Badge tone={TONES[isOwn ? 'owner' : state]}>{t(`search.state.${isOwn ? 'owner' : state}`)}</Badge>
        )}
      </p>
      <p className="search-hit__facts">
        <Facts facts={[t(`search.one.${kind}`), ...locationFacts(location), ...useHitFacts(hit)]} />
      </p>
      {description !== null && description !== '' && (
        <p className="search-hit__description">
          <MarkdownExcerpt text={description} characters={DESCRIPTION_CHARACTERS} />
        </p>
      )}
      <TagList label={t('property.tags')} tags={tags} max={TAGS_MAX} />
    </div>
  );
}

const locationFacts = (location: readonly string[]): readonly ReactNode[] =>
  location.length === 0 ? [] : [<VisibleText key="location" text={location.join('.')} />];

function useHitFacts({ owner, rating, isFavourite }: SearchHit): readonly ReactNode[] {
  const { t, formatNumber } = useTranslation();
  return [
    ...(owner === null ? [] : [<VisibleText key="owner" text={owner} />]),
    ...(rating === null ? [] : [t('object.rating', { rating: formatNumber(Math.round(rating * 10) / 10) })]),
    ...(isFavourite ? [t('object.favourite')] : []),
  ];
}

/** Facts in one line, each apart from the others. */
function Facts({ facts }: { readonly facts: readonly ReactNode[] }) {
  return facts.map((fact, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a hit never move
    <span key={index} className="search-hit__fact">
      {fact}
    </span>
  ));
}
