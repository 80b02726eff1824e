import { lazy, type ReactNode, type Ref, Suspense, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { DownloadMenu } from '../downloads/download-menu.tsx';
import { statementSource } from '../downloads/download-source.ts';
import { type Draft, titleOf } from '../editor/drafts/draft.ts';
import { useDrafts } from '../editor/drafts/use-drafts.ts';
import { EditorTabs } from '../editor/editor-tabs.tsx';
import { NO_PARAMETERS } from '../editor/parameters/find-parameters.ts';
import { declaredType, NEW_ENTRY } from '../editor/parameters/parameter-entry.ts';
import { ParameterForm } from '../editor/parameters/parameter-form.tsx';
import { useGuessedTypes } from '../editor/parameters/use-guessed-types.ts';
import { formatSql } from '../editor/sql/format-sql.ts';
import { writePermalink } from '../editor/sql/permalink.ts';
import type { SqlEditorHandle } from '../editor/sql-editor.tsx';
import { useEditorHeight } from '../editor/use-editor-height.ts';
import { useWrappedLines } from '../editor/use-wrapped-lines.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { datamapPath } from '../router/object-paths.ts';
import { navigate } from '../router/router.ts';
import { readLeftRun } from '../run/left-run.ts';
import { useOpenRuns } from '../run/open-runs-context.tsx';
import { RowLimit } from '../run/row-limit.tsx';
import { rowLimitOf } from '../run/row-limits.ts';
import { inText } from '../run/run-problem.tsx';
import { isFinal } from '../run/run-transitions.ts';
import type { Run } from '../run/start-run.ts';
import { useCancelKeys } from '../run/use-cancel-keys.ts';
import { useRunSnapshot, useRunView } from '../run/use-run.ts';
import { useCurrentUser, useSession } from '../session/session-context.tsx';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { notify } from '../ui/notifications.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { usePageTitle } from '../ui/page.tsx';
import { ResizeBar } from '../ui/resize-bar.tsx';
import { useClipboard } from '../ui/use-clipboard.ts';
import { visibleText } from '../ui/visible-text.tsx';
import { useOpenedStatement } from './open-in-editor.ts';
import { pastEntries } from './past-entries.ts';
import { useQueryCommands } from './query-commands.ts';
import { QueryToolbar } from './query-toolbar.tsx';
import { parametersOf, positionAt, type StatementToSave, useCatalog, usePermalink } from './query-workspace.ts';
import { ResultDownload } from './result-download.tsx';
import { showsResult } from './run-view.tsx';
import { RenameDialog } from './saved-queries/rename-dialog.tsx';
import { useSaveQuery } from './saved-queries/save-query.tsx';
import { storeValues } from './saved-queries/stored-values.ts';
import { useOpenQuery, useSavedQueryLink } from './saved-queries/use-open-query.ts';
import { ShareResultButton } from './share-result-button.tsx';
import { StartPage } from './start-page.tsx';
import { TabResult } from './tab-result.tsx';
import { TablesBeside, type TableTarget } from './tables-beside.tsx';
import { useTabRuns } from './use-tab-runs.ts';
import './query-page.css';

const SqlEditor = lazy(async () => ({ default: (await import('../editor/sql-editor.tsx')).SqlEditor }));
const HistoryPanel = onDemand(
  async () => (await import('../history/history-panel.tsx')).HistoryPanel,
  ({ isOpen }) => isOpen,
);
const SavedQueriesDialog = onDemand(
  async () => (await import('./saved-queries/saved-queries-dialog.tsx')).SavedQueriesDialog,
  ({ isOpen }) => isOpen,
);
const SaveDatamapDialog = onDemand(
  async () => (await import('../datamaps/save-datamap-dialog.tsx')).SaveDatamapDialog,
  ({ source }) => source !== undefined,
);

const PANEL_ID = 'query-panel';

/** Page on which a user writes and runs statements, beside the tables. */
export function QueryPage() {
  const target = useRef<TableTarget>(null);
  return (
    <TablesBeside target={target}>{(button) => <QueryWorkspace ref={target} tablesButton={button} />}</TablesBeside>
  );
}

interface QueryWorkspaceProps {
  readonly ref: Ref<TableTarget>;
  readonly tablesButton: ReactNode;
}

/** Editor with its tabs, and the rows of the shown tab. */
function QueryWorkspace({ ref, tablesButton }: QueryWorkspaceProps) {
  const { t } = useTranslation();
  const copy = useClipboard();
  const { tenant } = useSession().addresses;
  const { id: userId, permissions } = useCurrentUser();
  const mayWriteDatamaps = permissions.includes('datamap:write');
  const owner = `${tenant} ${userId}`;
  const { store, drafts } = useDrafts(owner);
  const { catalog, dialect } = useCatalog();
  const [parameters, setParameters] = useState(NO_PARAMETERS);
  /** Undefined until the editor has the text of the tab. */
  const [text, setText] = useState<string>();
  const isBlank = text !== undefined && text.trim() === '';
  const [missing, setMissing] = useState<readonly string[]>([]);
  /** Execution that was shown when the user ran a comment, or nothing. */
  const [beforeNothing, setBeforeNothing] = useState<Run>();
  const { types, guess } = useGuessedTypes(dialect, catalog);
  const { openRuns, runs } = useOpenRuns();
  const [toSave, setToSave] = useState<StatementToSave>();
  const notice = useChangeNotice();
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const [areSavedOpen, setSavedOpen] = useState(false);
  const [renamed, setRenamed] = useState<Draft>();
  const [wrapsLines, toggleWrap] = useWrappedLines();
  const height = useEditorHeight();
  const editor = useRef<SqlEditorHandle>(null);
  const { activeId } = drafts;
  const active = drafts.open.find(({ id }) => id === activeId);
  const shown = activeId === undefined ? undefined : runs.get(activeId);
  const snapshot = useRunSnapshot(shown?.run);
  const view = useRunView(shown?.run);
  const isRunning = snapshot !== undefined && !isFinal(snapshot.state);
  const size = rowLimitOf(active?.rowLimit);
  usePageTitle(t('page.query'));
  useCancelKeys(shown?.run);
  const { open, isLoaded } = drafts;
  useEffect(() => {
    if (activeId !== undefined) openRuns.show(activeId);
  }, [openRuns, activeId]);
  useEffect(() => {
    if (isLoaded) openRuns.keepOnly(new Set(open.map(({ id }) => id)));
  }, [openRuns, open, isLoaded]);
  usePermalink(store, drafts.isLoaded);
  const openQuery = useOpenQuery(store, owner);
  useSavedQueryLink(drafts.isLoaded, openQuery.open);
  const savedQuery = useSaveQuery({
    store,
    onOpen: openQuery.show,
    onShowPosition: ({ statement }, location) => editor.current?.goToError({ statement, location }),
  });
  const [isEditorFirst, setEditorFirst] = useState(false);
  useOpenedStatement(store, drafts.isLoaded, () => {
    if (editor.current === null) setEditorFirst(true);
    else editor.current.focus();
  });
  const openStatement = (sql: string, name: string | null = null): void => {
    const text = editor.current?.text() ?? '';
    // Read from the editor: the page gets the text some time after the last key.
    if (editor.current !== null && text.trim() === '') editor.current.replace({ from: 0, to: text.length }, sql);
    else store.create(sql, { name });
    editor.current?.focus();
  };
  useImperativeHandle(ref, () => ({ insert: (name) => editor.current?.insertName(name), open: openStatement }));
  useEffect(() => {
    const location = snapshot?.failure?.location;
    const error = shown === undefined || location === undefined ? undefined : { statement: shown.statement, location };
    editor.current?.markError(error);
  }, [snapshot?.failure, shown]);

  const { readStatement, rerun, loadAll, runAgain, showKept, openKept, ...tabRuns } = useTabRuns({
    ...{ store, activeId, shown, size, dialect },
    editor,
    onMissing: setMissing,
  });
  const start = (): void => {
    // The page gets the text some time after the last key.
    setText(editor.current?.text());
    setBeforeNothing(editor.current?.runnable() === undefined ? shown?.run : undefined);
    tabRuns.start();
  };
  const format = async () => {
    const found = editor.current?.runnable();
    if (found === undefined) return;
    const formatted = await formatSql(found.sql, dialect);
    if ('problem' in formatted) notify({ tone: 'danger', text: t(`editor.format.${formatted.problem}`) });
    else if (editor.current?.text().slice(found.from, found.to) === found.sql)
      editor.current.replace(found, formatted.sql);
  };
  const copyLink = async () => {
    const link = writePermalink(editor.current?.text() ?? '');
    if ('problem' in link) return notify({ tone: 'danger', text: t(`editor.link.${link.problem}`) });
    if (await copy(`${location.origin}${location.pathname}${link.hash}`))
      notify({ tone: 'success', text: t('editor.link.copied') });
  };
  const readToSave = (): StatementToSave | undefined => {
    const found = editor.current?.runnable();
    if (found === undefined) return void notify({ text: t('query.nothing') });
    const names = parametersOf(found.sql, dialect).names;
    const typeOf = (name: string) =>
      declaredType(active?.parameters[name] ?? { ...NEW_ENTRY, type: types[name] ?? NEW_ENTRY.type });
    const source = { sql: found.sql, parameters: names.map((name) => ({ name, type: typeOf(name) })) };
    return { source, statement: found, start: positionAt(editor.current?.text() ?? '', found.from) };
  };
  const saveQuery = () => {
    const statement = readToSave();
    if (active === undefined || statement === undefined) return;
    const whole = (editor.current?.text() ?? '').replace(/[\s;]+$/, '').trim();
    void savedQuery.save(active, statement, statement.source.sql !== whole);
  };
  const actions = {
    run: start,
    format: () => void format(),
    copyLink: () => void copyLink(),
    wrap: toggleWrap,
    rename: () => setRenamed(active),
    showHistory: () => setHistoryOpen(!isHistoryOpen),
    saveQuery,
    showSaved: () => setSavedOpen(true),
    saveDatamap: mayWriteDatamaps ? () => setToSave(readToSave()) : undefined,
  };
  useQueryCommands(actions);
  const run = shown?.run;
  const left = run === undefined && activeId !== undefined ? readLeftRun(activeId) : undefined;
  const isDismissed = run !== undefined && run === beforeNothing;
  const isOld = isDismissed || (run !== undefined && text?.includes(run.input.sql) === false);
  const nameOf = (title: string): string => visibleText(active?.name ?? title) || t('editor.untitled');
  const statement = statementSource({
    // From the editor: the title of a tab follows its text some time after the last key.
    readName: () => nameOf(titleOf(editor.current?.runnable()?.sql ?? '')),
    note: t('query.download.statement'),
    statement: () => {
      const read = readStatement();
      return read === undefined ? undefined : { sql: read.found.sql, parameters: read.parameters };
    },
  });
  return (
    <main className="query-page">
      <h1 className="visually-hidden">{t('page.query')}</h1>
      <div className="query-page__editor">
        <EditorTabs
          store={store}
          drafts={drafts}
          onOpened={() => editor.current?.focus()}
          onRename={setRenamed}
          panelId={PANEL_ID}
          before={tablesButton}
        />
        {drafts.saving === 'full' || drafts.saving === 'unavailable' ? (
          <p className="query-page__unsaved" role="alert">
            {t(`editor.saving.${drafts.saving}`)}
          </p>
        ) : null}
        <div
          className="query-page__text"
          style={{ blockSize: `${height.value}px` }}
          id={PANEL_ID}
          role="tabpanel"
          aria-label={t('editor.panel')}
        >
          <Suspense>
            {drafts.isLoaded && activeId !== undefined && (
              <SqlEditor
                ref={editor}
                store={store}
                draftId={activeId}
                label={t('editor.label')}
                dialect={dialect}
                catalog={catalog}
                autoFocus={isEditorFirst}
                onRun={start}
                onFormat={() => void format()}
                wrapsLines={wrapsLines}
                onWrap={toggleWrap}
                onText={(next) => {
                  setText(next);
                  setParameters(parametersOf(next, dialect));
                  guess(next);
                }}
              />
            )}
          </Suspense>
        </div>
        <ResizeBar label={t('editor.height')} axis="y" {...height} />
        <ParameterForm
          parameters={parameters}
          entries={active?.parameters ?? {}}
          types={types}
          missing={missing}
          onChange={(name, entry) => {
            if (active === undefined) return;
            store.setParameter(active.id, name, entry);
            if (active.saved !== undefined)
              storeValues(owner, active.saved.id, { ...active.parameters, [name]: entry });
          }}
          onEnter={start}
        />
        <QueryToolbar
          actions={actions}
          isRunning={isRunning}
          onStop={() => run?.cancel()}
          rowLimit={
            <RowLimit
              value={size}
              isDisabled={active === undefined}
              onChange={(limit) => activeId !== undefined && store.setRowLimit(activeId, limit ?? null)}
            />
          }
          // A result has the button itself, so that there is one at any time.
          download={snapshot === undefined || !showsResult(snapshot, view) ? statement : undefined}
        />
      </div>
      <TabResult
        key={activeId}
        shown={shown}
        left={left}
        result={active?.result}
        isOld={isOld}
        isDismissed={isDismissed}
        renderActions={(run, isFiltered) => (
          <>
            <ShareResultButton run={run} />
            <ResultDownload
              run={run}
              view={view}
              isFiltered={isFiltered}
              name={nameOf(titleOf(run.input.sql))}
              statement={statement}
            />
          </>
        )}
        onRun={start}
        onLoadAll={loadAll}
        onRunAgain={runAgain}
        onKept={showKept}
      >
        {isBlank ? (
          <StartPage
            catalog={catalog}
            dialect={dialect}
            onOpen={openStatement}
            onOpenSaved={(id) => void openQuery.open(id).then(() => editor.current?.focus())}
          />
        ) : undefined}
      </TabResult>
      <SaveDatamapDialog
        source={toSave?.source}
        onClose={() => setToSave(undefined)}
        inText={(location) => inText(location, toSave?.start)}
        onShowPosition={(location) => {
          // The dialog is closed first: it keeps the focus while it is open.
          flushSync(() => setToSave(undefined));
          if (toSave !== undefined) editor.current?.goToError({ statement: toSave.statement, location });
        }}
        onSaved={(draft, requestId) => {
          notice(t('datamap.save.saved', { name: draft.name }), { requestId });
          navigate(datamapPath(draft.id));
        }}
      />
      {savedQuery.dialog}
      <RenameDialog
        renamed={renamed && { queryId: renamed.saved?.id, name: renamed.name ?? renamed.title }}
        onRenamed={(name) => renamed !== undefined && store.rename(renamed.id, name)}
        onClose={() => setRenamed(undefined)}
      />
      <SavedQueriesDialog
        isOpen={areSavedOpen}
        onClose={() => setSavedOpen(false)}
        onOpen={(id) => {
          // The dialog is closed first: it keeps the focus while it is open.
          flushSync(() => setSavedOpen(false));
          void openQuery.open(id).then(() => editor.current?.focus());
        }}
        onRenamed={(id, name) => {
          for (const tab of open) if (tab.saved?.id === id) store.rename(tab.id, name);
        }}
      />
      <HistoryPanel
        isOpen={isHistoryOpen}
        onClose={() => {
          setHistoryOpen(false);
          editor.current?.focus();
        }}
        onReopen={({ sql, parameters: past }) => {
          store.create(sql, { parameters: pastEntries(past) });
          editor.current?.focus();
        }}
        onRerun={rerun}
        onShowResult={openKept}
        renderActions={(past) => (
          <DownloadMenu
            size="s"
            source={statementSource({
              readName: () => visibleText(titleOf(past.sql)) || t('editor.untitled'),
              note: t('query.download.again'),
              statement: () => past,
            })}
          />
        )}
      />
    </main>
  );
}
