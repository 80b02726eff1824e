import { useEffect, useState } from 'react';
import { useDomainNames } from '../api/use-domain-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { ChosenFilters, FacetList } from '../marketplace/facet-list.tsx';
import { ItemCard } from '../marketplace/item-card.tsx';
import { MARKET_PAGE_ITEMS, type MarketSearch, marketPath, readMarketSearch } from '../marketplace/market-search.ts';
import { useMarketItems } from '../marketplace/use-market.ts';
import { Link } from '../router/link.tsx';
import { NEW_ITEM_PATH } from '../router/object-paths.ts';
import { navigate, useQueryString } from '../router/router.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { Button } from '../ui/button.tsx';
import { Pager } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Failure } from '../ui/failure.tsx';
import { TextField } from '../ui/text-field.tsx';
import './marketplace-page.css';

/** Time without a key after which the words are searched. */
const TYPING_MS = 250;

/** Page on which a user finds items of the marketplace. */
export function MarketplacePage() {
  const { t } = useTranslation();
  usePageTitle(t('page.marketplace'));
  const search = readMarketSearch(useQueryString());
  const { data, error, isPlaceholderData, refetch } = useMarketItems(search);
  const nameOfDomain = useDomainNames();
  const { permissions } = useCurrentUser();
  const mayCreate = permissions.includes('datamap:write') || permissions.includes('admin');
  const words = useTypedWords(search);
  const isFiltered =
    search.words !== '' || [search.tag, search.domain, search.owner].some((each) => each !== undefined);
  return (
    <main className="marketplace-page">
      <header className="marketplace-page__head">
        <h1 className="marketplace-page__title">{t('page.marketplace')}</h1>
        <p className="marketplace-page__about">{t('market.about')}</p>
        {mayCreate && (
          <p>
            <Link to={NEW_ITEM_PATH}>{t('item.new')}</Link>
          </p>
        )}
        <div className="marketplace-page__search">
          <TextField
            label={t('market.search')}
            isLabelHidden
            placeholder={t('market.search')}
            icon="search"
            type="search"
            value={words.text}
            onChange={words.change}
          />
        </div>
        <ChosenFilters search={search} nameOfDomain={nameOfDomain} />
      </header>
      {error !== null ? (
        <Failure error={error}>
          <Button size="s" onPress={() => void refetch()}>
            {t('action.retry')}
          </Button>
        </Failure>
      ) : data === undefined ? (
        <p className="marketplace-page__waiting">{t('market.loading')}</p>
      ) : data.total === 0 ? (
        isFiltered ? (
          <EmptyState icon="search" title={t('market.no-match')} message={t('market.no-match.message')}>
            <Button onPress={() => navigate(marketPath({}))}>{t('market.show-all')}</Button>
          </EmptyState>
        ) : (
          <EmptyState icon="market" title={t('market.empty')} message={t('market.empty.message')} />
        )
      ) : (
        <div className="marketplace-page__content" data-stale={isPlaceholderData || undefined}>
          <FacetList search={search} facets={data.facets} nameOfDomain={nameOfDomain} />
          <div className="marketplace-page__results">
            <p className="marketplace-page__count" role="status">
              {t('market.found', { count: data.total })}
            </p>
            <ul className="marketplace-page__items" aria-label={t('market.items')}>
              {data.data.map((item) => (
                <li key={item.id}>
                  <ItemCard item={item} nameOfDomain={nameOfDomain} />
                </li>
              ))}
            </ul>
            <Pager
              label={t('market.pages')}
              from={search.from}
              size={MARKET_PAGE_ITEMS}
              total={data.total}
              onMove={(from) => navigate(marketPath({ ...search, from }))}
            />
          </div>
        </div>
      )}
    </main>
  );
}

/** Returns the text of the search field, which becomes part of the address when the user pauses. */
function useTypedWords(search: MarketSearch): { readonly text: string; readonly change: (text: string) => void } {
  const [typed, setTyped] = useState<string>();
  const address = marketPath(search);
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => {
      const next = { ...readMarketSearch(location.search), words: typed, from: 0 };
      if (marketPath(next) !== address) navigate(marketPath(next), { replaces: true });
      setTyped(undefined);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, address]);
  return { text: typed ?? search.words, change: setTyped };
}
