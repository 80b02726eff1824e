import type { ReactNode } from 'react';
import {
  Select as AriaSelect,
  type SelectProps as AriaSelectProps,
  Button,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
} from 'react-aria-components';
import { Icon } from './icon.tsx';
import './field.css';
import './select-field.css';

interface Choice<Value extends string> {
  readonly id: Value;
  readonly label: string;
}

interface SelectFieldProps<Value extends string>
  extends Omit<AriaSelectProps<Choice<Value>>, 'children' | 'className' | 'style' | 'value' | 'onChange'> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly description?: ReactNode;
  /** Sentence about what is wrong. */
  readonly problem?: string | undefined;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** Field with a list of choices, of which one is always selected. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, isLabelHidden = false, description, problem, choices, value, onChange, ...rest } = props;
  const find = (key: unknown): Value | undefined => choices.find(({ id }) => id === key)?.id;
  return (
    <AriaSelect
      {...rest}
      isInvalid={problem !== undefined}
      className="field"
      value={value}
      onChange={(key) => {
        const chosen = find(key);
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : 'field__label'}>{label}</Label>
      <Button className="select-field__button">
        <SelectValue className="select-field__value" />
        <Icon name="down" />
      </Button>
      <Popover className="popover">
        <ListBox className="list-box" items={choices}>
          {(choice) => (
            <ListBoxItem className="list-box__item" textValue={choice.label}>
              <span>{choice.label}</span>
              <Icon name="check" />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
      {description !== undefined && (
        <Text slot="description" elementType="div" className="field__description">
          {description}
        </Text>
      )}
      <FieldError className="field__problem">{problem}</FieldError>
    </AriaSelect>
  );
}
