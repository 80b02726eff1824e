import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { ResultPane } from '../grid/result-pane.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import { ALL_SHOWN } from '../result/ordered-view.ts';
import type { ResultView } from '../result/result-view.ts';
import { RunProblem, type TextPosition } from '../run/run-problem.tsx';
import type { RunSnapshot } from '../run/run-state.ts';
import { RunStatus } from '../run/run-status.tsx';
import { isFinal } from '../run/run-transitions.ts';
import { RunWaiting } from '../run/run-waiting.tsx';
import type { Run } from '../run/start-run.ts';
import { useRunSnapshot, useRunView } from '../run/use-run.ts';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import './run-view.css';

const ChartView = lazy(async () => ({ default: (await import('../charts/chart-view.tsx')).ChartView }));
const ColumnSummaries = lazy(async () => ({
  default: (await import('../charts/column-summaries.tsx')).ColumnSummaries,
}));

type ViewName = 'rows' | 'columns' | 'chart';
const VIEWS = { rows: 'table', columns: 'columns', chart: 'chart' } as const;

/** View of each result that is still open, which stays when the user leaves its tab or page and comes back. */
const shownViews = new WeakMap<Run, ViewName>();

interface RunViewProps {
  readonly run: Run;
  /** Start of the statement in the text of its tab. Default: line 1, column 1. */
  readonly start?: TextPosition;
  /** Returns actions on the result, such as downloads. */
  readonly renderActions?: ((isFiltered: boolean) => ReactNode) | undefined;
  /** Runs the statement again for all its rows. Undefined: the page has a limit of its own. */
  readonly onLoadAll?: (() => void) | undefined;
  /** Runs the statement of a kept result again. Undefined: the page cannot. */
  readonly onRunAgain?: (() => void) | undefined;
  /** The statement that ran is not the one that the user means now. */
  readonly isOld?: boolean;
  /** The user has tried to run something else since, and there was nothing to run. */
  readonly isDismissed?: boolean;
}

/** Returns whether the page shows the result of an execution, with the actions on it, and not only what it waits for. */
export const showsResult = ({ state }: RunSnapshot, { columns }: ResultView): boolean =>
  columns.length > 0 || state === 'complete';

/** An execution as far as it is: what it waits for, its rows, why it failed, and its state. */
export function RunView(props: RunViewProps) {
  const { run, start, renderActions, onLoadAll, onRunAgain, isOld = false, isDismissed = false } = props;
  const { t } = useTranslation();
  const snapshot = useRunSnapshot(run);
  const view = useRunView(run);
  const [shown, setShown] = useState<ViewName>(() => shownViews.get(run) ?? 'rows');
  useEffect(() => void shownViews.set(run, shown), [run, shown]);
  const [shownRows, setShownRows] = useState(ALL_SHOWN);
  const element = useRef<HTMLDivElement>(null);
  useShownInSmallWindow(element, run);
  if (snapshot === undefined) return null;
  const reopened = { isReopened: run.isReopened, onRunAgain: run.isReopened === true ? onRunAgain : undefined };
  if (!showsResult(snapshot, view))
    return (
      <div ref={element} className="run-view">
        <RunProblem snapshot={snapshot} start={start} />
        <div className="run-view__result">
          <RunWaiting snapshot={snapshot} isReopened={run.isReopened} />
        </div>
        <RunStatus snapshot={snapshot} {...reopened} />
      </div>
    );
  const items = (Object.keys(VIEWS) as ViewName[]).map((id) => ({ id, text: t(`result.view.${id}`), icon: VIEWS[id] }));
  return (
    <div ref={element} className="run-view" data-old={isOld || undefined}>
      <RunProblem snapshot={snapshot} start={start} />
      <div className="run-view__result">
        <div className="run-view__bar">
          <SegmentedControl label={t('result.view')} value={shown} items={items} onChange={setShown} />
          {isOld && <span className="run-view__old">{t('run.old')}</span>}
          <div className="run-view__actions">{renderActions?.(shownRows.isFiltered)}</div>
        </div>
        {/* Hidden rather than left out, so that selection and order stay. */}
        <div className="run-view__content" hidden={shown !== 'rows'}>
          <ResultPane view={view} onShown={setShownRows} />
        </div>
        {shown === 'rows' ? null : (
          <div className="run-view__content">
            <Suspense>
              {shown === 'chart' ? <ChartView view={view} shown={shownRows} /> : <ColumnSummaries view={view} />}
            </Suspense>
          </div>
        )}
      </div>
      <RunStatus snapshot={snapshot} isDismissed={isDismissed} onLoadAll={onLoadAll} {...reopened} />
    </div>
  );
}

/** Windows in which the page scrolls from the editor to its rows (query-page.css). */
const SMALL_WINDOW = '(max-width: 37.5rem), (max-height: 30rem)';

/** Scrolls to a run that has begun, in a window that has no room for it beside the editor. */
function useShownInSmallWindow(element: RefObject<HTMLElement | null>, run: Run): void {
  useEffect(() => {
    if (run.isReopened === true || isFinal(run.store.state) || !window.matchMedia(SMALL_WINDOW).matches) return;
    element.current?.scrollIntoView({ block: 'nearest' });
  }, [element, run]);
}
