import { type ClipboardEvent, useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.tsx';
import { linesOf } from '../../parameters/list-values.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

/** Items that are shown one by one. A list may have 10,000. */
const SHOWN_MAX = 50;

interface ListFieldProps {
  readonly label: string;
  /** Items, one in each line. */
  readonly text: string;
  readonly isDisabled: boolean;
  readonly problem: string | undefined;
  readonly placeholder: string | undefined;
  readonly onChange: (text: string) => void;
  /** Called for Enter in an empty field. */
  readonly onEnter: (() => void) | undefined;
}

/** Field for the items of a list, with every character as typed. Enter, or leaving the field, adds one; pasted lines are one item each. */
export function ListField({ label, text, isDisabled, problem, placeholder, onChange, onEnter }: ListFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const labelId = useId();
  const items = linesOf(text);
  const add = (lines: readonly string[]): void => {
    setTyped('');
    const added = lines.filter((line) => line !== '');
    if (added.length > 0) onChange([...items, ...added].join('\n'));
  };
  const onPaste = (event: ClipboardEvent): void => {
    const lines = event.clipboardData.getData('text/plain').split(/\r\n|\r|\n/);
    if (lines.length < 2) return;
    event.preventDefault();
    add([typed, ...lines]);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be named by text beside it
    <div className="parameter-list" role="group" aria-labelledby={labelId}>
      <span className="parameter-list__label" id={labelId}>
        {label}
      </span>
      {items.length > 0 && (
        <ul className="parameter-list__items">
          {items.slice(0, SHOWN_MAX).map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items may be equal
            <li key={index} className="parameter-list__item">
              <Badge>
                <VisibleText text={item} />
              </Badge>
              <IconButton
                icon="close"
                size="s"
                label={t('parameters.list.remove', { item })}
                isDisabled={isDisabled}
                onPress={() => onChange(items.filter((_, each) => each !== index).join('\n'))}
              />
            </li>
          ))}
          {items.length > SHOWN_MAX && <li>{t('parameters.list.more', { count: items.length - SHOWN_MAX })}</li>}
        </ul>
      )}
      <TextField
        label={label}
        isLabelHidden
        description={t('parameters.list.about')}
        isDisabled={isDisabled}
        problem={problem}
        placeholder={placeholder}
        value={typed}
        onChange={setTyped}
        onEnter={() => (typed === '' ? onEnter?.() : add([typed]))}
        onPaste={onPaste}
        onBlur={() => add([typed])}
      />
    </div>
  );
}
