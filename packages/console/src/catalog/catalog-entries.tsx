import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { catalogPath } from '../router/object-paths.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { MarkdownExcerpt } from '../ui/markdown.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { CatalogEntry } from './use-catalog-level.ts';
import './catalog.css';

const ICONS: Readonly<Record<CatalogEntry['kind'], IconName>> = {
  catalog: 'catalog',
  schema: 'schema',
  table: 'table',
  view: 'view',
};
/** A description has one line here, and may be 100,000 characters long. */
const DESCRIPTION_CHARACTERS = 200;

interface CatalogEntriesProps {
  readonly label: string;
  /** Catalog and schema of the entries. */
  readonly names: readonly string[];
  readonly entries: readonly CatalogEntry[];
  /** Whether the list is in a narrow column. Default: false. */
  readonly isNarrow?: boolean;
}

/** List of catalogs, schemas or tables. */
export function CatalogEntries({ label, names, entries, isNarrow = false }: CatalogEntriesProps) {
  const { t } = useTranslation();
  return (
    <ul className="catalog-entries" data-narrow={isNarrow || undefined} aria-label={label}>
      {entries.map(({ name, kind, description, tableCount }) => {
        const path = catalogPath(...names, name);
        const text = <VisibleText text={name} />;
        return (
          <li key={name} className="catalog-entry">
            <Icon name={ICONS[kind]} />
            <span className="catalog-entry__name">{path === undefined ? text : <Link to={path}>{text}</Link>}</span>
            <span className="catalog-entry__about">
              {tableCount !== undefined && t('catalog.tables', { count: tableCount })}
              {kind === 'view' && t('search.one.view')}
              {path === undefined && t('catalog.no-address')}
              {description !== null && (
                <span className="catalog-entry__description">
                  <MarkdownExcerpt text={description} characters={DESCRIPTION_CHARACTERS} />
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
