import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body.
  readonly body: any;
  /** False when the connection was cut before the end of the body. */
  readonly isWhole: boolean;
}

interface RequestToSend {
  readonly method?: string;
  /** An array that alternates names and values can send a header twice. */
  readonly headers?: Record<string, string> | string[];
  readonly body?: string | Buffer;
  /** The address that the server sees: any of 127.0.0.0/8 is this machine. */
  readonly localAddress?: string;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Sends a request with node:http, which allows a test to set Host and to send headers twice. */
export const send = (
  url: string,
  { method = 'GET', headers = {}, body, localAddress }: RequestToSend = {},
): Promise<ReceivedResponse> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(
      url,
      { method, headers, agent: false, ...(localAddress === undefined ? {} : { localAddress }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => undefined);
        response.on('close', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          const { statusCode = 0, headers: received, complete } = response;
          resolve({ status: statusCode, headers: received, bytes, text, body: parsed(text), isWhole: complete });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
