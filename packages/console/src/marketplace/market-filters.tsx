import type { StreamOperationTypes } from '@sluice/client';
import type { NameOfDomain } from '../api/use-domain-names.ts';
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
  readonly nameOfDomain: NameOfDomain;
}

const FACETS = { domain: 'domains', tag: 'tags', owner: 'owners' } as const;
const ORDER: readonly MarketFilter[] = ['domain', 'tag', 'owner'];

/** Values that narrow the list, with the number of items that have them. A chosen value is a link that removes the filter. */
export function MarketFacets({ search, facets, nameOfDomain }: MarketFacetsProps) {
  const { t } = useTranslation();
  return ORDER.map((filter) => (
    <FacetList
      key={filter}
      title={t(`market.filter.${filter}`)}
      values={facets?.[FACETS[filter]] ?? []}
      selected={search[filter]}
      nameOf={(value) => nameOf(filter, value, nameOfDomain)}
      pathOf={(value) => marketPath(withFilter(search, filter, value))}
    />
  ));
}

const nameOf = (filter: MarketFilter, value: string, nameOfDomain: NameOfDomain): string =>
  filter === 'domain' ? nameOfDomain(value) : value;

/** The filters of the search, each with a link that removes it. */
export function ChosenFilters({ search, nameOfDomain }: Omit<MarketFacetsProps, 'facets'>) {
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
              <VisibleText text={nameOf(filter, value, nameOfDomain)} />
            </span>
            <Icon name="close" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
