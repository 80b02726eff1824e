import type { EvidenceVerdict } from '@sluice/audit/verify-in-browser';
import type { Client } from '@sluice/client';
import { useClient } from '../../api/use-client.ts';
import { type StoppableTask, type TaskState, useStoppableTask } from '../../ui/use-stoppable-task.ts';
import { collectFile } from '../collect-file.ts';
import type { EvidenceRange } from '../evidence-range.ts';
import { type CheckpointFacts, checkpointFacts, type PublishedKey, type SavedCheckpoint } from './checkpoint-file.ts';
import { runVerifyWorker } from './run-verify-worker.ts';
import type { VerifyProgress } from './verify-worker-messages.ts';

/** Verdict of a verification, with its evidence package and the keys that the host publishes. */
export interface Verification {
  readonly verdict: EvidenceVerdict;
  readonly file: Blob;
  readonly range: EvidenceRange;
  /** Keys that the host publishes. */
  readonly keys: readonly PublishedKey[];
  readonly saved: SavedCheckpoint | undefined;
  /** Latest checkpoint of the package; undefined if it has none that is signed. */
  readonly checkpoint: CheckpointFacts | undefined;
}

interface VerificationInput {
  readonly range: EvidenceRange;
  /** Checkpoint that the user stored earlier. */
  readonly saved: SavedCheckpoint | undefined;
}

/** Progress of a verification. One that failed has no verdict. */
type VerificationProgress =
  | { readonly kind: 'reading'; readonly bytes: number }
  | ({ readonly kind: 'verifying'; readonly bytes: number } & VerifyProgress)
  | ({ readonly kind: 'done' } & Verification);
export type VerificationState = TaskState<VerificationProgress>;
export type LogVerification = StoppableTask<VerificationInput, VerificationProgress>;

/** Reads the published keys, and the checkpoint of the log that has the number of the one that was saved. */
async function readKeys(client: Client, saved: SavedCheckpoint | undefined, signal: AbortSignal) {
  const after = saved === undefined ? {} : { after: saved.number - 1 };
  const { data, keys } = await client.api.listAuditCheckpoints({ query: { ...after, size: 1 }, signal });
  return { keys, stored: data[0]?.payload };
}

/**
 * Returns verifications of the log, one at a time. The page reads an evidence package and verifies it itself, in a worker. A package that
 * does not arrive whole has no verdict, and neither has a verification that was stopped.
 */
export function useVerification(): LogVerification {
  const client = useClient();
  return useStoppableTask<VerificationInput, VerificationProgress>(
    { kind: 'reading', bytes: 0 },
    async ({ range, saved }, { show, signal }) => {
      const { keys, stored } = await readKeys(client, saved, signal);
      const parts = client.audit.evidence(range, { signal });
      const file = await collectFile(parts, 'application/zip', (bytes) => show({ kind: 'reading', bytes }));
      const published = keys.map(({ public_key: key }) => key);
      const verdict = await runVerifyWorker(
        {
          file,
          publicKeys: saved === undefined || saved.publicKeys.length === 0 ? published : saved.publicKeys,
          saved: saved && { signed: saved.signed, stored },
        },
        { signal, onProgress: (progress) => show({ ...progress, kind: 'verifying', bytes: file.size }) },
      );
      const { latest } = verdict;
      const checkpoint = latest === undefined ? undefined : await checkpointFacts(latest.payload);
      show({ kind: 'done', verdict, file, range, keys, saved, checkpoint });
    },
  );
}
