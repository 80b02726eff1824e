import { useMemo } from 'react';
import { DownloadMenu } from '../downloads/download-menu.tsx';
import { type DownloadSource, resultSource, statementSource } from '../downloads/download-source.ts';
import { type HeldResult, holdResult } from '../downloads/row-file.ts';
import { type Translate, useTranslation } from '../i18n/translate.tsx';
import { holdsFirstRows, holdsWholeResult, type ResultView } from '../result/result-view.ts';
import type { Run } from '../run/start-run.ts';
import { useRunSnapshot } from '../run/use-run.ts';

interface ResultDownloadProps {
  readonly run: Run;
  readonly view: ResultView;
  /** Whether a search or filter hides rows. */
  readonly isFiltered: boolean;
  /** Name of the file, without time and extension. */
  readonly name: string;
  /** The statement of the editor, which may be another one by now. */
  readonly statement: DownloadSource;
}

/**
 * Button that downloads the result that is shown: as it is, or by a further run. The row limit of a run is not one of its statement, so the
 * kept rows of a limited result are a further choice.
 */
export function ResultDownload({ run, view, isFiltered, name, statement }: ResultDownloadProps) {
  const { t } = useTranslation();
  const held = useMemo(() => (isFiltered ? undefined : heldResult(run, view)), [run, view, isFiltered]);
  const keptId = useKeptId(run);
  const readName = () => name;
  const isLimited = holdsFirstRows(view);
  const kept =
    keptId === undefined
      ? undefined
      : resultSource({ queryId: keptId, rows: view.receivedRows, readName, note: keptNote(view, isFiltered, t), held });
  const { sql, parameters } = run.input;
  const again = statementSource({
    readName,
    note: noteOf(view, isFiltered, t),
    held,
    statement: () => ({ sql, parameters }),
  });
  // The page does not know the parameters of a result that it has not run.
  const rerun = run.isReopened === true ? statement : again;
  const others = [{ source: statement, label: t('query.download.other') }];
  if (kept === undefined) return <DownloadMenu size="s" source={rerun} others={others} />;
  if (!isLimited) return <DownloadMenu size="s" source={kept} others={others} />;
  // The source of a result that was not run here is that of the statement already.
  const further = run.isReopened === true ? [] : others;
  const firstRows = { source: kept, label: t('kept.download.first', { count: view.receivedRows }) };
  return <DownloadMenu size="s" source={rerun} others={[firstRows, ...further]} />;
}

/** Returns the id of the query whose result the host keeps. Undefined: it does not, or not any more. */
function useKeptId(run: Run): string | undefined {
  const { keeping, queryId } = useRunSnapshot(run) ?? {};
  const isKept = keeping !== undefined && 'keptUntil' in keeping && keeping.keptUntil > Date.now();
  return isKept ? queryId : undefined;
}

/** Returns the result of a run if all its rows are here, as a download of the same statement has them. */
function heldResult({ input, store }: Run, view: ResultView): HeldResult | undefined {
  const { queryId } = store.getSnapshot();
  const isInUtc = input.timeZone === undefined || input.timeZone === 'UTC';
  if (!holdsWholeResult(view) || !isInUtc || queryId === undefined) return undefined;
  return holdResult(view, store.textBytes, queryId);
}

function noteOf(view: ResultView, isFiltered: boolean, t: Translate): string {
  if (holdsFirstRows(view)) return t('query.download.all', { count: view.receivedRows });
  if (isFiltered) return t('query.download.filtered');
  return holdsWholeResult(view) ? t('query.download.held', { count: view.loadedRows }) : t('query.download.again');
}

function keptNote(view: ResultView, isFiltered: boolean, t: Translate): string {
  if (holdsFirstRows(view)) return t('kept.download.limited', { count: view.receivedRows });
  return isFiltered ? t('kept.download.filtered') : t('kept.download', { count: view.receivedRows });
}
