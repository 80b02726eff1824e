import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { catalogPath } from '../router/object-paths.ts';
import { Icon } from '../ui/icon.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { parseTableName } from './table-name.ts';

/** Tables and views that a datamap reads. Null: it was saved by a version that did not note them. */
export function DatamapReads({ reads }: { readonly reads: readonly string[] | null }) {
  const { t } = useTranslation();
  if (reads === null) return <p className="datamap-reads__none">{t('datamap.reads.unknown')}</p>;
  if (reads.length === 0) return <p className="datamap-reads__none">{t('datamap.reads.none')}</p>;
  return (
    <ul className="datamap-reads" aria-label={t('datamap.reads')}>
      {reads.map((name) => {
        const parts = parseTableName(name);
        const path = parts?.length === 3 ? catalogPath(...parts) : undefined;
        const text = <VisibleText text={parts?.join('.') ?? name} />;
        return (
          <li key={name}>
            <Icon name="table" />
            {path === undefined ? <span>{text}</span> : <Link to={path}>{text}</Link>}
          </li>
        );
      })}
    </ul>
  );
}
