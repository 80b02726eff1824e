import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Markdown } from '../ui/markdown.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type DeclaredParameter, isList, type ParameterInput, valueText } from './item-parameters.ts';
import './item-parameter-form.css';

interface ItemParameterFormProps {
  readonly parameters: readonly DeclaredParameter[];
  readonly input: ParameterInput;
  readonly onChange: (name: string, text: string) => void;
  /** Names without the value that they need, once the user has tried to go on. */
  readonly missing: readonly string[];
}

/** A field for each parameter of an item: a list where only some values are allowed. */
export function ItemParameterForm({ parameters, input, onChange, missing }: ItemParameterFormProps) {
  const { t } = useTranslation();
  if (parameters.length === 0) return null;
  return (
    <section className="item-parameters" aria-label={t('parameters.title')}>
      <h2 className="item-parameters__title">{t('parameters.title')}</h2>
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          text={input[parameter.name] ?? ''}
          problem={missing.includes(parameter.name) ? t('market.parameter.missing') : undefined}
          onChange={(text) => onChange(parameter.name, text)}
        />
      ))}
    </section>
  );
}

interface ParameterFieldProps {
  readonly parameter: DeclaredParameter;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

function ParameterField({ parameter, text, problem, onChange }: ParameterFieldProps) {
  const { t } = useTranslation();
  const { name, type, required, allowed_values: allowed } = parameter;
  const preset = parameter.default === null ? t('label.null') : valueText(parameter.default);
  const label = t(required ? 'market.parameter.required' : 'market.parameter.optional', { name, type });
  const description = parameter.description === null ? undefined : <Markdown text={parameter.description} />;
  const values = (allowed ?? []).filter((value) => value !== null).map(valueText);
  if (isList(parameter)) {
    const about = [
      t('parameters.list.about'),
      ...(values.length === 0 ? [] : [t('market.parameter.allowed', { values: visibleText(values.join(', ')) })]),
    ];
    return (
      <TextField
        label={label}
        description={
          <>
            {description}
            {about.join(' ')}
          </>
        }
        placeholder={required ? undefined : visibleText(preset)}
        value={text}
        problem={problem}
        lines={3}
        onChange={onChange}
      />
    );
  }
  if (allowed === null)
    return (
      <TextField
        label={label}
        description={description}
        placeholder={required ? undefined : visibleText(preset)}
        value={text}
        problem={problem}
        onChange={onChange}
      />
    );
  const none = t(required ? 'market.parameter.choose' : 'market.parameter.default', { value: visibleText(preset) });
  return (
    <SelectField
      label={label}
      description={description}
      problem={problem}
      value={text}
      choices={[{ id: '', label: none }, ...values.map((value) => ({ id: value, label: visibleText(value) }))]}
      onChange={onChange}
    />
  );
}
