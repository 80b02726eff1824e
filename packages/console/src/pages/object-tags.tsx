import { useDomainNames } from '../api/use-domain-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { searchPath } from '../router/search-address.ts';
import { TagLinks, TagList } from '../ui/tag-list.tsx';

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
      <TagLinks
        label={t('property.domains')}
        links={domains.map((id) => ({ id, text: nameOf(id), to: searchPath({ domain: id }), isDomain: true }))}
      />
      <TagList label={t('property.tags')} tags={tags} />
    </div>
  );
}
