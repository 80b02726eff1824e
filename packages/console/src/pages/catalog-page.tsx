import { CatalogBreadcrumbs } from '../catalog/catalog-breadcrumbs.tsx';
import { CatalogEntries } from '../catalog/catalog-entries.tsx';
import { DataFiles } from '../catalog/data-files.tsx';
import { useCatalogLevel } from '../catalog/use-catalog-level.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { useListState } from '../router/query-parameters.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { ObjectUnavailable } from './object-unavailable.tsx';

/** Catalog with the views of the files that the operator serves. */
const FILES_CATALOG = 'files';
const PREFIX_CHARACTERS_MAX = 800;

/** Page of all catalogs, of the schemas of a catalog, or of the tables of a schema. */
export function CatalogPage({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const { catalog, schema } = parameters;
  const names = [catalog, schema].filter((name) => name !== undefined);
  const { searchText: prefix, search } = useListState();
  const level = useCatalogLevel(names, prefix);
  const title = names.at(-1) ?? t('catalog.all');
  const breadcrumbs = <CatalogBreadcrumbs names={names.slice(0, -1)} />;
  if (level.isError)
    return (
      <ObjectUnavailable
        error={level.error}
        missing={t('catalog.missing', { name: visibleText(names.join('.')) })}
        title={title}
        breadcrumbs={breadcrumbs}
        onRetry={level.refetch}
      />
    );
  const entries = level.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Page title={title} breadcrumbs={breadcrumbs}>
      <SearchField
        label={t('catalog.begins')}
        icon="filter"
        maxLength={PREFIX_CHARACTERS_MAX}
        searchText={prefix}
        onSearch={(q) => search({ q })}
      />
      {entries.length > 0 && <CatalogEntries label={visibleText(title)} names={names} entries={entries} />}
      {entries.length === 0 && !level.isPending && !level.isPlaceholderData && (
        <EmptyState
          icon="catalog"
          title={t(prefix === '' ? 'catalog.empty.title' : 'catalog.no-match')}
          message={t(prefix === '' ? 'catalog.empty.message' : 'catalog.no-match.message')}
        />
      )}
      {level.hasNextPage && (
        <Button onPress={() => level.isFetchingNextPage || void level.fetchNextPage()}>{t('search.more')}</Button>
      )}
      {catalog === FILES_CATALOG && schema === undefined && <DataFiles />}
    </Page>
  );
}
