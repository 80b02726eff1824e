import { type IncomingMessage, request } from 'node:http';
import { type Credential, queryIdOf } from './requests.ts';

interface ReadTransfer {
  readonly bytes: Buffer;
  /** False when the connection was cut before the end of the body. */
  readonly isWhole: boolean;
}

/** A download whose client reads as much as the test requests and otherwise applies back-pressure. */
export interface HeldTransfer {
  readonly queryId: string;
  /** Reads until at least this many bytes of the body have arrived. Rejects when the body ends before. */
  readTo(bytes: number): Promise<void>;
  readRest(): Promise<ReadTransfer>;
  disconnect(): void;
}

export async function openHeldTransfer(url: string, sql: string, credential: Credential): Promise<HeldTransfer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...credential };
    const sent = request(url, { method: 'POST', headers, agent: false }, resolve);
    sent.on('error', reject);
    sent.end(JSON.stringify({ sql }));
  });
  if (response.statusCode !== 200) throw new Error(`the download returned ${response.statusCode}`);
  const chunks: Buffer[] = [];
  let bytesRead = 0;
  const body: AsyncIterator<Buffer> = response[Symbol.asyncIterator]();
  /** Reads a chunk. Returns false at the end of the body. */
  const read = async (): Promise<boolean> => {
    const step = await body.next();
    if (step.done === true) return false;
    chunks.push(step.value);
    bytesRead += step.value.byteLength;
    return true;
  };
  return {
    queryId: queryIdOf(response),
    async readTo(bytes) {
      while (bytesRead < bytes) if (!(await read())) throw new Error(`the body ended after ${bytesRead} bytes`);
    },
    async readRest() {
      try {
        while (await read());
      } catch {
        // The connection was cut, which `complete` reports.
      }
      return { bytes: Buffer.concat(chunks), isWhole: response.complete };
    },
    disconnect: () => void response.destroy(),
  };
}
