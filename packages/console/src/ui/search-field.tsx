import { type ComponentProps, type Ref, useEffect, useState } from 'react';
import { TextField } from './text-field.tsx';
import { TYPING_MS } from './use-debounced-value.ts';

interface SearchFieldProps {
  readonly label: string;
  /** Whether the label is shown above the field. Default: in the empty field only. */
  readonly hasLabel?: boolean;
  readonly description?: string;
  readonly icon?: 'search' | 'filter';
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly suggestions?: readonly string[];
  readonly autoFocus?: boolean;
  /** `s` for toolbars, `l` for the main field of a page. Default: `m`. */
  readonly size?: 's' | 'm' | 'l';
  /** Text to search for. */
  readonly searchText: string;
  /** Called with the typed text when the user pauses, and immediately for Enter, Escape and the button that clears the field. */
  readonly onSearch: (searchText: string) => void;
  /** Called for the down arrow: the user goes on in the results. */
  readonly onLeave?: () => void;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** Field for the words of a search, which begins when the user stops typing. */
export function SearchField(props: SearchFieldProps) {
  const {
    label,
    hasLabel = false,
    icon = 'search',
    placeholder = label,
    searchText,
    onSearch,
    onLeave,
    ...rest
  } = props;
  const [text, setText] = useState(searchText);
  // "Back" and links change the words that are searched for.
  useEffect(() => setText((before) => (before.trim() === searchText.trim() ? before : searchText)), [searchText]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function for the same text must not start the wait again
  useEffect(() => {
    if (text === searchText) return;
    const timer = setTimeout(() => onSearch(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, searchText]);
  const onKeyDown: ComponentProps<typeof TextField>['onKeyDown'] = (event) => {
    if (event.key === 'ArrowDown' && onLeave !== undefined) onLeave();
    else if (event.key === 'Escape' && text !== '') {
      setText('');
      onSearch('');
    } else if (event.key === 'Enter') onSearch(text);
    else return event.continuePropagation();
    event.preventDefault();
  };
  return (
    <TextField
      {...rest}
      type="search"
      label={label}
      isLabelHidden={!hasLabel}
      icon={icon}
      {...(hasLabel ? {} : { placeholder })}
      spellCheck="false"
      autoComplete="off"
      value={text}
      onChange={setText}
      onKeyDown={onKeyDown}
    />
  );
}
