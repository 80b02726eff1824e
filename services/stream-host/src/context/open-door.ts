import { createValueSeal, type ValueSeal } from '@sluice/auth';
import type { OneTimeValues } from '@sluice/shared-state';
import type { KeptResultStore } from '@sluice/store/queries';
import type { StreamHostSettings } from '../config.ts';
import { OpenResults } from '../door/open-results.ts';
import { createPageMarks, type PageMarks } from '../door/page-marks.ts';
import { PreparedAnswers } from '../door/prepared-answers.ts';

/** Collaborators of the statements of Trino clients besides those of all statements. */
export interface Door {
  readonly openResults: OpenResults;
  readonly preparedAnswers: PreparedAnswers;
  readonly pageMarks: PageMarks;
}

interface DoorDependencies {
  readonly settings: StreamHostSettings;
  readonly hostId: string;
  readonly records: Pick<KeptResultStore, 'listAsked'>;
  readonly hashKey: () => Promise<Uint8Array>;
  readonly oneTimeValues: OneTimeValues;
}

/** Opens the door for Trino clients. Returns undefined if the deployment has none. */
export function openDoor({ settings, hostId, records, hashKey, oneTimeValues }: DoorDependencies): Door | undefined {
  if (!settings.trinoDoor) return undefined;
  let seal: ValueSeal | undefined;
  return {
    openResults: new OpenResults({ hostId, records, waitMs: settings.trinoPollWaitMs }),
    preparedAnswers: new PreparedAnswers(oneTimeValues),
    // Each page needs two marks, so the derived key is kept.
    pageMarks: createPageMarks(async () => {
      seal ??= createValueSeal({ current: await hashKey() });
      return seal;
    }),
  };
}
