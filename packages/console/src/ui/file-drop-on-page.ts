import { useEffect, useEffectEvent } from 'react';
import { isDialogOpen } from './open-dialogs.ts';

/** Places for files that are shown. A file that is dropped beside one of them is ignored. */
let places = 0;

/** Counts a component as a place for files while it is shown. */
export function usePlaceForFiles(): void {
  useEffect(() => {
    places += 1;
    return () => {
      places -= 1;
    };
  }, []);
}

/** Checks for files that nothing on the page has taken. */
const isLeftOver = (event: DragEvent): boolean =>
  !event.defaultPrevented && event.dataTransfer?.types.includes('Files') === true;

/** Returns whether the page as a whole takes a file now. */
const takesFiles = (): boolean => places === 0 && !isDialogOpen();

/** Returns the file that was dropped. Undefined for several files, and for a folder. */
function fileOf({ items, files }: DataTransfer): File | undefined {
  const isFolder = items[0]?.webkitGetAsEntry()?.isDirectory === true;
  return files.length === 1 && !isFolder ? (files[0] ?? undefined) : undefined;
}

/**
 * Takes files that are dropped anywhere on the page, except into a place for them or beside it, and while a dialog is open. The browser
 * would open them instead of the page. The frame of the page uses it once.
 * @param onFile - called with the file; undefined: several files or a folder were dropped
 */
export function useFileDropOnPage(onFile: (file: File | undefined) => void): void {
  const take = useEffectEvent(onFile);
  useEffect(() => {
    const onDragOver = (event: DragEvent): void => {
      if (!isLeftOver(event) || event.dataTransfer === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = takesFiles() ? 'copy' : 'none';
    };
    const onDrop = (event: DragEvent): void => {
      if (!isLeftOver(event) || event.dataTransfer === null) return;
      event.preventDefault();
      if (takesFiles()) take(fileOf(event.dataTransfer));
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
}
