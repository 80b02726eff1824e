import type { ReactNode } from 'react';
import './badge.css';

interface BadgeProps {
  /** Colour. The text says the same, for people who do not see it. */
  readonly tone?: 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'info';
  readonly children: ReactNode;
}

/** Short word about an object, such as a tag or a state. */
export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}
