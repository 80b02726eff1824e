import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import './impact.css';

interface ImpactProps {
  /** One sentence for each thing that the change takes away. Empty: it takes nothing away. */
  readonly losses: readonly string[];
  /** Whether the user has changed anything. If not, and without losses, nothing is rendered. Default: true. */
  readonly isChanged?: boolean;
  readonly children?: ReactNode;
}

/** List of the losses that a change would cause, shown before it is made. */
export function Impact({ losses, isChanged = true, children }: ImpactProps) {
  const { t } = useTranslation();
  if (!isChanged && losses.length === 0) return null;
  return (
    <div className="impact" role="status" data-loses={losses.length > 0}>
      {losses.length === 0 ? (
        <p>{t('impact.none')}</p>
      ) : (
        <ul>
          {losses.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
      )}
      {children}
    </div>
  );
}
