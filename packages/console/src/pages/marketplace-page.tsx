import { useTranslation } from '../i18n/translate.tsx';
import { ItemCard } from '../marketplace/item-card.tsx';
import { ChosenFilters, MarketFacets } from '../marketplace/market-filters.tsx';
import {
  countFilters,
  MARKET_PAGE_ITEMS,
  type MarketSearch,
  marketPath,
  readMarketSearch,
} from '../marketplace/market-search.ts';
import { useMarketItems, useOwnRequests } from '../marketplace/use-market.ts';
import { NEW_ITEM_PATH } from '../router/object-paths.ts';
import { navigate, useQueryString } from '../router/router.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Pager } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loaded } from '../ui/failure.tsx';
import { FacetedList } from '../ui/filters.tsx';
import { Note } from '../ui/layout.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import './marketplace-page.css';

/** Page on which a user finds items of the marketplace. */
export function MarketplacePage() {
  const { t } = useTranslation();
  const search = readMarketSearch(useQueryString());
  const items = useMarketItems(search);
  const requestsFor = useOwnRequests();
  const { permissions } = useCurrentUser();
  const mayCreate = permissions.includes('datamap:write') || permissions.includes('admin');
  return (
    <Page
      title={t('page.marketplace')}
      about={t('market.about')}
      actions={
        mayCreate && (
          <LinkButton to={NEW_ITEM_PATH} icon="plus">
            {t('item.new')}
          </LinkButton>
        )
      }
      head={
        <>
          <div className="marketplace-page__search">
            <SearchField
              label={t('market.search')}
              searchText={search.searchText}
              onSearch={(searchText) => navigate(marketPath({ ...search, searchText, from: 0 }), { replaces: true })}
            />
          </div>
          <ChosenFilters search={search} facets={items.data?.facets} />
        </>
      }
    >
      <Loaded query={items} waiting={<Note>{t('market.loading')}</Note>}>
        {({ total, facets, data }) =>
          total === 0 ? (
            <NoItems search={search} />
          ) : (
            <FacetedList
              label={t('market.filters')}
              count={countFilters(search)}
              facets={<MarketFacets search={search} facets={facets} />}
            >
              <Note role="status">{t('market.found', { count: total })}</Note>
              <ul className="marketplace-page__items" aria-label={t('market.items')}>
                {data.map((item) => (
                  <li key={item.id}>
                    <ItemCard item={item} requests={requestsFor(item.id)} />
                  </li>
                ))}
              </ul>
              <Pager
                label={t('market.pages')}
                from={search.from}
                size={MARKET_PAGE_ITEMS}
                total={total}
                onMove={(from) => navigate(marketPath({ ...search, from }))}
              />
            </FacetedList>
          )
        }
      </Loaded>
    </Page>
  );
}

function NoItems({ search: { searchText, tag, domain, owner } }: { readonly search: MarketSearch }) {
  const { t } = useTranslation();
  if (searchText === '' && [tag, domain, owner].every((filter) => filter === undefined))
    return <EmptyState icon="market" title={t('market.empty')} message={t('market.empty.message')} />;
  return (
    <EmptyState icon="search" title={t('market.no-match')} message={t('market.no-match.message')}>
      <Button onPress={() => navigate(marketPath({}))}>{t('market.show-all')}</Button>
    </EmptyState>
  );
}
