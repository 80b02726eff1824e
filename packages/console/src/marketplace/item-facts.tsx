import type { NameOfDomain } from '../api/use-domain-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { Icon } from '../ui/icon.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { MarketItem } from './access-state.ts';
import { marketPath } from './market-search.ts';
import './item-facts.css';

interface TagListProps {
  readonly item: Pick<MarketItem, 'tags' | 'domains'>;
  readonly nameOfDomain: NameOfDomain;
}

/** Tags and domains of an item, each a link to the items that share it. */
export function TagList({ item, nameOfDomain }: TagListProps) {
  const { t } = useTranslation();
  if (item.tags.length + item.domains.length === 0) return null;
  return (
    <ul className="tag-list" aria-label={t('market.tags')}>
      {item.domains.map((id) => (
        <li key={id}>
          <Link to={marketPath({ domain: id })} className="tag-list__link" data-kind="domain">
            <VisibleText text={nameOfDomain(id)} />
          </Link>
        </li>
      ))}
      {item.tags.map((tag) => (
        <li key={tag}>
          <Link to={marketPath({ tag })} className="tag-list__link">
            <VisibleText text={tag} />
          </Link>
        </li>
      ))}
    </ul>
  );
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
