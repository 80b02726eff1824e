import { Label, Radio, RadioGroup } from 'react-aria-components';
import { Icon } from './icon.tsx';
import './rating-field.css';

const STARS = [1, 2, 3, 4, 5] as const;

interface RatingFieldProps {
  readonly label: string;
  /** Null: not rated. */
  readonly value: number | null;
  /** Name of a number of stars, for screen readers. */
  readonly nameOf: (stars: number) => string;
  readonly onChange: (stars: number) => void;
}

/** Choice of one to five stars. The arrow keys move between them. */
export function RatingField({ label, value, nameOf, onChange }: RatingFieldProps) {
  return (
    <RadioGroup
      className="rating-field"
      orientation="horizontal"
      value={value === null ? '' : String(value)}
      onChange={(stars) => onChange(Number(stars))}
    >
      <Label className="rating-field__label">{label}</Label>
      <div className="rating-field__stars">
        {STARS.map((stars) => (
          <Radio
            key={stars}
            value={String(stars)}
            aria-label={nameOf(stars)}
            className={`rating-field__star${value !== null && stars <= value ? ' rating-field__star--on' : ''}`}
          >
            <Icon name="star" />
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
