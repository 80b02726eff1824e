import { type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';
import './native-select.css';

interface NativeSelectProps {
  readonly label: string;
  /** The label is for screen readers only: the place of the field says what it is. */
  readonly isLabelHidden?: boolean;
  /** `s` for toolbars. Default: `m`. */
  readonly size?: 's' | 'm';
  readonly isDisabled?: boolean;
  readonly value: string | number;
  readonly onChange: (value: string) => void;
  /** Elements `option`. */
  readonly children: ReactNode;
}

/**
 * Select of the browser in the appearance of a `SelectField`, for toolbars: its label is beside it, and its list may have thousands of
 * choices, such as the columns of a result.
 */
export function NativeSelect(props: NativeSelectProps) {
  const { label, isLabelHidden = false, size = 'm', isDisabled = false, value, onChange, children } = props;
  const id = useId();
  return (
    <span className="native-select" data-size={size}>
      <label className={isLabelHidden ? 'visually-hidden' : 'native-select__label'} htmlFor={id}>
        {label}
      </label>
      <span className="native-select__box">
        <select
          id={id}
          className="native-select__select"
          value={value}
          disabled={isDisabled}
          onChange={({ target }) => onChange(target.value)}
        >
          {children}
        </select>
        <Icon name="down" />
      </span>
    </span>
  );
}
