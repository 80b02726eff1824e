import { useCallback, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { createFrameBudget, createPageClock } from '../result/frame-clock.ts';
import { incompleteNote } from '../result/incomplete-note.ts';
import type { ResultView } from '../result/result-view.ts';
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

/** Returns a function that copies a range of the rows that are shown, and its outcome. */
export function useCopy(view: ResultView, order: Uint32Array | undefined) {
  const { t } = useTranslation();
  const [status, setStatus] = useState<CopyStatus>();
  const copy = useCallback(
    async (range: SelectedRange, format: CopyFormat) => {
      setStatus({ tone: 'working', message: t('grid.copying') });
      const pause = createFrameBudget(createPageClock(), WORK_MS);
      const note = incompleteNote(view);
      const incomplete = note === undefined ? '' : t(note.key, note.values);
      const text = copyText({ view, order, range, incompleteNote: incomplete }, format, pause);
      try {
        await writeClipboard(text);
        setStatus({ tone: 'done', message: t('grid.copied', { count: cellCount(range) }) });
      } catch {
        // The clipboard hides why the text was not made.
        const reason = await text.then(
          () => undefined,
          (error: unknown) => error,
        );
        const key = reason instanceof CopyTooLargeError ? 'grid.copy-too-large' : 'grid.copy-denied';
        setStatus({ tone: 'failed', message: t(key) });
      }
    },
    [view, order, t],
  );
  return { copy, status };
}
