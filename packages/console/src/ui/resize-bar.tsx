import { useRef } from 'react';
import './resize-bar.css';

/** Pixels that an arrow key moves the bar by. */
const STEP = 16;

interface ResizeBarProps {
  readonly label: string;
  /** Width in pixels of the pane before the bar. */
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

/** Bar behind a pane that changes its width: dragged, or with the arrow keys, Home and End. */
export function ResizeBar({ label, value, min, max, onChange }: ResizeBarProps) {
  const drag = useRef<{ readonly x: number; readonly value: number }>(undefined);
  const resize = (width: number): void => onChange(Math.round(Math.min(Math.max(width, min), max)));
  const keys: Readonly<Record<string, number>> = {
    ArrowLeft: value - STEP,
    ArrowRight: value + STEP,
    Home: min,
    End: max,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that has the focus and a value is a control, which `hr` is not
    <div
      role="separator"
      className="resize-bar"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={(event) => {
        const width = keys[event.key];
        if (width === undefined) return;
        event.preventDefault();
        resize(width);
      }}
      onPointerDown={({ currentTarget, pointerId, clientX }) => {
        currentTarget.setPointerCapture(pointerId);
        drag.current = { x: clientX, value };
      }}
      onPointerMove={({ clientX }) => {
        if (drag.current !== undefined) resize(drag.current.value + clientX - drag.current.x);
      }}
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
    />
  );
}
