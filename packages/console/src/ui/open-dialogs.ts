import { useEffect } from 'react';

let openDialogs = 0;

/** Returns whether a dialog is open. It owns the keyboard. */
export const isDialogOpen = (): boolean => openDialogs > 0;

/** Counts a dialog while it is open. */
export function useOpenDialog(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    openDialogs += 1;
    return () => {
      openDialogs -= 1;
    };
  }, [isOpen]);
}
