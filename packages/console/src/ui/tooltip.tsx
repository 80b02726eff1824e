import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';
import './tooltip.css';

const DELAY_MS = 500;

interface TooltipProps {
  readonly text: string;
  /** The control: a `Button` or an `IconButton`. */
  readonly children: ReactElement;
}

/** Text beside a control, on hover and keyboard focus. It repeats or adds to the label, and is never the only place of a fact. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={DELAY_MS}>
      {children}
      <AriaTooltip className="tooltip" offset={6}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
