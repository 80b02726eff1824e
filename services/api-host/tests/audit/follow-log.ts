import { get } from 'node:http';
import type { AuditReader } from './audit-readers.ts';

interface FollowRequest {
  readonly url: string;
  readonly reader: AuditReader;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Follows the log until the received text meets the condition, then disconnects. Returns the text. */
export const followLog = (
  { url, reader, query = '', headers = {} }: FollowRequest,
  isEnough: (text: string) => boolean,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = get(
      `${url}/audits/logs/stream${query}`,
      { headers: { ...reader.headers, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (!isEnough(text)) return;
          request.destroy();
          resolve(text);
        });
        response.on('end', () => resolve(text));
        response.on('error', () => resolve(text));
      },
    );
    request.on('error', reject);
  });
