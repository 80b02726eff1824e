import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';
import './tooltip.css';

const DELAY_MS = 500;
/** Distance from the control in pixels. */
const OFFSET = 6;

interface TooltipProps {
  readonly text: string;
  /** A `Button` or an `IconButton`. */
  readonly children: ReactElement;
}

/** Short text beside a control, on hover and keyboard focus. Touch screens show none, so it never has a fact that is nowhere else. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={DELAY_MS}>
      {children}
      <AriaTooltip className="tooltip" offset={OFFSET}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
