import type { StreamOperationTypes } from '@sluice/client';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { FacetList } from '../ui/facet-list.tsx';
import { Icon } from '../ui/icon.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { MARKET_FILTERS, type MarketFilter, type MarketSearch, marketPath, withFilter } from './market-search.ts';
import './market-filters.css';

type Facets = NonNullable<StreamOperationTypes['listMarketplace']['result']['facets']>;

interface MarketFacetsProps {
  readonly search: MarketSearch;
  readonly facets: Facets | undefined;
}

const FACETS = { domain: 'domains', tag: 'tags', owner: 'owners' } as const;
const ORDER: readonly MarketFilter[] = ['domain', 'tag', 'owner'];

/** Values that narrow the list, with the number of items that have them. A chosen value is a link that removes the filter. */
export function MarketFacets({ search, facets }: MarketFacetsProps) {
  const { t } = useTranslation();
  return ORDER.map((filter) => (
    <FacetList
      key={filter}
      title={t(`market.filter.${filter}`)}
      values={facets?.[FACETS[filter]] ?? []}
      selected={search[filter]}
      nameOf={(value) => nameOf(filter, value, facets)}
      pathOf={(value) => marketPath(withFilter(search, filter, value))}
    />
  ));
}

/** Returns the name of a value. The facets name the domains, because not every user may read the list of domains. */
const nameOf = (filter: MarketFilter, value: string, facets: Facets | undefined): string =>
  filter === 'domain' ? (facets?.domains.find((domain) => domain.value === value)?.name ?? value) : value;

/** The filters of the search, each with a link that removes it. */
export function ChosenFilters({ search, facets }: MarketFacetsProps) {
  const { t } = useTranslation();
  const chosen = MARKET_FILTERS.flatMap((filter) => {
    const value = search[filter];
    return value === undefined ? [] : [{ filter, value }];
  });
  if (chosen.length === 0) return null;
  return (
    <ul className="chosen-filters" aria-label={t('market.chosen')}>
      {chosen.map(({ filter, value }) => (
        <li key={filter}>
          <Link to={marketPath(withFilter(search, filter, undefined))} className="chosen-filters__link">
            <span className="visually-hidden">
              {t('market.filter.remove', { filter: t(`market.filter.${filter}`) })}
            </span>
            <span className="chosen-filters__name">
              <VisibleText text={nameOf(filter, value, facets)} />
            </span>
            <Icon name="close" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
