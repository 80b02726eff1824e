import { useCallback, useState } from 'react';
import { type Translate, useTranslation } from '../i18n/translate.tsx';
import { createFrameBudget, createPageClock } from '../result/frame-clock.ts';
import { holdsFirstRows, incompleteNote, type ResultView } from '../result/result-view.ts';
import { type CopyFormat, CopyTooLargeError, copyText } from './copy-formats.ts';
import { cellCount, type SelectedRange } from './grid-selection.ts';
import { WORK_MS } from './use-row-order.ts';

/** Outcome of the last copy. */
interface CopyStatus {
  readonly tone: 'working' | 'done' | 'failed';
  readonly message: string;
}

/**
 * Puts text that is still being made on the clipboard. The browser asks for the call within the user's gesture, so it is made before
 * the text exists.
 */
async function writeClipboard(text: Promise<string>): Promise<void> {
  const blob = text.then((value) => new Blob([value], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}

/** Rows of a copy, at most, if some of them are not in memory. */
const COPIED_PAGE_ROWS_MAX = 10_000;

/** Returns whether a range has rows of a kept result that are not in memory. A search or an order has only those in memory. */
const needsPages = ({ loadedRows, pages }: ResultView, order: Uint32Array | undefined, range: SelectedRange): boolean =>
  order === undefined && pages !== undefined && range.lastRow > loadedRows;

const isBeyondCopy = (view: ResultView, order: Uint32Array | undefined, range: SelectedRange): boolean =>
  needsPages(view, order, range) && range.lastRow - range.firstRow > COPIED_PAGE_ROWS_MAX;

/** Returns a view with the rows of a range, after reading those that are not in memory. */
async function readForCopy(
  view: ResultView,
  order: Uint32Array | undefined,
  range: SelectedRange,
): Promise<ResultView> {
  const { pages, completeness, receivedRows } = view;
  if (pages === undefined || order !== undefined) return view;
  // Each row of the range is in the copy, so the copy is as whole as the range.
  if (!needsPages(view, order, range)) return { ...view, loadedRows: receivedRows };
  return { ...(await pages.read(range.firstRow, range.lastRow)), completeness };
}

/** Returns the sentence for a copy that failed. Undefined: the text was made, and the browser did not take it. */
function reasonText(reason: unknown, t: Translate): string {
  if (reason instanceof CopyTooLargeError) return t('grid.copy-too-large');
  return reason instanceof Error ? t('grid.copy-failed', { message: reason.message }) : t('action.copy-denied');
}

/** Returns a function that copies a range of the rows that are shown, and its outcome. */
export function useCopyRange(view: ResultView, order: Uint32Array | undefined) {
  const { t } = useTranslation();
  const [status, setStatus] = useState<CopyStatus>();
  const copy = useCallback(
    async (range: SelectedRange, format: CopyFormat) => {
      if (isBeyondCopy(view, order, range)) {
        setStatus({ tone: 'failed', message: t('grid.copy-beyond', { count: COPIED_PAGE_ROWS_MAX }) });
        return;
      }
      setStatus({ tone: 'working', message: t('grid.copying') });
      const pause = createFrameBudget(createPageClock(), WORK_MS);
      const text = readForCopy(view, order, range).then((copied) => {
        const note = incompleteNote(copied);
        const incomplete = note === undefined ? '' : t(note.key, note.values);
        return copyText({ view: copied, order, range, incompleteNote: incomplete }, format, pause);
      });
      try {
        await writeClipboard(text);
        const count = cellCount(range);
        // A single value is whole.
        const isOfFirst = holdsFirstRows(view) && count > 1;
        setStatus({
          tone: 'done',
          message: isOfFirst ? t('grid.copied-first', { count, rows: view.receivedRows }) : t('grid.copied', { count }),
        });
      } catch {
        // The clipboard hides why the text was not made.
        const reason = await text.then(
          () => undefined,
          (error: unknown) => error,
        );
        setStatus({ tone: 'failed', message: reasonText(reason, t) });
      }
    },
    [view, order, t],
  );
  return { copy, status };
}
