import { useRef } from 'react';
import './resize-bar.css';

/** Pixels that an arrow key moves the bar by. */
const STEP = 16;

interface ResizeBarProps {
  readonly label: string;
  /** `y`: the pane is above the bar, and its height changes. Default: `x`, the pane is before it. */
  readonly axis?: 'x' | 'y';
  /** Width or height in pixels of the pane. */
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

/** Bar behind a pane that changes its size: dragged, or with the arrow keys, Home and End. */
export function ResizeBar({ label, axis = 'x', value, min, max, onChange }: ResizeBarProps) {
  const drag = useRef<{ readonly at: number; readonly value: number }>(undefined);
  const isWidth = axis === 'x';
  const resize = (size: number): void => onChange(Math.round(Math.min(Math.max(size, min), max)));
  const keys: Readonly<Record<string, number>> = {
    [isWidth ? 'ArrowLeft' : 'ArrowUp']: value - STEP,
    [isWidth ? 'ArrowRight' : 'ArrowDown']: value + STEP,
    Home: min,
    End: max,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that has the focus and a value is a control, which `hr` is not
    <div
      role="separator"
      className="resize-bar"
      data-axis={axis}
      aria-label={label}
      aria-orientation={isWidth ? 'vertical' : 'horizontal'}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={(event) => {
        const size = keys[event.key];
        if (size === undefined) return;
        event.preventDefault();
        resize(size);
      }}
      onPointerDown={({ currentTarget, pointerId, clientX, clientY }) => {
        currentTarget.setPointerCapture(pointerId);
        drag.current = { at: isWidth ? clientX : clientY, value };
      }}
      onPointerMove={({ clientX, clientY }) => {
        if (drag.current !== undefined) resize(drag.current.value + (isWidth ? clientX : clientY) - drag.current.at);
      }}
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
    />
  );
}
