import { hasShape } from '../../api/has-shape.ts';
import { NEW_ENTRY, type ParameterEntry } from '../../editor/parameters/parameter-entry.ts';
import { readLocalSetting, storeLocalSetting } from '../../theme/local-setting.ts';

type Entries = Readonly<Record<string, ParameterEntry>>;

const keyOf = (owner: string, queryId: string): string => `sluice.values ${owner} ${queryId}`;

/** Returns the values that the user has given a saved query in this browser, for parameters that it still has. */
export function readStoredValues(owner: string, queryId: string): Entries {
  try {
    const stored: unknown = JSON.parse(readLocalSetting(keyOf(owner, queryId)) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, entry]) => hasShape(NEW_ENTRY, entry)));
  } catch {
    return {};
  }
}

/** Stores the values of a saved query for the next time that it is opened in this browser. */
export const storeValues = (owner: string, queryId: string, entries: Entries): void =>
  storeLocalSetting(keyOf(owner, queryId), JSON.stringify(entries));
