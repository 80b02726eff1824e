import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { itemPath } from '../router/object-paths.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { MarkdownExcerpt } from '../ui/markdown.tsx';
import { TagLinks } from '../ui/tag-list.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { type AccessRequest, type AccessState, accessState, type MarketItem } from './access-state.ts';
import { marketPath } from './market-search.ts';
import './item-facts.css';
import './item-card.css';

interface ItemCardProps {
  readonly item: MarketItem;
  /** The user's own requests for the item. */
  readonly requests: readonly AccessRequest[];
}

/** Characters of a description in a list. The page of the item has all of it. */
const DESCRIPTION_CHARACTERS = 400;

/** An item in the list: what it is, whose it is, and whether the user may download it. */
export function ItemCard({ item, requests }: ItemCardProps) {
  const { t } = useTranslation();
  const { user } = useCurrentUser();
  const { kind } = accessState(item, requests, user, Date.now());
  const description = item.description ?? '';
  return (
    <article className="item-card">
      <div className="item-card__head">
        <h2 className="item-card__title">
          <Link to={itemPath(item.id)} className="item-card__link">
            <VisibleText text={item.title} />
          </Link>
        </h2>
        <AccessBadge access={kind} />
      </div>
      {description.trim() !== '' && (
        <p className="item-card__description">
          <MarkdownExcerpt text={description} characters={DESCRIPTION_CHARACTERS} />
        </p>
      )}
      <ItemTags item={item} />
      <p className="item-card__facts">
        <span className="item-card__owner">
          <VisibleText text={item.owner} />
        </span>
        <span>{t('market.queries', { count: item.queries.length })}</span>
        <span>{t('market.downloads', { count: item.download_count })}</span>
        <ItemRating rating={item.rating} />
      </p>
    </article>
  );
}

interface ItemTagsProps {
  readonly item: Pick<MarketItem, 'tags' | 'domains' | 'domain_names'>;
}

/** Tags and domains of an item, each a link to the items that share it. */
export function ItemTags({ item }: ItemTagsProps) {
  const { t } = useTranslation();
  const domains = item.domains.map((id, index) => ({
    id,
    text: item.domain_names[index] ?? id,
    to: marketPath({ domain: id }),
    isDomain: true,
  }));
  const tags = item.tags.map((tag) => ({ id: tag, text: tag, to: marketPath({ tag }) }));
  return <TagLinks label={t('market.tags')} links={[...domains, ...tags]} />;
}

/** Average rating of the datamaps of an item. */
export function ItemRating({ rating }: Pick<MarketItem, 'rating'>) {
  const { t, formatNumber } = useTranslation();
  if (rating === null || rating === 0) return null;
  const shown = formatNumber(Math.round(rating * 10) / 10);
  return (
    <span className="item-rating">
      <Icon name="star" />
      <span className="visually-hidden">{t('market.rating')}</span>
      {shown}
    </span>
  );
}

const ACCESS_TONES = {
  owner: 'accent',
  granted: 'success',
  requested: 'info',
  refused: 'danger',
  ended: 'warning',
  none: 'neutral',
} as const;

/** The access of a user to an item in a word, which is the same in lists, on the page of the item, and for requests. */
export function AccessBadge({ access }: { readonly access: AccessState['kind'] }) {
  const { t } = useTranslation();
  return <Badge tone={ACCESS_TONES[access]}>{t(`market.access.${access}`)}</Badge>;
}
