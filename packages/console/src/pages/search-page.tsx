import { useEffect, useRef } from 'react';
import { useDomainNames } from '../api/use-domain-names.ts';
import { CatalogEntries } from '../catalog/catalog-entries.tsx';
import { useCatalogLevel } from '../catalog/use-catalog-level.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { DOMAINS_PATH } from '../router/object-paths.ts';
import { navigate, useQueryString } from '../router/router.ts';
import {
  NO_SEARCH,
  readSearchAddress,
  SEARCH_CHARACTERS_MAX,
  type SearchAddress,
  searchPath,
} from '../router/search-address.ts';
import { countFacet } from '../search/search-hit.ts';
import { focusFirstHit, SearchHits } from '../search/search-hits.tsx';
import { SearchKinds } from '../search/search-kinds.tsx';
import { type SearchResults, useSearch } from '../search/use-search.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FacetList } from '../ui/facet-list.tsx';
import { Failure } from '../ui/failure.tsx';
import { FacetedList } from '../ui/filters.tsx';
import { Row } from '../ui/layout.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { announce } from '../ui/live-regions.tsx';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import './search-page.css';

const FACET_VALUES_MAX = 12;

/** Page that finds datamaps, tables, views and marketplace items. Its address holds the search, so that "Back" returns to it. */
export function SearchPage() {
  const { t } = useTranslation();
  const address = readSearchAddress(useQueryString());
  const results = useSearch(address);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLOListElement>(null);
  useAnnouncedResults(results);
  return (
    <Page
      title={t('page.search')}
      actions={
        <>
          <LinkButton to="/tables" icon="catalog">
            {t('search.browse-all')}
          </LinkButton>
          <LinkButton to={DOMAINS_PATH}>{t('property.domains')}</LinkButton>
        </>
      }
    >
      <SearchField
        autoFocus
        size="l"
        label={t('search.field')}
        placeholder={t('search.placeholder')}
        maxLength={SEARCH_CHARACTERS_MAX}
        searchText={address.searchText}
        onSearch={(text) => {
          const searchText = text.trim();
          // The first words are a new entry of the history of the browser; more of them replace it.
          if (searchText !== address.searchText)
            navigate(searchPath({ ...address, searchText }), { replaces: address.searchText !== '' });
        }}
        onLeave={() => focusFirstHit(list.current)}
        inputRef={field}
      />
      <SearchKinds address={address} totals={results.totals} />
      <FacetedList
        label={t('search.narrow')}
        count={[address.tag, address.domain].filter((value) => value !== undefined).length}
        facets={<Facets address={address} results={results} />}
        beside={<BrowseCatalogs />}
      >
        <Failure error={results.error} onRetry={results.retry} />
        <ResultLine address={address} results={results} />
        <SearchHits
          hits={results.hits}
          isOld={results.isPending}
          onLeave={() => field.current?.focus()}
          listRef={list}
        />
        <NoResults address={address} results={results} />
        {results.loadMore !== undefined && (
          <Row>
            <Button onPress={results.loadMore}>{t('search.more')}</Button>
          </Row>
        )}
      </FacetedList>
    </Page>
  );
}

interface PartProps {
  readonly address: SearchAddress;
  readonly results: SearchResults;
}

/** Returns the sentence about what the list holds. */
function useResultLine({ address, results }: PartProps): string {
  const { t } = useTranslation();
  const { loaded, hits, loadMore } = results;
  if (address.tag !== undefined || address.domain !== undefined)
    return t(loadMore === undefined ? 'search.line.narrowed' : 'search.line.narrowed-part', {
      count: hits.length,
      loaded: loaded.length,
    });
  if (address.searchText === '') return t('search.line.recent');
  return t('search.line.found', { count: hits.length });
}

function ResultLine(props: PartProps) {
  const text = useResultLine(props);
  return props.results.hits.length === 0 ? null : <h2 className="search-page__line">{text}</h2>;
}

function NoResults({ address, results }: PartProps) {
  const { t } = useTranslation();
  const { isPending, hits, error } = results;
  if (isPending || hits.length > 0 || (error !== undefined && error !== null)) return null;
  if (
    address.searchText === '' &&
    address.tag === undefined &&
    address.domain === undefined &&
    address.kind === undefined
  )
    return <EmptyState icon="search" title={t('search.empty.title')} message={t('search.empty.message')} />;
  if (
    address.kind === 'draft' &&
    address.searchText === '' &&
    address.tag === undefined &&
    address.domain === undefined
  )
    return <EmptyState icon="datamap" title={t('search.drafts.none')} message={t('search.drafts.none.about')} />;
  return (
    <EmptyState icon="search" title={t('search.none.title')} message={t('search.none.message')}>
      <Link to={searchPath(NO_SEARCH)}>{t('search.reset')}</Link>
    </EmptyState>
  );
}

function Facets({ address, results }: PartProps) {
  const { t } = useTranslation();
  const nameOf = useDomainNames();
  const { tag, domain } = address;
  const { hits } = results;
  return (
    <>
      <FacetList
        title={t('property.tags')}
        values={countFacet(hits, ({ tags }) => tags, { max: FACET_VALUES_MAX, selected: tag })}
        selected={tag}
        nameOf={(value) => value}
        pathOf={(value) => searchPath({ ...address, tag: value })}
      />
      <FacetList
        title={t('property.domains')}
        values={countFacet(hits, ({ domains }) => domains, { max: FACET_VALUES_MAX, selected: domain })}
        selected={domain}
        nameOf={nameOf}
        pathOf={(value) => searchPath({ ...address, domain: value })}
      />
    </>
  );
}

/** The way for users who do not know what to search for. */
function BrowseCatalogs() {
  const { t } = useTranslation();
  const { data } = useCatalogLevel([], '');
  const entries = data?.pages[0]?.entries ?? [];
  if (entries.length === 0) return null;
  return (
    <section aria-label={t('search.browse')}>
      <h2 className="search-page__aside-title">{t('search.browse')}</h2>
      <CatalogEntries isNarrow label={t('catalog.all')} names={[]} entries={entries.slice(0, FACET_VALUES_MAX)} />
    </section>
  );
}

/** Tells screen readers how many results there are, when they are there. */
function useAnnouncedResults({ isPending, hits }: SearchResults): void {
  const { t } = useTranslation();
  const text = t('search.line.found', { count: hits.length });
  const isFirst = useRef(true);
  useEffect(() => {
    if (isPending) return;
    if (!isFirst.current) announce(text);
    isFirst.current = false;
  }, [isPending, text]);
}
