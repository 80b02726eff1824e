import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { catalogPath } from '../router/object-paths.ts';
import { Icon } from '../ui/icon.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import './catalog.css';

/** Links to what is above a place of the catalog: the search, all catalogs, the catalog, the schema. */
export function CatalogTrail({ names }: { readonly names: readonly string[] }) {
  const { t } = useTranslation();
  const above = names.map((name, index) => ({ name, path: catalogPath(...names.slice(0, index + 1)) }));
  return (
    <nav aria-label={t('catalog.trail')}>
      <ol className="catalog-trail">
        <li>
          <Link to="/search">{t('page.search')}</Link>
        </li>
        <li>
          <Icon name="right" />
          <Link to="/tables">{t('catalog.all')}</Link>
        </li>
        {above.map(({ name, path }) => (
          <li key={path ?? name}>
            <Icon name="right" />
            {path === undefined ? (
              <VisibleText text={name} />
            ) : (
              <Link to={path}>
                <VisibleText text={name} />
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
