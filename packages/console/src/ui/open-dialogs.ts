import { useEffect, useEffectEvent } from 'react';

/** Open dialogs; the last one is above the others. */
const openDialogs: object[] = [];

/** Returns whether a dialog is open. It owns the keyboard. */
export const isDialogOpen = (): boolean => openDialogs.length > 0;

/**
 * Counts a dialog while it is open.
 * @param onKeyWithoutFocus - called while it is above the others and nothing has the focus, such as after the deletion of the row that had it:
 * the key would reach nothing
 */
export function useOpenDialog(isOpen: boolean, onKeyWithoutFocus: (event: KeyboardEvent) => void): void {
  const onKey = useEffectEvent(onKeyWithoutFocus);
  useEffect(() => {
    if (!isOpen) return undefined;
    const own = {};
    openDialogs.push(own);
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.target === document.body && openDialogs.at(-1) === own) onKey(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      openDialogs.splice(openDialogs.indexOf(own), 1);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [isOpen]);
}
