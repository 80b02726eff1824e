import { writeList } from '@sluice/contract/metadata-files';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translate.tsx';
import { suggestTags, typedTag } from '../../ui/tag-suggestions.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { type CellFieldProps, closeOnKey } from './text-cell-field.tsx';
import './field-grid.css';

interface TagCellFieldProps extends CellFieldProps {
  /** Tags in use. */
  readonly known: readonly string[];
}

/** Field for tags in their cell, with `;` between two, and the tags in use that match the last one. */
export function TagCellField({ label, text: initial, known, onType, onClose, onBlur }: TagCellFieldProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [text, setText] = useState(initial);
  const [chosen, setChosen] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const typed = typedTag(text);
  const offered = suggestTags(known, typed);
  const change = (next: string): void => {
    setText(next);
    setChosen(-1);
    onType(next);
  };
  const take = (tag: string): void => {
    change(`${typed.head}${writeList([tag])}; `);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    const tag = offered[chosen];
    if (step !== 0 && offered.length > 0) {
      event.preventDefault();
      event.stopPropagation();
      setChosen((chosen + step + offered.length + (chosen === -1 && step === -1 ? 1 : 0)) % offered.length);
    } else if (key === 'Enter' && tag !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      take(tag);
    } else closeOnKey(event, onClose);
  };
  return (
    <div className="field-grid__field" data-tags>
      <input
        ref={field}
        className="field-grid__input"
        role="combobox"
        aria-label={label}
        aria-expanded={offered.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosen === -1 ? undefined : `${listId}-${chosen}`}
        autoComplete="off"
        value={text}
        onChange={({ target }) => change(target.value)}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={t('describe.tags')}
        className="field-grid__offers"
        hidden={offered.length === 0}
      >
        {offered.map((tag, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys of the list
          <div
            key={tag}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="field-grid__offer"
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(tag)}
          >
            <VisibleText text={tag} />
          </div>
        ))}
      </div>
    </div>
  );
}
