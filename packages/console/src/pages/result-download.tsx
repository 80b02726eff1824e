import { useMemo } from 'react';
import { DownloadMenu } from '../downloads/download-menu.tsx';
import { type DownloadSource, statementSource } from '../downloads/download-source.ts';
import { type HeldResult, holdResult } from '../downloads/row-file.ts';
import { type Translate, useTranslation } from '../i18n/translate.tsx';
import { holdsFirstRows, holdsWholeResult, type ResultView } from '../result/result-view.ts';
import type { Run } from '../run/start-run.ts';

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

/** Button that downloads the result that is shown: as it is, or by a further run. The row limit of a run is not one of its statement. */
export function ResultDownload({ run, view, isFiltered, name, statement }: ResultDownloadProps) {
  const { t } = useTranslation();
  const held = useMemo(() => (isFiltered ? undefined : heldResult(run, view)), [run, view, isFiltered]);
  const { sql, parameters } = run.input;
  const source = statementSource({
    readName: () => name,
    note: noteOf(view, isFiltered, t),
    held,
    statement: () => ({ sql, parameters }),
  });
  return <DownloadMenu size="s" source={source} other={{ source: statement, label: t('query.download.other') }} />;
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
