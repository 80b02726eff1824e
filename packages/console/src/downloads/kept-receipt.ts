import type { Receipt } from '@sluice/client';

interface KeptReceiptInput {
  readonly fileName: string;
  readonly tenant: string;
  readonly streamUrl: string;
  /** Name of the account. */
  readonly user: string;
  readonly receipt: Receipt;
}

/** Returns the name under which `sluice verify` looks for the receipt of a file. */
export const receiptNameOf = (fileName: string): string => `${fileName}.receipt.json`;

/** Returns the receipt as `sluice verify` reads it. */
export function keptReceipt({ fileName, tenant, streamUrl, user, receipt }: KeptReceiptInput): Blob {
  const { query_id } = receipt;
  const content = { version: 1, file: fileName, query_id, tenant, stream_url: streamUrl, user, receipt };
  return new Blob([`${JSON.stringify(content, undefined, 2)}\n`], { type: 'application/json' });
}
