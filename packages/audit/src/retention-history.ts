import type { CheckpointPayload, RetentionSettings } from './checkpoint.ts';
import type { Finding } from './finding.ts';

/** Action of the record of a retention change. Its metadata hold the settings `before` and `after`. */
const CHANGE_ACTION = 'UPDATE_AUDIT_RETENTION';

interface ActedRecord {
  readonly action: string;
  /** JSON text of an object. */
  readonly metadata: string;
}

const textOf = ({ kept_ms, tenant_ms }: RetentionSettings): string => JSON.stringify([kept_ms, tenant_ms]);

const announcedBy = ({ action, metadata }: ActedRecord): string | undefined => {
  if (action !== CHANGE_ACTION) return undefined;
  const { after } = JSON.parse(metadata) as { after?: RetentionSettings };
  return after && textOf(after);
};

/** Retention settings of one tenant over time: the settings that checkpoints sign must be the settings that records report. */
export class RetentionHistory {
  /** Settings of the last record, or of the first checkpoint that signs settings. */
  #recorded: string | undefined;
  /** Checkpoint that signs other settings. The sealer may see a change one checkpoint before its record. */
  #unexplained: { readonly checkpoint: number; readonly text: string } | undefined;

  takeRecord(record: ActedRecord): void {
    const text = announcedBy(record);
    if (text === undefined) return;
    this.#recorded = text;
    if (this.#unexplained?.text === text) this.#unexplained = undefined;
  }

  /** Checks a checkpoint after its records. */
  takeCheckpoint({ retention, number }: CheckpointPayload): Finding | undefined {
    if (retention === undefined) return undefined;
    const finding = this.#finding();
    if (finding !== undefined) return finding;
    const text = textOf(retention);
    this.#recorded ??= text;
    if (text !== this.#recorded) this.#unexplained = { checkpoint: number, text };
    return undefined;
  }

  /** Accepts a checkpoint whose records were dropped: its settings have no records any more. */
  skipCheckpoint({ retention }: CheckpointPayload): void {
    if (retention !== undefined) this.#recorded = textOf(retention);
    this.#unexplained = undefined;
  }

  /** Compares with the settings in the database; undefined for a removed tenant. */
  end(current: RetentionSettings | undefined): Finding | undefined {
    const finding = this.#finding();
    if (finding !== undefined || current === undefined || this.#recorded === undefined) return finding;
    if (textOf(current) === this.#recorded) return undefined;
    return { kind: 'altered', reason: 'The retention settings differ from those of the last recorded change.' };
  }

  #finding(): Finding | undefined {
    if (this.#unexplained === undefined) return undefined;
    const { checkpoint } = this.#unexplained;
    return {
      kind: 'altered',
      checkpoint,
      reason: 'It signs retention settings for which there is no record of a change.',
    };
  }
}
