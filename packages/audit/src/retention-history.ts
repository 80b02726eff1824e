import type { CheckpointPayload, RetentionSettings } from './checkpoint.ts';
import type { Finding } from './finding.ts';

/** The action of the record of a change of the retention; its metadata hold the settings `before` and `after`. */
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

/** Follows the retention of one tenant: what checkpoints sign must be what records say that it was set to. */
export class RetentionHistory {
  /** As the last record said, or the first checkpoint that signs it. */
  #recorded: string | undefined;
  /** A checkpoint that signs something else. The sealer may see a change one checkpoint before its record. */
  #unexplained: { readonly checkpoint: number; readonly text: string } | undefined;

  takeRecord(record: ActedRecord): void {
    const text = announcedBy(record);
    if (text === undefined) return;
    this.#recorded = text;
    if (this.#unexplained?.text === text) this.#unexplained = undefined;
  }

  /** Takes a checkpoint whose records were taken. */
  takeCheckpoint({ retention, number }: CheckpointPayload): Finding | undefined {
    if (retention === undefined) return undefined;
    const finding = this.#finding();
    if (finding !== undefined) return finding;
    const text = textOf(retention);
    this.#recorded ??= text;
    if (text !== this.#recorded) this.#unexplained = { checkpoint: number, text };
    return undefined;
  }

  /** Takes a checkpoint whose records were dropped, and what they said with them. */
  skipCheckpoint({ retention }: CheckpointPayload): void {
    if (retention !== undefined) this.#recorded = textOf(retention);
    this.#unexplained = undefined;
  }

  /** Compares with the settings of the database; undefined where the tenant is gone. */
  end(current: RetentionSettings | undefined): Finding | undefined {
    const finding = this.#finding();
    if (finding !== undefined || current === undefined || this.#recorded === undefined) return finding;
    if (textOf(current) === this.#recorded) return undefined;
    return { kind: 'altered', reason: 'The retention settings are not what the last record of a change says.' };
  }

  #finding(): Finding | undefined {
    if (this.#unexplained === undefined) return undefined;
    const { checkpoint } = this.#unexplained;
    return { kind: 'altered', checkpoint, reason: 'It signs retention settings that no record of a change says.' };
  }
}
