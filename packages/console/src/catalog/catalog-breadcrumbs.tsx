import { useTranslation } from '../i18n/translate.tsx';
import { catalogPath } from '../router/object-paths.ts';
import { Breadcrumbs } from '../ui/page.tsx';

/** Links to what is above an object of the catalog: the search, all catalogs, the catalog, the schema. */
export function CatalogBreadcrumbs({ names }: { readonly names: readonly string[] }) {
  const { t } = useTranslation();
  const above = names.map((text, index) => ({ text, to: catalogPath(...names.slice(0, index + 1)) }));
  return (
    <Breadcrumbs
      label={t('catalog.breadcrumbs')}
      items={[{ text: t('page.search'), to: '/search' }, { text: t('catalog.all'), to: '/tables' }, ...above]}
    />
  );
}
