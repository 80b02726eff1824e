import type { StreamOperationTypes } from '@sluice/client';
import type { NameOfDomain } from '../api/use-domain-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { Icon } from '../ui/icon.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { MARKET_FILTERS, type MarketFilter, type MarketSearch, marketPath, withFilter } from './market-search.ts';
import './facet-list.css';

type Facets = NonNullable<StreamOperationTypes['listMarketplace']['result']['facets']>;

interface FacetListProps {
  readonly search: MarketSearch;
  readonly facets: Facets | undefined;
  readonly nameOfDomain: NameOfDomain;
}

const FACETS = { domain: 'domains', tag: 'tags', owner: 'owners' } as const;
const ORDER: readonly MarketFilter[] = ['domain', 'tag', 'owner'];

/** Values that narrow the list, with the number of items that have them. A chosen value is a link that removes the filter. */
export function FacetList({ search, facets, nameOfDomain }: FacetListProps) {
  const { t } = useTranslation();
  return (
    <nav className="facets" aria-label={t('market.filters')}>
      {ORDER.map((filter) => {
        const values = facets?.[FACETS[filter]] ?? [];
        if (values.length === 0) return null;
        return (
          <section key={filter} className="facets__group" aria-label={t(`market.filter.${filter}`)}>
            <h2 className="facets__title">{t(`market.filter.${filter}`)}</h2>
            <ul>
              {values.map(({ value, count }) => {
                const isChosen = search[filter] === value;
                return (
                  <li key={value}>
                    <Link
                      to={marketPath(withFilter(search, filter, isChosen ? undefined : value))}
                      className="facets__value"
                      aria-current={isChosen ? 'true' : undefined}
                    >
                      <span className="facets__name">
                        <VisibleText text={nameOf(filter, value, nameOfDomain)} />
                      </span>
                      <span className="facets__count">{count}</span>
                    </Link>
                  </li>
                );
              })}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}

const nameOf = (filter: MarketFilter, value: string, nameOfDomain: NameOfDomain): string =>
  filter === 'domain' ? nameOfDomain(value) : value;

/** The filters of the search, each with a link that removes it. */
export function ChosenFilters({ search, nameOfDomain }: Omit<FacetListProps, 'facets'>) {
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
