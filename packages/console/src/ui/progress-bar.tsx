import { ProgressBar as AriaProgressBar, Label } from 'react-aria-components';
import './progress-bar.css';

interface ProgressBarProps {
  readonly label: string;
  /** Share from 0 to 1. Undefined: not known yet. */
  readonly value: number | undefined;
  /** Progress as text, such as "1,200 of 5,000". */
  readonly text: string;
}

const WHOLE = 100;

/** Progress of a long task. */
export function ProgressBar({ label, value, text }: ProgressBarProps) {
  const percent = value === undefined ? undefined : Math.round(value * WHOLE);
  return (
    <AriaProgressBar
      className="progress-bar"
      valueLabel={text}
      {...(percent === undefined ? { isIndeterminate: true } : { value: percent })}
    >
      <Label className="progress-bar__label">{label}</Label>
      <span className="progress-bar__text">{text}</span>
      <progress
        className="progress-bar__track"
        aria-hidden="true"
        max={WHOLE}
        {...(percent !== undefined && { value: percent })}
      />
    </AriaProgressBar>
  );
}
