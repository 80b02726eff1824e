import type { Receipt } from '../contract-types.ts';

/** Content of the file beside a download: the receipt as the host sent it, and what is needed to ask the host again. */
export interface ReceiptFile {
  readonly version: 1;
  /** Name of the downloaded file, without its folder. */
  readonly file: string;
  readonly query_id: string;
  readonly tenant: string;
  readonly stream_url: string;
  /** E-mail or client id of the account that downloaded; null if it could not be asked for. */
  readonly user: string | null;
  readonly receipt: Receipt;
}

/** Returns the path of the receipt beside a downloaded file, where `sluice verify` looks for it. */
export const receiptPathOf = (path: string): string => `${path}.receipt.json`;

/** Writes the receipt of a downloaded file, as `sluice verify` reads it. */
export function writeReceiptFile({ receipt, ...source }: Omit<ReceiptFile, 'version' | 'query_id'>): string {
  const { file, tenant, stream_url, user } = source;
  const content: ReceiptFile = { version: 1, file, query_id: receipt.query_id, tenant, stream_url, user, receipt };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
