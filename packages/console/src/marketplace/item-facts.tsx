import type { NameOfDomain } from '../api/use-domain-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import { TagLinks } from '../ui/tag-list.tsx';
import type { MarketItem } from './access-state.ts';
import { marketPath } from './market-search.ts';
import './item-facts.css';

interface ItemTagsProps {
  readonly item: Pick<MarketItem, 'tags' | 'domains'>;
  readonly nameOfDomain: NameOfDomain;
}

/** Tags and domains of an item, each a link to the items that share it. */
export function ItemTags({ item, nameOfDomain }: ItemTagsProps) {
  const { t } = useTranslation();
  const domains = item.domains.map((id) => ({
    id,
    text: nameOfDomain(id),
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
