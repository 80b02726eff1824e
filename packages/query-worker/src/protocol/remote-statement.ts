import { setTimeout as delay } from 'node:timers/promises';
import { cancelAbandoned } from '@sluice/engine';
import { decodeJson, type Frame } from './frames.ts';
import type { QueryJob } from './query-job.ts';

/** A caller waits so long for the cancel of what a dead worker left behind; the cancel goes on without it. */
const WAIT_MS = 500;

/** Where a statement runs that runs elsewhere, so that it can be cancelled there. */
export interface RemoteStatementAddress {
  readonly url: string;
}

/** What a worker's statement is on an engine elsewhere, which would go on with it when the worker is killed. */
export class RemoteStatement {
  #place: RemoteStatementAddress | undefined;

  /** Takes note of what a frame says of it, and answers whether it says nothing else. Behind the last word of a job it is nowhere. */
  note(frame: Frame | undefined): boolean {
    if (frame?.kind === 'end' || frame?.kind === 'failed') this.#place = undefined;
    if (frame?.kind !== 'place') return false;
    this.#place = decodeJson(frame.payload) as RemoteStatementAddress;
    return true;
  }

  /** In the place of a worker that died before its last word. Never rejects. */
  async cancel({ engine, statement }: QueryJob): Promise<void> {
    const place = this.#place;
    this.#place = undefined;
    if (place === undefined || engine.kind !== 'trino') return;
    const cancelled = cancelAbandoned({ profile: engine.profile, statement, url: place.url });
    await Promise.race([cancelled, delay(WAIT_MS, undefined, { ref: false })]);
  }
}
