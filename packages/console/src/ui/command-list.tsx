import { useState } from 'react';
import { Autocomplete, Input, Label, Menu, MenuItem, SearchField, useFilter } from 'react-aria-components';
import { Icon } from './icon.tsx';
import './command-list.css';

interface CommandItem {
  readonly id: string;
  readonly title: string;
  /** Part of the page that the command belongs to. */
  readonly group: string;
  readonly shortcut?: string | undefined;
}

/** Search for the typed text, which the last item of the list starts. */
interface WordSearch {
  /** Returns the title of the last item for the typed text. */
  readonly titleOf: (searchText: string) => string;
  readonly group: string;
  readonly onSearch: (searchText: string) => void;
}

interface CommandListProps {
  readonly label: string;
  readonly placeholder: string;
  /** Shown when no command has the typed text. */
  readonly empty: string;
  readonly items: readonly CommandItem[];
  readonly onChoose: (id: string) => void;
  /** Called with the typed text, such as to look for further items. */
  readonly onText: (text: string) => void;
  readonly search: WordSearch;
}

const SEARCH_ID = 'search-text';

/**
 * List of commands with a field that filters it, and a last item that searches for the typed text. The focus stays in the field; arrow keys
 * move in the list.
 */
export function CommandList({ label, placeholder, empty, items, onChoose, onText, search }: CommandListProps) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const searchText = text.trim();
  const searchItem = { id: SEARCH_ID, title: search.titleOf(searchText), group: search.group, shortcut: undefined };
  const shown: readonly CommandItem[] = searchText === '' ? items : [...items, searchItem];
  return (
    <div className="command-list">
      <Autocomplete
        filter={contains}
        inputValue={text}
        onInputChange={(next) => {
          setText(next);
          onText(next);
        }}
      >
        <SearchField autoFocus className="command-list__field">
          <Label className="visually-hidden">{label}</Label>
          <Icon name="search" />
          <Input className="command-list__input" placeholder={placeholder} />
        </SearchField>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls needs the focus to be scrolled by keys */}
        <section className="command-list__scroll" aria-label={label} tabIndex={0}>
          <Menu
            className="command-list__menu"
            aria-label={label}
            items={shown}
            onAction={(key) => (key === SEARCH_ID ? search.onSearch(searchText) : onChoose(String(key)))}
            renderEmptyState={() => <p className="command-list__empty">{empty}</p>}
          >
            {({ id, title, group, shortcut }) => (
              <MenuItem key={id} id={id} className="command-list__item" textValue={id === SEARCH_ID ? text : title}>
                <span>{title}</span>
                <span className="command-list__group">{group}</span>
                {shortcut !== undefined && <Keys text={shortcut} />}
              </MenuItem>
            )}
          </Menu>
        </section>
      </Autocomplete>
    </div>
  );
}

/** Keys of a command, as the keyboard of the user names them. */
export function Keys({ text }: { readonly text: string }) {
  return <kbd className="keys">{text}</kbd>;
}
