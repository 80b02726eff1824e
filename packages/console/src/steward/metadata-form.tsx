import type { FormEvent } from 'react';
import { useDomainNames } from '../api/use-domain-names.ts';
import { useKnownTags } from '../api/use-known-tags.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { type ConflictChoice, ConflictPanel } from '../ui/conflict-panel.tsx';
import { DomainField } from '../ui/domain-field.tsx';
import { Note } from '../ui/layout.tsx';
import { TagField } from '../ui/tag-field.tsx';
import { PlainTags } from '../ui/tag-list.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import { DISPLAY_NAME, type EditableValue, propertyKey } from './metadata-edit.ts';
import { METADATA_FORM_ID } from './metadata-save-bar.tsx';
import type { MetadataEdit } from './use-metadata-edit.ts';
import './metadata-form.css';

interface MetadataFormProps {
  readonly edit: MetadataEdit;
  /** Whether the object has a name of its own: datamaps do. Tables have an owner instead that is set here. */
  readonly hasDisplayName: boolean;
}

const DESCRIPTION = propertyKey(null, 'description');
const TAGS = propertyKey(null, 'tags');
const DOMAINS = propertyKey(null, 'domains');
const OWNER = propertyKey(null, 'owner');
const EMAIL_CHARACTERS_MAX = 320;

const textOf = (edit: MetadataEdit, key: string): string => String(edit.editedValue(key));

/** Form with the description and the tags of an object, in place of what the page shows of them. `MetadataSaveBar` has its buttons. */
export function MetadataForm({ edit, hasDisplayName }: MetadataFormProps) {
  const { t } = useTranslation();
  const tags = edit.editedValue(TAGS);
  const domains = edit.editedValue(DOMAINS);
  const knownTags = useKnownTags();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!edit.isUnnamed && edit.conflicts.length === 0) edit.save();
  };
  return (
    <form id={METADATA_FORM_ID} className="metadata-form" aria-label={t('steward.edit.title')} onSubmit={submit}>
      {edit.isRestored && <p className="metadata-form__note">{t('steward.edit.restored')}</p>}
      {!edit.isStored && <p className="metadata-form__note">{t('steward.edit.not-stored')}</p>}
      <Conflicts edit={edit} />
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
        description={t('property.description.about')}
        lines={5}
        autoFocus
      />
      <TagField
        label={t('property.tags')}
        description={t('steward.edit.tags.about')}
        tags={Array.isArray(tags) ? tags : []}
        suggestions={knownTags}
        removeLabelOf={(tag) => t('steward.edit.tags.remove', { tag })}
        onChange={(next) => edit.change(TAGS, next)}
      />
      <DomainField chosen={Array.isArray(domains) ? domains : []} onChange={(next) => edit.change(DOMAINS, next)} />
      {!hasDisplayName && (
        <TextField
          label={t('label.owner')}
          description={t('describe.domain.owner.about')}
          value={textOf(edit, OWNER)}
          maxLength={EMAIL_CHARACTERS_MAX}
          autoComplete="off"
          onChange={(text) => edit.change(OWNER, text)}
        />
      )}
      <Note size="s">{t('steward.edit.about')}</Note>
    </form>
  );
}

function Conflicts({ edit }: { readonly edit: MetadataEdit }) {
  const { t } = useTranslation();
  const nameOf = useDomainNames();
  const conflicts = edit.conflicts.map((conflict) => {
    const { key, field, name, mine, theirs } = conflict;
    const property = t(`describe.property.${name}`);
    const shown = (value: EditableValue): EditableValue =>
      name === 'domains' && typeof value !== 'string' ? value.map(nameOf) : value;
    return {
      key,
      what: field === null ? property : t('steward.conflict.field', { property, field: visibleText(field) }),
      mine: <Value value={shown(mine)} />,
      theirs: <Value value={shown(theirs)} />,
      onChoose: (choice: ConflictChoice) => edit.resolve(conflict, choice),
    };
  });
  return <ConflictPanel about={t('steward.conflict.about')} conflicts={conflicts} />;
}

function Value({ value }: { readonly value: EditableValue }) {
  const { t } = useTranslation();
  if (value.length === 0) return <Note size="s">{t('steward.conflict.none')}</Note>;
  return typeof value === 'string' ? <VisibleText text={value} lines="preserve" /> : <PlainTags tags={value} />;
}
