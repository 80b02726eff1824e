import { useEffect } from 'react';
import { isFinal } from './run-transitions.ts';
import type { Run } from './start-run.ts';

/** Cancels a run when the user presses Escape anywhere on the page and nothing else has used the key. */
export function useCancelKeys(run: Run | undefined): void {
  useEffect(() => {
    if (run === undefined) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isFinal(run.store.state)) return;
      event.preventDefault();
      run.cancel();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [run]);
}
