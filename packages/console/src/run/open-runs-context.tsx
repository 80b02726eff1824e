import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { OpenRuns, type TabRun } from './open-runs.ts';

const OpenRunsContext = createContext<OpenRuns | undefined>(undefined);

/**
 * Keeps executions while the user is on another page of the console. The host notices that the window is closed, because its
 * connections are.
 */
export function OpenRunsProvider({ children }: { readonly children: ReactNode }) {
  const [runs] = useState(() => new OpenRuns());
  useEffect(() => () => runs.keepOnly(new Set()), [runs]);
  return <OpenRunsContext value={runs}>{children}</OpenRunsContext>;
}

/** Returns the executions of this window, and renders again when there are others. */
export function useOpenRuns(): { readonly openRuns: OpenRuns; readonly runs: ReadonlyMap<string, TabRun> } {
  const openRuns = useContext(OpenRunsContext);
  if (openRuns === undefined) throw new Error('useOpenRuns needs an OpenRunsProvider.');
  return { openRuns, runs: useSyncExternalStore(openRuns.subscribe, openRuns.getSnapshot) };
}
