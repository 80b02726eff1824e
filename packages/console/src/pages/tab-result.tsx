import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import type { LeftRun } from '../run/left-run.ts';
import { LeftRunNote } from '../run/left-run-note.tsx';
import type { TabRun } from '../run/open-runs.ts';
import type { Run } from '../run/start-run.ts';
import { RunView } from './run-view.tsx';

interface TabResultProps {
  readonly shown: TabRun | undefined;
  /** Execution of the tab that ran when the page was left. */
  readonly left: LeftRun | undefined;
  readonly isOld: boolean;
  readonly isDismissed: boolean;
  readonly renderActions: (run: Run, isFiltered: boolean) => ReactNode;
  readonly onRun: () => void;
  readonly onLoadAll: () => void;
  /** Shown in a tab without a statement. Undefined: the tab has one. */
  readonly children: ReactNode;
}

/** Part of a tab below its text: the run, the end of the run of an earlier visit, or where to begin. */
export function TabResult(props: TabResultProps) {
  const { shown, left, isOld, isDismissed, renderActions, onRun, onLoadAll, children } = props;
  const { t } = useTranslation();
  if (shown === undefined) {
    if (left !== undefined) return <LeftRunNote left={left} onRerun={onRun} />;
    return children ?? <p className="query-page__empty">{t('query.empty')}</p>;
  }
  const { run, start } = shown;
  return (
    <RunView
      isOld={isOld}
      isDismissed={isDismissed}
      run={run}
      start={start}
      renderActions={(isFiltered) => renderActions(run, isFiltered)}
      onLoadAll={onLoadAll}
    />
  );
}
