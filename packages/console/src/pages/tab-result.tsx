import type { ReactNode } from 'react';
import type { DraftResult } from '../editor/drafts/draft.ts';
import { useTranslation } from '../i18n/translate.tsx';
import type { LeftRun } from '../run/left-run.ts';
import { LeftRunNote } from '../run/left-run-note.tsx';
import type { TabRun } from '../run/open-runs.ts';
import type { Run } from '../run/start-run.ts';
import { useRunSnapshot } from '../run/use-run.ts';
import { MissingResult } from './missing-result.tsx';
import { RunView } from './run-view.tsx';

interface TabResultProps {
  readonly shown: TabRun | undefined;
  /** Execution of the tab that ran when the page was left. */
  readonly left: LeftRun | undefined;
  /** Result of the tab that the host keeps, or did until now. */
  readonly result: DraftResult | undefined;
  readonly isOld: boolean;
  readonly isDismissed: boolean;
  readonly renderActions: (run: Run, isFiltered: boolean) => ReactNode;
  readonly onRun: () => void;
  readonly onLoadAll: () => void;
  /** Runs the statement of the kept result that is shown. */
  readonly onRunAgain: () => void;
  /** Called when the host keeps the result of a run whose page was left. */
  readonly onKept: (result: DraftResult) => void;
  /** Shown in a tab without a statement. Undefined: the tab has one. */
  readonly children: ReactNode;
}

/** Part of a tab below its text: the run, the end of the run of an earlier visit, its kept result, or where to begin. */
export function TabResult(props: TabResultProps) {
  const { shown, left, result, isOld, isDismissed, renderActions, onRun, onLoadAll, children } = props;
  const { t } = useTranslation();
  const snapshot = useRunSnapshot(shown?.run);
  if (shown === undefined) {
    if (left !== undefined) return <LeftRunNote left={left} onRerun={onRun} onKept={props.onKept} />;
    return children ?? <p className="query-page__empty">{t('query.empty')}</p>;
  }
  const { run, start } = shown;
  if (run.isReopened === true && snapshot?.failure?.code === 'not_found')
    return <MissingResult keptUntil={result?.keptUntil} onRun={onRun} />;
  return (
    <RunView
      isOld={isOld}
      isDismissed={isDismissed}
      run={run}
      start={start}
      renderActions={(isFiltered) => renderActions(run, isFiltered)}
      onLoadAll={run.isReopened === true ? undefined : onLoadAll}
      onRunAgain={props.onRunAgain}
    />
  );
}
