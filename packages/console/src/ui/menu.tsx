import type { ReactElement } from 'react';
import { Header, Keyboard, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { Icon, type IconName } from './icon.tsx';
import './menu.css';
import './select-field.css';

interface MenuAction {
  readonly id: string;
  readonly label: string;
  /** A further line about the action. */
  readonly description?: string | undefined;
  readonly icon?: IconName;
  /** Keys that do the same. */
  readonly shortcut?: string;
  readonly isDisabled?: boolean;
  /** Whether it takes something away, or asks whether to. */
  readonly isDanger?: boolean;
  readonly onAction: () => void;
}

/** Choices of which one is selected. */
interface MenuChoice {
  readonly id: string;
  readonly title: string;
  readonly choices: readonly { readonly id: string; readonly label: string }[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

interface MenuButtonProps {
  /** Accessible name of the menu. */
  readonly label: string;
  /** Sentence above the choices and actions. */
  readonly note?: string | undefined;
  /** The button that opens the menu: a `Button` or an `IconButton`. */
  readonly button: ReactElement;
  readonly choices?: readonly MenuChoice[];
  readonly actions: readonly MenuAction[];
  /** Whether the menu is open, if others than its button open it. Default: the button alone. */
  readonly open?: { readonly isOpen: boolean; readonly onOpenChange: (isOpen: boolean) => void };
}

/** Button that opens a menu: groups of choices first, then actions. */
export function MenuButton({ label, note, button, choices = [], actions, open }: MenuButtonProps) {
  return (
    <MenuTrigger {...open}>
      {button}
      <Popover className="popover menu-popover" placement="bottom end">
        {note !== undefined && <p className="menu__note">{note}</p>}
        <Menu className="menu" aria-label={label}>
          {choices.map((group) => (
            <MenuSection
              key={group.id}
              selectionMode="single"
              disallowEmptySelection
              selectedKeys={[group.selected]}
              onSelectionChange={(keys) => {
                for (const key of keys === 'all' ? [] : keys) group.onSelect(String(key));
              }}
            >
              <Header className="menu__header">{group.title}</Header>
              {group.choices.map((choice) => (
                <MenuItem key={choice.id} id={choice.id} className="menu__item" textValue={choice.label}>
                  <Icon name="check" />
                  <span>{choice.label}</span>
                </MenuItem>
              ))}
            </MenuSection>
          ))}
          {choices.length > 0 && actions.length > 0 && <Separator className="menu__separator" />}
          {actions.map(({ id, label: text, description, icon, shortcut, isDisabled = false, isDanger, onAction }) => (
            <MenuItem
              key={id}
              id={id}
              className="menu__item"
              data-danger={isDanger}
              textValue={text}
              isDisabled={isDisabled}
              onAction={onAction}
            >
              {icon === undefined ? <span className="menu__gap" /> : <Icon name={icon} />}
              {description === undefined ? (
                <span>{text}</span>
              ) : (
                <span className="menu__text">
                  <span>{text}</span>
                  <span className="menu__description">{description}</span>
                </span>
              )}
              {shortcut !== undefined && <Keyboard className="menu__shortcut">{shortcut}</Keyboard>}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
