import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from 'react-aria-components';
import { Icon } from './icon.tsx';
import './checkbox.css';

interface CheckboxProps extends Omit<AriaCheckboxProps, 'children' | 'className' | 'style'> {
  readonly label: string;
  /** Sentence below the label about the effect of the choice. */
  readonly description?: string | undefined;
}

/** Choice that is on or off. */
export function Checkbox({ label, description, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox {...rest} className="checkbox">
      <span className="checkbox__box">
        <Icon name="check" />
      </span>
      <span>
        <span className="checkbox__label">{label}</span>
        {description !== undefined && <span className="checkbox__description">{description}</span>}
      </span>
    </AriaCheckbox>
  );
}
