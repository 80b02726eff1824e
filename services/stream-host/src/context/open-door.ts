import { createHmac } from 'node:crypto';
import { createByteCipher, createValueSeal, type ValueSeal } from '@sluice/auth';
import type { OneTimeValues } from '@sluice/shared-state';
import type { KeptResultStore } from '@sluice/store/queries';
import { PreparedHandles } from '@sluice/trino-protocol';
import type { StreamHostSettings } from '../config.ts';
import type { CatalogueReads } from '../door/catalogue-reads.ts';
import { OpenResults } from '../door/open-results.ts';
import { createPageMarks, type PageMarks } from '../door/page-marks.ts';
import { PreparedAnswers } from '../door/prepared-answers.ts';
import type { AnswerCatalogue } from '../use-cases/door/answer-catalogue.ts';
import { type OpenCatalogueOptions, openCatalogue } from './open-catalogue.ts';

/** Prevent that a key is that of another use. */
const HANDLES_PURPOSE = 'prepared statements of Trino clients';
const ANSWERS_PURPOSE = 'answers to Trino clients';

/** Collaborators of the statements of Trino clients besides those of all statements. */
export interface Door {
  readonly openResults: OpenResults;
  readonly preparedAnswers: PreparedAnswers;
  readonly pageMarks: PageMarks;
  readonly preparedHandles: () => Promise<PreparedHandles>;
  readonly answerCatalogue: AnswerCatalogue;
  readonly catalogueReads: CatalogueReads;
}

interface DoorDependencies extends Omit<OpenCatalogueOptions, 'settings'> {
  readonly settings: StreamHostSettings;
  readonly hostId: string;
  readonly records: Pick<KeptResultStore, 'listAsked'>;
  readonly hashKey: () => Promise<Uint8Array>;
  readonly oneTimeValues: OneTimeValues;
}

/** Opens the door for Trino clients. Returns undefined if the deployment has none. */
export function openDoor(dependencies: DoorDependencies): Door | undefined {
  const { settings, hostId, records, hashKey, oneTimeValues } = dependencies;
  if (!settings.trinoDoor) return undefined;
  let seal: ValueSeal | undefined;
  let handles: PreparedHandles | undefined;
  return {
    openResults: new OpenResults({ hostId, records, waitMs: settings.trinoPollWaitMs }),
    preparedAnswers: new PreparedAnswers({ values: oneTimeValues, cipher: createByteCipher(hashKey, ANSWERS_PURPOSE) }),
    // Each page needs two marks, so the derived key is kept.
    pageMarks: createPageMarks(async () => {
      seal ??= createValueSeal({ current: await hashKey() });
      return seal;
    }),
    preparedHandles: async () => {
      handles ??= new PreparedHandles(
        createHmac('sha256', await hashKey())
          .update(HANDLES_PURPOSE)
          .digest(),
      );
      return handles;
    },
    ...openCatalogue(dependencies),
  };
}
