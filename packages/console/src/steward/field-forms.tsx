import { useTranslation } from '../i18n/translate.tsx';
import { TagField } from '../ui/tag-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { VisibleText, visibleText } from '../ui/visible-text.tsx';
import { propertyKey } from './metadata-edit.ts';
import type { MetadataEdit } from './use-metadata-edit.ts';
import './field-forms.css';

interface FieldFormsProps {
  readonly edit: MetadataEdit;
  /** A field without a name cannot be changed. */
  readonly fields: readonly { readonly index: number; readonly name: string; readonly type: string }[];
}

/** Descriptions and tags of columns, to change. They are saved with the object. */
export function FieldForms({ edit, fields }: FieldFormsProps) {
  return (
    <ul className="field-forms">
      {fields
        .filter(({ name }) => name !== '')
        .map((field) => (
          <FieldForm key={field.index} edit={edit} field={field} />
        ))}
    </ul>
  );
}

function FieldForm({
  edit,
  field,
}: {
  readonly edit: MetadataEdit;
  readonly field: FieldFormsProps['fields'][number];
}) {
  const { t } = useTranslation();
  const { name, type } = field;
  const [description, tags] = [propertyKey(name, 'description'), propertyKey(name, 'tags')];
  const shown = edit.editedValue(tags);
  const column = visibleText(name);
  return (
    <li className="field-forms__one">
      <p className="field-forms__name">
        <code>
          <VisibleText text={name} />
        </code>
        <code className="field-forms__type">
          <VisibleText text={type} />
        </code>
      </p>
      <TextField
        label={t('steward.edit.field.description', { column })}
        value={String(edit.editedValue(description))}
        onChange={(text) => edit.change(description, text)}
        lines={2}
      />
      <TagField
        label={t('steward.edit.field.tags', { column })}
        tags={Array.isArray(shown) ? shown : []}
        removeLabelOf={(tag) => t('steward.edit.tags.remove', { tag })}
        onChange={(next) => edit.change(tags, next)}
      />
    </li>
  );
}
