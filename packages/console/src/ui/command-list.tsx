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

interface CommandListProps {
  readonly label: string;
  readonly placeholder: string;
  /** Shown when no command has the typed text. */
  readonly empty: string;
  readonly items: readonly CommandItem[];
  readonly onChoose: (id: string) => void;
}

/** List of commands with a field that filters it. The focus stays in the field; arrow keys move in the list. */
export function CommandList({ label, placeholder, empty, items, onChoose }: CommandListProps) {
  const { contains } = useFilter({ sensitivity: 'base' });
  return (
    <div className="command-list">
      <Autocomplete filter={contains}>
        <SearchField autoFocus className="command-list__field">
          <Label className="visually-hidden">{label}</Label>
          <Icon name="search" />
          <Input className="command-list__input" placeholder={placeholder} />
        </SearchField>
        <Menu
          className="command-list__menu"
          aria-label={label}
          items={items}
          onAction={(key) => onChoose(String(key))}
          renderEmptyState={() => <p className="command-list__empty">{empty}</p>}
        >
          {({ id, title, group, shortcut }) => (
            <MenuItem key={id} id={id} className="command-list__item" textValue={title}>
              <span>{title}</span>
              <span className="command-list__group">{group}</span>
              {shortcut !== undefined && <kbd className="keys">{shortcut}</kbd>}
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </div>
  );
}
