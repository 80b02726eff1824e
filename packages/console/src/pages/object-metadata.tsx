import { useTranslation } from '../i18n/translate.tsx';
import { MetadataForm } from '../steward/metadata-form.tsx';
import { MetadataSaveBar } from '../steward/metadata-save-bar.tsx';
import { SavedNote } from '../steward/saved-note.tsx';
import type { MetadataEdit } from '../steward/use-metadata-edit.ts';
import { Button } from '../ui/button.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { ObjectTags } from './object-tags.tsx';
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
      <p className="object-page__description" data-empty={text === undefined || undefined}>
        {text == null ? t('object.no-description') : <VisibleText text={text} lines="keep" />}
      </p>
      <ObjectTags tags={tags} domains={domains} />
      {mayEdit && (
        <Button size="s" icon="edit" onPress={edit.open}>
          {t('steward.edit')}
        </Button>
      )}
    </>
  );
}
