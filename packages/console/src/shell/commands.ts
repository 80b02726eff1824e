import { useEffect, useSyncExternalStore } from 'react';
import { isDialogOpen } from '../ui/open-dialogs.ts';
import { hasCommandKey, type Keys, matchesKeys } from './keys.ts';

/** Something that a user can do here: listed in the command palette, and with its keys in the shortcut sheet. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly keys?: Keys;
  /** Absent: the page listens for the keys itself, such as an editor, and the palette does not list the command. */
  readonly run?: () => void;
}

/** Commands of one part of the page. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** The command that opens the palette, which does not list it. */
export const PALETTE_ID = 'commands';

/** The command that shows the keyboard shortcuts, which a page may offer too. */
export const SHORTCUTS_ID = 'shortcuts';

const listeners = new Set<() => void>();
let groups: readonly CommandGroup[] = [];

function setGroups(next: readonly CommandGroup[]): void {
  groups = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the commands of everything that is shown. */
export const useCommandGroups = (): readonly CommandGroup[] => useSyncExternalStore(subscribe, () => groups);

/** Offers commands while the component is shown. Keep the group stable (`useMemo`), or it is offered anew at each render. */
export function useCommands(group: CommandGroup): void {
  useEffect(() => {
    setGroups([...groups, group]);
    return () => setGroups(groups.filter((each) => each !== group));
  }, [group]);
}

/** Keys without a modifier are text where the user writes. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName));

/** Runs the commands by their keys. The frame of the page calls it once. */
export function useCommandKeys(): void {
  useEffect(() => {
    const isApple = hasCommandKey(navigator.platform);
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      // A dialog owns the keyboard while it is open.
      if (isDialogOpen()) return;
      const found = groups
        .flatMap(({ commands }) => commands)
        .find(({ keys, run }) => keys !== undefined && run !== undefined && matchesKeys(event, keys, isApple));
      if (found?.keys === undefined || (!found.keys.includes('Mod') && isTyping(event.target))) return;
      event.preventDefault();
      found.run?.();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
