import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from './button.tsx';
import './conflict-panel.css';

/** The user's version, or the saved one of somebody else. */
export type ConflictChoice = 'mine' | 'theirs';

interface Conflict {
  readonly key: string;
  /** Name of what both have changed. Absent: the whole object. */
  readonly what?: string;
  readonly theirs: ReactNode;
  /** Absent: the user's version is in the form. */
  readonly mine?: ReactNode;
  readonly onChoose: (choice: ConflictChoice) => void;
}

interface ConflictPanelProps {
  /** Default: "Someone else changed this in the meantime". */
  readonly title?: string;
  readonly about?: string;
  /** Empty: nothing is shown. */
  readonly conflicts: readonly Conflict[];
}

/** List of what somebody else has changed while the user was editing, with both versions and a choice. */
export function ConflictPanel({ title, about, conflicts }: ConflictPanelProps) {
  const { t } = useTranslation();
  const section = useRef<HTMLElement>(null);
  const hasConflicts = conflicts.length > 0;
  // The user may be at a field far below.
  useEffect(() => {
    if (hasConflicts) section.current?.scrollIntoView({ block: 'nearest' });
  }, [hasConflicts]);
  if (!hasConflicts) return null;
  const heading = title ?? t('steward.conflict.title');
  return (
    <section ref={section} className="conflict-panel" role="alert" aria-label={heading}>
      <p className="conflict-panel__title">{heading}</p>
      {about !== undefined && <p>{about}</p>}
      <ul className="conflict-panel__list">
        {conflicts.map(({ key, what, onChoose, ...versions }) => (
          <li key={key} className="conflict-panel__one">
            {what !== undefined && <p className="conflict-panel__title">{what}</p>}
            <div className="conflict-panel__versions">
              {(['theirs', 'mine'] as const).map((version) => (
                <div key={version} className="conflict-panel__version">
                  <p className="conflict-panel__whose">{t(`steward.conflict.${version}`)}</p>
                  {versions[version] !== undefined && <div className="conflict-panel__text">{versions[version]}</div>}
                  <Button size="s" onPress={() => onChoose(version)}>
                    {t(`steward.conflict.keep-${version}`)}
                  </Button>
                </div>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
