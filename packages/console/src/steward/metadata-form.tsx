import type { FormEvent } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { TagField } from '../ui/tag-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { DiscardButton } from './discard-button.tsx';
import { EditConflicts } from './edit-conflicts.tsx';
import { propertyKey } from './metadata-edit.ts';
import type { MetadataEdit } from './use-metadata-edit.ts';
import './metadata-form.css';

interface MetadataFormProps {
  readonly edit: MetadataEdit;
  /** Whether the object has a name of its own: datamaps do. */
  readonly hasDisplayName: boolean;
}

const DISPLAY_NAME = propertyKey(null, 'display_name');
const DESCRIPTION = propertyKey(null, 'description');
const TAGS = propertyKey(null, 'tags');

const textOf = (edit: MetadataEdit, key: string): string => String(edit.editedValue(key));

/** Form with the description and the tags of an object, in place of what the page shows of them. */
export function MetadataForm({ edit, hasDisplayName }: MetadataFormProps) {
  const { t } = useTranslation();
  const tags = edit.editedValue(TAGS);
  const name = textOf(edit, DISPLAY_NAME);
  const isBlank = hasDisplayName && name.trim() === '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBlank && edit.conflicts.length === 0) edit.save();
  };
  return (
    <form className="metadata-form" aria-label={t('steward.edit.title')} onSubmit={submit}>
      {edit.isRestored && <p className="metadata-form__note">{t('steward.edit.restored')}</p>}
      {!edit.isKept && <p className="metadata-form__note">{t('steward.edit.not-kept')}</p>}
      <Failure error={edit.saving.failure} />
      <EditConflicts edit={edit} />
      {hasDisplayName && (
        <TextField
          label={t('steward.edit.display_name')}
          value={name}
          onChange={(text) => edit.change(DISPLAY_NAME, text)}
          problem={isBlank ? t('steward.edit.display_name.problem') : undefined}
        />
      )}
      <TextField
        label={t('steward.edit.description')}
        value={textOf(edit, DESCRIPTION)}
        onChange={(text) => edit.change(DESCRIPTION, text)}
        lines={5}
        autoFocus
      />
      <TagField
        label={t('steward.edit.tags')}
        description={t('steward.edit.tags.about')}
        tags={Array.isArray(tags) ? tags : []}
        removeLabelOf={(tag) => t('steward.edit.tags.remove', { tag })}
        onChange={(next) => edit.change(TAGS, next)}
      />
      <p className="metadata-form__about">{t('steward.edit.about')}</p>
      <RemovedValues edit={edit} />
      <div className="metadata-form__actions">
        <Button
          kind="primary"
          type="submit"
          isDisabled={edit.saving.isRunning || !edit.hasEdits || isBlank || edit.conflicts.length > 0}
        >
          {t('steward.edit.save')}
        </Button>
        <DiscardButton hasEdits={edit.hasEdits} isDisabled={edit.saving.isRunning} onDiscard={edit.discard} />
      </div>
    </form>
  );
}

/** What saving removes, if anything. */
function RemovedValues({ edit }: { readonly edit: MetadataEdit }) {
  const { t } = useTranslation();
  const losses = edit.removed.map(({ field, name, tags }) => {
    const property = t(`steward.edit.${name}`);
    const what = field === null ? property : t('steward.conflict.field', { property, field: visibleText(field) });
    return tags.length === 0
      ? t('steward.impact.description', { what })
      : t('steward.impact.tags', { what, tags: tags.map(visibleText).join(', ') });
  });
  return losses.length === 0 ? null : <Impact losses={losses} />;
}
