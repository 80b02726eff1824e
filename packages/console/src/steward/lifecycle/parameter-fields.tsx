import { useTranslation } from '../../i18n/translate.tsx';
import { listItemType } from '../../parameters/list-values.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { VisibleText, visibleText } from '../../ui/visible-text.tsx';
import {
  type DeclaredParameter,
  draftOfParameter,
  MISSING_VALUES,
  type ParameterDraft,
  TYPE_SUGGESTIONS,
} from './parameter-draft.ts';
import './datamap-lifecycle.css';

interface ParameterFieldsProps {
  readonly name: string;
  readonly draft: ParameterDraft;
  readonly onChange: (draft: ParameterDraft) => void;
}

/** Fields for the declaration of one parameter of a datamap. */
export function ParameterFields({ name, draft, onChange }: ParameterFieldsProps) {
  const { t } = useTranslation();
  const change = (part: Partial<ParameterDraft>): void => onChange({ ...draft, ...part });
  return (
    <fieldset className="statement-form__parameter">
      <legend>
        <code>{`$${name}`}</code>
      </legend>
      <div className="statement-form__types">
        <TextField
          label={t('parameters.type', { name })}
          value={draft.type}
          suggestions={TYPE_SUGGESTIONS}
          onChange={(type) => change({ type })}
          spellCheck="false"
          autoComplete="off"
        />
        <SelectField
          label={t('lifecycle.parameter.missing', { name })}
          value={draft.missing}
          choices={MISSING_VALUES.map((id) => ({ id, label: t(`lifecycle.parameter.missing.${id}`) }))}
          onChange={(missing) => change({ missing })}
        />
        {draft.missing === 'default' && (
          <TextField
            label={t('lifecycle.parameter.preset', { name })}
            value={draft.preset}
            {...(listItemType(draft.type) === undefined ? {} : { lines: 2, description: t('parameters.list.about') })}
            onChange={(preset) => change({ preset })}
          />
        )}
      </div>
      <TextField
        label={t('lifecycle.parameter.description', { name })}
        value={draft.description}
        onChange={(description) => change({ description })}
      />
      <TextField
        label={t('lifecycle.parameter.allowed', { name })}
        description={t('lifecycle.parameter.allowed.about')}
        value={draft.allowed}
        lines={2}
        onChange={(allowed) => change({ allowed })}
      />
    </fieldset>
  );
}

/** Parameters that a datamap declares. Nothing without parameters. */
export function ParameterTable({ parameters }: { readonly parameters: readonly DeclaredParameter[] }) {
  const { t } = useTranslation();
  if (parameters.length === 0) return null;
  const missing = (declared: DeclaredParameter): string => {
    const { missing: kind, preset } = draftOfParameter(declared);
    return kind === 'default' ? visibleText(preset) : t(`lifecycle.parameter.missing.${kind}`);
  };
  return (
    <DataTable
      label={t('parameters.title')}
      items={parameters}
      idOf={({ name }) => name}
      columns={[
        { id: 'name', title: t('lifecycle.parameter'), cell: ({ name }) => <code>{`$${name}`}</code> },
        { id: 'type', title: t('label.type'), isTerm: true, cell: ({ type }) => <code>{type}</code> },
        { id: 'missing', title: t('lifecycle.parameter.column.missing'), cell: missing },
        {
          id: 'allowed',
          title: t('lifecycle.parameter.column.allowed'),
          isText: true,
          cell: (declared) =>
            declared.allowed_values === null ? (
              t('lifecycle.parameter.allowed.any')
            ) : (
              <VisibleText text={draftOfParameter(declared).allowed.replaceAll('\n', ', ')} />
            ),
        },
        {
          id: 'description',
          title: t('property.description'),
          isText: true,
          cell: ({ description }) => description !== null && <Markdown text={description} />,
        },
      ]}
    />
  );
}
