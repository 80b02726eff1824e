import { type ClipboardEvent, type KeyboardEvent, useId, useState } from 'react';
import { Badge } from './badge.tsx';
import { IconButton } from './button.tsx';
import { labelTags } from './tag-suggestions.ts';
import { TextField } from './text-field.tsx';
import { VisibleText } from './visible-text.tsx';
import './tag-field.css';
import './tag-list.css';

interface TagFieldProps {
  readonly label: string;
  /** Instruction for the user, such as "Enter adds a tag". */
  readonly description?: string;
  readonly tags: readonly string[];
  /** Suggestions of the browser while the user types. */
  readonly suggestions?: readonly string[];
  /** Sentence about what is wrong. */
  readonly problem?: string | undefined;
  /** Name of the button that removes a tag. */
  readonly removeLabelOf: (tag: string) => string;
  readonly onChange: (tags: readonly string[]) => void;
}

const hasTag = (tags: readonly string[], tag: string): boolean =>
  tags.some((each) => each.toLowerCase() === tag.toLowerCase());

/** Field for a list of tags. Enter, or leaving the field, adds what is typed; pasted lines become one tag each. */
export function TagField(props: TagFieldProps) {
  const { label, description, tags, suggestions, problem, removeLabelOf, onChange } = props;
  const [typed, setTyped] = useState('');
  const labelId = useId();
  const add = (texts: readonly string[]): void => {
    let next = tags;
    for (const text of texts.map((each) => each.trim())) if (text !== '' && !hasTag(next, text)) next = [...next, text];
    setTyped('');
    if (next !== tags) onChange(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || typed.trim() === '') return;
    // Enter would send the form around it.
    event.preventDefault();
    add([typed]);
  };
  const onPaste = (event: ClipboardEvent): void => {
    const lines = event.clipboardData.getData('text/plain').split(/\r\n|\r|\n/);
    if (lines.length < 2) return;
    event.preventDefault();
    add([...(typed.trim() === '' ? [] : [typed]), ...lines]);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be named by text beside it
    <div className="tag-field" role="group" aria-labelledby={labelId}>
      <span className="field__label" id={labelId}>
        {label}
      </span>
      {tags.length > 0 && (
        <ul className="tag-list">
          {tags.map((tag) => (
            <li key={tag} className="tag-field__tag">
              <Badge>
                <VisibleText text={tag} />
              </Badge>
              <IconButton
                icon="close"
                size="s"
                label={removeLabelOf(tag)}
                onPress={() => onChange(tags.filter((each) => each !== tag))}
              />
            </li>
          ))}
        </ul>
      )}
      <TextField
        label={label}
        isLabelHidden
        {...(description === undefined ? {} : { description })}
        {...(suggestions === undefined ? {} : { suggestions, suggestionLabels: labelTags(suggestions, tags, typed) })}
        problem={problem}
        value={typed}
        onChange={setTyped}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => add([typed])}
      />
    </div>
  );
}
