import { type FormEvent, useEffect, useRef } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { TagField } from '../ui/tag-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { DISPLAY_NAME, type EditableValue, type EditConflict, propertyKey } from './metadata-edit.ts';
import { METADATA_FORM_ID } from './metadata-save-bar.tsx';
import type { MetadataEdit } from './use-metadata-edit.ts';
import './edit-conflicts.css';
import './metadata-form.css';

interface MetadataFormProps {
  readonly edit: MetadataEdit;
  /** Whether the object has a name of its own: datamaps do. */
  readonly hasDisplayName: boolean;
}

const DESCRIPTION = propertyKey(null, 'description');
const TAGS = propertyKey(null, 'tags');

const textOf = (edit: MetadataEdit, key: string): string => String(edit.editedValue(key));

/** Form with the description and the tags of an object, in place of what the page shows of them. `MetadataSaveBar` has its buttons. */
export function MetadataForm({ edit, hasDisplayName }: MetadataFormProps) {
  const { t } = useTranslation();
  const tags = edit.editedValue(TAGS);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!edit.isUnnamed && edit.conflicts.length === 0) edit.save();
  };
  return (
    <form id={METADATA_FORM_ID} className="metadata-form" aria-label={t('steward.edit.title')} onSubmit={submit}>
      {edit.isRestored && <p className="metadata-form__note">{t('steward.edit.restored')}</p>}
      {!edit.isKept && <p className="metadata-form__note">{t('steward.edit.not-kept')}</p>}
      <EditConflicts edit={edit} />
      {hasDisplayName && (
        <TextField
          label={t('property.display_name')}
          value={textOf(edit, DISPLAY_NAME)}
          onChange={(text) => edit.change(DISPLAY_NAME, text)}
          problem={edit.isUnnamed ? t('property.name-missing') : undefined}
        />
      )}
      <TextField
        label={t('property.description')}
        value={textOf(edit, DESCRIPTION)}
        onChange={(text) => edit.change(DESCRIPTION, text)}
        lines={5}
        autoFocus
      />
      <TagField
        label={t('property.tags')}
        description={t('steward.edit.tags.about')}
        tags={Array.isArray(tags) ? tags : []}
        removeLabelOf={(tag) => t('steward.edit.tags.remove', { tag })}
        onChange={(next) => edit.change(TAGS, next)}
      />
      <p className="metadata-form__about">{t('steward.edit.about')}</p>
    </form>
  );
}

/** Values that somebody else has changed meanwhile, each with both versions and a choice. Nothing without conflicts. */
function EditConflicts({ edit }: { readonly edit: MetadataEdit }) {
  const { t } = useTranslation();
  const { conflicts } = edit;
  const section = useRef<HTMLElement>(null);
  const hasConflicts = conflicts.length > 0;
  // The user may be at a column far below.
  useEffect(() => {
    if (hasConflicts) section.current?.scrollIntoView({ block: 'nearest' });
  }, [hasConflicts]);
  if (!hasConflicts) return null;
  return (
    <section ref={section} className="edit-conflicts" role="alert" aria-label={t('steward.conflict.title')}>
      <p className="edit-conflicts__title">{t('steward.conflict.title')}</p>
      <p>{t('steward.conflict.about')}</p>
      <ul className="edit-conflicts__list">
        {conflicts.map((conflict) => (
          <Conflict key={conflict.key} conflict={conflict} onChoose={(choice) => edit.resolve(conflict, choice)} />
        ))}
      </ul>
    </section>
  );
}

interface ConflictProps {
  readonly conflict: EditConflict;
  readonly onChoose: (choice: 'mine' | 'theirs') => void;
}

function Conflict({ conflict, onChoose }: ConflictProps) {
  const { t } = useTranslation();
  const { field, name } = conflict;
  const property = t(`property.${name}`);
  const what = field === null ? property : t('steward.conflict.field', { property, field: visibleText(field) });
  return (
    <li className="edit-conflicts__one">
      <p className="edit-conflicts__what">{what}</p>
      <div className="edit-conflicts__versions">
        {(['theirs', 'mine'] as const).map((version) => (
          <div key={version} className="edit-conflicts__version">
            <p className="edit-conflicts__whose">{t(`steward.conflict.${version}`)}</p>
            <Value value={conflict[version]} />
            <Button size="s" onPress={() => onChoose(version)}>
              {t(`steward.conflict.keep-${version}`)}
            </Button>
          </div>
        ))}
      </div>
    </li>
  );
}

function Value({ value }: { readonly value: EditableValue }) {
  const { t } = useTranslation();
  if (value.length === 0) return <p className="edit-conflicts__none">{t('steward.conflict.none')}</p>;
  if (typeof value === 'string')
    return (
      <p className="edit-conflicts__text">
        <VisibleText text={value} lines="keep" />
      </p>
    );
  return (
    <ul className="tag-list">
      {value.map((tag) => (
        <li key={tag}>
          <Badge>
            <VisibleText text={tag} />
          </Badge>
        </li>
      ))}
    </ul>
  );
}
