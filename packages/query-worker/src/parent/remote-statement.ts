import { setTimeout as delay } from 'node:timers/promises';
import { cancelRemoteStatement } from '@sluice/engine';
import { decodeJson, type Frame } from '../protocol/frames.ts';
import type { RemoteStatementAddress } from '../protocol/payloads.ts';
import type { QueryJob } from '../protocol/query-job.ts';

/** Time that a caller waits for the cancellation of a dead worker's statement. The cancellation continues after that. */
const WAIT_MS = 500;

/** The statement that a worker runs on a remote engine, which would run on after the worker is killed. */
export class RemoteStatement {
  #address: RemoteStatementAddress | undefined;

  /** Reads the address from a frame and returns whether the frame was one with an address. The last frame of a job resets it. */
  update(frame: Frame | undefined): boolean {
    if (frame?.kind === 'end' || frame?.kind === 'failed') this.#address = undefined;
    if (frame?.kind !== 'remote-statement') return false;
    this.#address = decodeJson(frame.payload) as RemoteStatementAddress;
    return true;
  }

  /** Cancels the statement of a worker that died before its last frame. Never rejects. */
  async cancel({ engine, statement }: QueryJob): Promise<void> {
    const address = this.#address;
    this.#address = undefined;
    if (address === undefined) return;
    const cancelled = cancelRemoteStatement({ engine, statement, url: address.url });
    await Promise.race([cancelled, delay(WAIT_MS, undefined, { ref: false })]);
  }
}
