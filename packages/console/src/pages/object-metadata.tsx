import { useDomainNames } from '../api/use-domain-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { domainPath } from '../router/object-paths.ts';
import { MetadataForm } from '../steward/metadata-form.tsx';
import { MetadataSaveBar } from '../steward/metadata-save-bar.tsx';
import type { MetadataEdit } from '../steward/use-metadata-edit.ts';
import { SavedNote } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { TagLinks, TagList } from '../ui/tag-list.tsx';
import './object-page.css';

interface ObjectMetadataProps {
  readonly edit: MetadataEdit;
  readonly mayEdit: boolean;
  readonly hasDisplayName: boolean;
  /** The first one that is not empty is shown. */
  readonly descriptions: readonly (string | null)[];
  readonly tags: readonly string[];
  /** Ids of domains. */
  readonly domains: readonly string[];
}

/** Description and tags of an object, or the form that changes them, for users who may. */
export function ObjectMetadata(props: ObjectMetadataProps) {
  const { edit, mayEdit, hasDisplayName, descriptions, tags, domains } = props;
  const { t } = useTranslation();
  if (mayEdit && edit.isOpen)
    return (
      <>
        <MetadataForm edit={edit} hasDisplayName={hasDisplayName} />
        <MetadataSaveBar edit={edit} />
      </>
    );
  const text = descriptions.find((each) => each !== null && each !== '');
  return (
    <>
      {edit.savedBy !== undefined && <SavedNote text={t('steward.edit.saved')} requestId={edit.savedBy} />}
      <div className="object-page__description" data-empty={text === undefined || undefined}>
        {text == null ? t('object.no-description') : <Markdown text={text} />}
      </div>
      <ObjectTags tags={tags} domains={domains} />
      {mayEdit && (
        <Button size="s" icon="edit" onPress={edit.open}>
          {t('steward.edit')}
        </Button>
      )}
    </>
  );
}

interface ObjectTagsProps {
  readonly tags: readonly string[];
  /** Ids of domains. */
  readonly domains: readonly string[];
}

/** Domains and tags of an object, each with the way to others that have it. */
function ObjectTags({ tags, domains }: ObjectTagsProps) {
  const { t } = useTranslation();
  const nameOf = useDomainNames();
  if (tags.length + domains.length === 0) return null;
  return (
    <div className="object-tags">
      <TagLinks
        label={t('property.domains')}
        links={domains.map((id) => ({ id, text: nameOf(id), to: domainPath(id), isDomain: true }))}
      />
      <TagList label={t('property.tags')} tags={tags} />
    </div>
  );
}
