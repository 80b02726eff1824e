import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';

/** Time after the last key before a search begins, in milliseconds. */
const TYPING_MS = 150;

interface SearchFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Search within the loaded rows. It begins when the user stops typing. */
export function SearchField({ value, onChange }: SearchFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function for the same text must not start the wait again
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <label className="grid-search">
      <Icon name="search" />
      <span className="visually-hidden">{t('grid.search')}</span>
      <input
        type="search"
        value={text}
        placeholder={t('grid.search')}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  );
}
