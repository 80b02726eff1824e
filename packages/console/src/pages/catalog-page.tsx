import { useState } from 'react';
import { CatalogEntries } from '../catalog/catalog-entries.tsx';
import { CatalogTrail } from '../catalog/catalog-trail.tsx';
import { useCatalogLevel } from '../catalog/use-catalog-level.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { ObjectUnavailable } from './object-unavailable.tsx';
import './object-page.css';

const PREFIX_CHARACTERS_MAX = 800;

/** Page of all catalogs, of the schemas of a catalog, or of the tables of a schema. */
export function CatalogPage({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const { catalog, schema } = parameters;
  const names = [catalog, schema].filter((name) => name !== undefined);
  const [prefix, setPrefix] = useState('');
  const level = useCatalogLevel(names, prefix);
  const title = names.at(-1) ?? t('catalog.all');
  usePageTitle(visibleText(title));
  const trail = <CatalogTrail names={names.slice(0, -1)} />;
  if (level.isError)
    return (
      <ObjectUnavailable
        error={level.error}
        missing={t('catalog.missing', { name: visibleText(names.join('.')) })}
        trail={trail}
        onRetry={() => void level.refetch()}
      />
    );
  const entries = level.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <main className="object-page">
      {trail}
      <h1 className="object-page__title">
        <VisibleText text={title} />
      </h1>
      <TextField
        label={t('catalog.begins')}
        isLabelHidden
        icon="filter"
        placeholder={t('catalog.begins')}
        maxLength={PREFIX_CHARACTERS_MAX}
        spellCheck="false"
        value={prefix}
        onChange={setPrefix}
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
    </main>
  );
}
