import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { Icon, type IconName } from './icon.tsx';
import './button.css';

interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  /**
   * `primary`: the one main action of a region. `quiet`: without a border, for toolbars. `danger`: takes something away at once.
   * `danger-quiet`: asks first, or is one of many in a list.
   */
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-quiet';
  readonly size?: 's' | 'm';
  readonly icon?: IconName;
  /** Keys that do the same, shown after the text. */
  readonly shortcut?: string | undefined;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Button with a label, and an icon before it if there is one. */
export function Button({ kind = 'secondary', size = 'm', icon, shortcut, children, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className="button" data-kind={kind} data-size={size}>
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
      {shortcut !== undefined && <kbd className="button__shortcut">{shortcut}</kbd>}
    </AriaButton>
  );
}

interface IconButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'aria-label'> {
  readonly icon: IconName;
  /** Accessible name: the action of the button. */
  readonly label: string;
  readonly size?: 's' | 'm';
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Square button with an icon only. A `Tooltip` around it may show its label. */
export function IconButton({ icon, label, size = 'm', ...rest }: IconButtonProps) {
  return (
    <AriaButton {...rest} aria-label={label} className="button button--icon" data-kind="quiet" data-size={size}>
      <Icon name={icon} />
    </AriaButton>
  );
}
