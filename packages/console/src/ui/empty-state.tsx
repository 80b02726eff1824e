import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import './empty-state.css';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** Sentence about the use of the place and how to fill it. */
  readonly message?: string;
  /** Buttons or links for the first step. */
  readonly children?: ReactNode;
}

/** Says what belongs into an empty place, and offers the first step. */
export function EmptyState({ icon, title, message, children }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <span className="empty-state__icon">
        <Icon name={icon} />
      </span>
      <p className="empty-state__title">{title}</p>
      {message !== undefined && <p className="empty-state__message">{message}</p>}
      {children !== undefined && <div className="empty-state__actions">{children}</div>}
    </div>
  );
}
