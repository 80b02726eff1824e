import type { ReactNode } from 'react';
import { Link } from '../router/link.tsx';
import { Icon, type IconName } from './icon.tsx';
import './button.css';

interface LinkButtonProps {
  /** Path below `/console`. */
  readonly to: string;
  readonly kind?: 'primary' | 'secondary';
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** Link in the appearance of a button, for the actions of a page that lead to another one. */
export function LinkButton({ to, kind = 'secondary', icon, children }: LinkButtonProps) {
  return (
    <Link to={to} className="button" data-kind={kind} data-size="m">
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </Link>
  );
}
