import { type KeyboardEvent, type Ref, useEffect, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { WORDS_CHARACTERS_MAX } from '../router/search-address.ts';
import { TextField } from '../ui/text-field.tsx';

/** Time after the last key before a search begins, in milliseconds. */
const TYPING_MS = 120;

interface SearchBoxProps {
  /** Words of the address. */
  readonly words: string;
  readonly onWords: (words: string) => void;
  /** Called for the down arrow: the user goes on in the results. */
  readonly onLeave: () => void;
  readonly inputRef: Ref<HTMLInputElement>;
}

/** Field for the words of a search, which begins when the user stops typing. */
export function SearchBox({ words, onWords, onLeave, inputRef }: SearchBoxProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(words);
  // "Back" and links change the words of the address.
  useEffect(() => setText((before) => (before.trim() === words ? before : words)), [words]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function for the same text must not start the wait again
  useEffect(() => {
    if (text.trim() === words) return;
    const timer = setTimeout(() => onWords(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, words]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') onLeave();
    else if (event.key === 'Escape' && text !== '') {
      setText('');
      onWords('');
    } else if (event.key === 'Enter') onWords(text.trim());
    else return;
    event.preventDefault();
  };
  return (
    <div className="search-box">
      <TextField
        autoFocus
        type="search"
        label={t('search.field')}
        isLabelHidden
        icon="search"
        placeholder={t('search.placeholder')}
        maxLength={WORDS_CHARACTERS_MAX}
        spellCheck="false"
        autoComplete="off"
        value={text}
        onChange={setText}
        onKeyDown={onKeyDown}
        inputRef={inputRef}
      />
    </div>
  );
}
