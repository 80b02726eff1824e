import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { Icon, type IconName } from './icon.tsx';
import './segmented-control.css';

interface SegmentedControlProps<Id extends string> {
  /** Name for screen readers. */
  readonly label: string;
  readonly value: Id;
  readonly items: readonly { readonly id: Id; readonly text: string; readonly icon: IconName }[];
  readonly onChange: (id: Id) => void;
}

/** Choice of one of a few views. The arrow keys move between them. */
export function SegmentedControl<Id extends string>({ label, value, items, onChange }: SegmentedControlProps<Id>) {
  return (
    <ToggleButtonGroup
      className="segmented"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={([id]) => {
        if (id !== undefined) onChange(id as Id);
      }}
    >
      {items.map(({ id, text, icon }) => (
        <ToggleButton key={id} id={id} className="segmented__item">
          <Icon name={icon} />
          <span>{text}</span>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
