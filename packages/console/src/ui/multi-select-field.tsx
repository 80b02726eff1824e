import { Select as AriaSelect, Button, Label, ListBox, ListBoxItem, Popover, SelectValue } from 'react-aria-components';
import { Icon } from './icon.tsx';
import './field.css';
import './select-field.css';

interface MultiSelectFieldProps<Value extends string> {
  readonly label: string;
  /** Text of the field for what is chosen. */
  readonly summary: string;
  readonly choices: readonly { readonly id: Value; readonly label: string }[];
  readonly values: readonly Value[];
  readonly onChange: (values: readonly Value[]) => void;
}

/** Field with a list of choices. Any number can be selected. */
export function MultiSelectField<Value extends string>(props: MultiSelectFieldProps<Value>) {
  const { label, summary, choices, values, onChange } = props;
  return (
    <AriaSelect
      selectionMode="multiple"
      className="field"
      value={values}
      onChange={(keys) => onChange(choices.flatMap(({ id }) => (keys.includes(id) ? [id] : [])))}
    >
      <Label className="field__label">{label}</Label>
      <Button className="select-field__button">
        <SelectValue className="select-field__value">{() => summary}</SelectValue>
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
    </AriaSelect>
  );
}
