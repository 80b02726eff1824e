import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import './impact.css';

interface ImpactProps {
  /** One sentence for each thing that the change takes away. Empty: it takes nothing away. */
  readonly losses: readonly string[];
  /** Whether there is a change already. Without one, nothing is said of it. Default: true. */
  readonly isChanged?: boolean;
  readonly children?: ReactNode;
}

/** What a change would break, before it is made. */
export function Impact({ losses, isChanged = true, children }: ImpactProps) {
  const { t } = useTranslation();
  if (!isChanged && losses.length === 0) return null;
  return (
    <div className="impact" role="status" data-loses={losses.length > 0}>
      {losses.length === 0 ? (
        <p>{t('admin.impact.none')}</p>
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
