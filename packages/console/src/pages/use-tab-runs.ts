import type { SqlDialect } from '@sluice/contract/sql';
import { type RefObject, useEffect } from 'react';
import { useClient } from '../api/use-client.ts';
import type { DraftResult } from '../editor/drafts/draft.ts';
import type { DraftStore } from '../editor/drafts/draft-store.ts';
import type { SqlEditorHandle } from '../editor/sql-editor.tsx';
import type { PastStatement } from '../history/history-list.tsx';
import { useTranslation } from '../i18n/translate.tsx';
import { forgetLeftRun, noteRun, readLeftRun } from '../run/left-run.ts';
import { openKeptResult } from '../run/open-kept-result.ts';
import type { TabRun } from '../run/open-runs.ts';
import { useOpenRuns } from '../run/open-runs-context.tsx';
import { isFinal } from '../run/run-transitions.ts';
import { type Run, startRun } from '../run/start-run.ts';
import { consoleKeepOf } from '../session/console-keep.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { notify } from '../ui/notifications.tsx';
import { pastEntries } from './past-entries.ts';
import { isTooLong, positionAt, valuesFor } from './query-workspace.ts';

interface TabRunsInput {
  readonly store: DraftStore;
  readonly editor: RefObject<SqlEditorHandle | null>;
  readonly activeId: string | undefined;
  /** Execution that the active tab shows. */
  readonly shown: TabRun | undefined;
  /** Most rows of a run. Undefined: all. */
  readonly size: number | undefined;
  readonly dialect: SqlDialect;
  /** Called with the parameters without which a statement does not run. */
  readonly onMissing: (names: readonly string[]) => void;
}

/** A kept result begins nowhere in the text of its tab, which may be another one by now. */
const NOWHERE: Omit<TabRun, 'run'> = { statement: { from: 0, to: 0 }, start: { line: 1, column: 1 } };

/** Notes the result of a run in its tab when the host keeps it, so that a later visit shows it again. */
function noteResult(store: DraftStore, tabId: string, run: Run): void {
  store.setResult(tabId, undefined);
  if (run.input.keep === undefined) return;
  const stop = run.store.subscribe(() => {
    if (!isFinal(run.store.state)) return;
    stop();
    const { keeping, queryId = '' } = run.store.getSnapshot();
    if (keeping !== undefined && 'keptUntil' in keeping)
      store.setResult(tabId, { queryId, keptUntil: keeping.keptUntil });
  });
}

/** Runs statements in the tabs of the editor. */
export function useTabRuns({ store, editor, activeId, shown, size, dialect, onMissing }: TabRunsInput) {
  const { t } = useTranslation();
  const client = useClient();
  const { openRuns, runs } = useOpenRuns();
  const keep = consoleKeepOf(useCurrentUser());
  const begin = (tabId: string, tabRun: TabRun): void => {
    noteRun(tabId, tabRun.run);
    noteResult(store, tabId, tabRun.run);
    openRuns.set(tabId, tabRun);
  };
  const result = store.getState().open.find(({ id }) => id === activeId)?.result;
  const hasRun = activeId === undefined || runs.has(activeId) || readLeftRun(activeId) !== undefined;
  useEffect(() => {
    if (activeId === undefined || hasRun || result === undefined) return;
    openRuns.set(activeId, { run: openKeptResult(client, result.queryId), ...NOWHERE });
  }, [client, openRuns, activeId, hasRun, result]);
  /** Returns the statement to run with its parameters. Undefined: a notification says what is missing. */
  const readStatement = () => {
    const found = editor.current?.runnable();
    if (activeId === undefined) return undefined;
    if (found === undefined) return void notify({ text: t('query.nothing') });
    if (isTooLong(found.sql)) return void notify({ tone: 'danger', text: t('query.too-long') });
    const parameters = readParameters(found.sql);
    return parameters && { found, parameters };
  };
  /** Returns the values that the tab has for the parameters of a statement. Undefined: a notification says what is missing. */
  const readParameters = (sql: string) => {
    const entries = store.getState().open.find(({ id }) => id === activeId)?.parameters ?? {};
    const read = valuesFor(sql, dialect, entries);
    if ('values' in read) return read.values;
    onMissing(read.missing);
    const names = read.missing.map((name) => `$${name}`).join(', ');
    return void notify({ tone: 'danger', text: t('parameters.missing', { names }) });
  };
  /** Whether the tab runs a statement now. The state of the page is a frame old: a second press within it must not run again. */
  const isBusy = (): boolean => shown !== undefined && !isFinal(shown.run.store.state);
  return {
    readStatement,
    /** Runs the selection, or the statement at the cursor. */
    start(): void {
      if (isBusy()) return;
      const read = readStatement();
      if (read === undefined || activeId === undefined) return;
      const { found, parameters } = read;
      void store.flush();
      const start = positionAt(editor.current?.text() ?? '', found.from);
      begin(activeId, { run: startRun(client, { sql: found.sql, size, parameters, keep }), statement: found, start });
    },
    /** Runs a statement of the history in a tab of its own. */
    rerun({ sql, parameters }: PastStatement): void {
      const statement = { from: 0, to: sql.length };
      const run = startRun(client, { sql, size, parameters, keep });
      const tabId = store.create(sql, { parameters: pastEntries(parameters) });
      begin(tabId, { run, statement, start: { line: 1, column: 1 } });
    },
    /** Runs the statement of the kept result that is shown, with the values that the tab has for its parameters. */
    runAgain(): void {
      if (shown === undefined || activeId === undefined || isBusy()) return;
      const { sql } = shown.run.input;
      const parameters = readParameters(sql);
      if (parameters === undefined) return;
      begin(activeId, { ...shown, run: startRun(client, { sql, size, parameters, keep }) });
    },
    /** Shows a kept result in the active tab. */
    showKept(kept: DraftResult): void {
      if (activeId === undefined) return;
      forgetLeftRun(activeId);
      store.setResult(activeId, kept);
    },
    /** Shows a kept result of the history in a tab of its own. */
    openKept({ sql, parameters }: PastStatement, kept: DraftResult): void {
      store.create(sql, { parameters: pastEntries(parameters), result: kept });
    },
    /** Runs what is shown again for all its rows, not what the editor has now. */
    loadAll(): void {
      if (shown === undefined || activeId === undefined || isBusy()) return;
      store.setRowLimit(activeId, null);
      notify({ text: t('run.load-all.again') });
      begin(activeId, { ...shown, run: startRun(client, { ...shown.run.input, size: undefined }) });
    },
  };
}
