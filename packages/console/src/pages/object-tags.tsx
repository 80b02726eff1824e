import { useDomainNames } from '../api/use-domain-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Link } from '../router/link.tsx';
import { searchPath } from '../router/search-address.ts';
import { Badge } from '../ui/badge.tsx';
import { TagList } from '../ui/tag-list.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

interface ObjectTagsProps {
  readonly tags: readonly string[];
  /** Ids of domains. */
  readonly domains: readonly string[];
}

/** Domains and tags of an object, each with the way to others that have it. */
export function ObjectTags({ tags, domains }: ObjectTagsProps) {
  const { t } = useTranslation();
  const nameOf = useDomainNames();
  if (tags.length + domains.length === 0) return null;
  return (
    <div className="object-tags">
      {domains.length > 0 && (
        <ul className="tag-list" aria-label={t('search.domains')}>
          {domains.map((domain) => (
            <li key={domain}>
              <Link className="tag-list__tag" to={searchPath({ domain })}>
                <Badge tone="info">
                  <VisibleText text={nameOf(domain)} />
                </Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <TagList label={t('object.tags')} tags={tags} />
    </div>
  );
}
