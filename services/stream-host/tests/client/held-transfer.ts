import { type IncomingMessage, request } from 'node:http';
import { type Credential, queryIdOf } from './requests.ts';

export interface TakenTransfer {
  readonly bytes: Buffer;
  /** False when the connection was cut before the end of the body. */
  readonly isWhole: boolean;
}

/** A result whose client takes as much as a test says, and then holds the host back. */
export interface HeldTransfer {
  readonly queryId: string;
  /** So many bytes from the beginning, or a little more. Rejects when the body is over before. */
  takeTo(bytes: number): Promise<void>;
  takeRest(): Promise<TakenTransfer>;
  leave(): void;
}

export async function openHeldTransfer(url: string, sql: string, credential: Credential): Promise<HeldTransfer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...credential };
    const sent = request(url, { method: 'POST', headers, agent: false }, resolve);
    sent.on('error', reject);
    sent.end(JSON.stringify({ sql }));
  });
  if (response.statusCode !== 200) throw new Error(`the transfer answered ${response.statusCode}`);
  const chunks: Buffer[] = [];
  let taken = 0;
  const body: AsyncIterator<Buffer> = response[Symbol.asyncIterator]();
  /** Whether there was more. */
  const take = async (): Promise<boolean> => {
    const step = await body.next();
    if (step.done === true) return false;
    chunks.push(step.value);
    taken += step.value.byteLength;
    return true;
  };
  return {
    queryId: queryIdOf(response),
    async takeTo(bytes) {
      while (taken < bytes) if (!(await take())) throw new Error(`the body ended after ${taken} bytes`);
    },
    async takeRest() {
      try {
        while (await take());
      } catch {
        // The cut, which `complete` tells.
      }
      return { bytes: Buffer.concat(chunks), isWhole: response.complete };
    },
    leave: () => void response.destroy(),
  };
}
