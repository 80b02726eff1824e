import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { type Client, type Receipt, type ReceiptFile, writeReceiptFile } from '@sluice/client';
import { CommandError } from '../errors.ts';

interface DownloadSource {
  readonly client: Client;
  readonly tenant: string;
  readonly streamUrl: string;
}

/** Returns the text of the file with a receipt. */
export async function receiptFileText(
  path: string,
  receipt: Receipt,
  { client, tenant, streamUrl }: DownloadSource,
): Promise<string> {
  const me = await client.stream.getMe().catch(() => undefined);
  const user = me?.user ?? null;
  return writeReceiptFile({ file: basename(path), tenant, stream_url: streamUrl, user, receipt });
}

const RECEIPT_BYTES_MAX = 1024 * 1024;

/** Reads a receipt, which has a few hundred bytes. Returns an empty string for a file that is too large to be one. */
async function readStart(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: RECEIPT_BYTES_MAX })) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return bytes.length > RECEIPT_BYTES_MAX ? '' : bytes.toString();
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isReceipt = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['query_id'] === 'string' &&
  typeof value['rows'] === 'number' &&
  typeof value['bytes'] === 'number' &&
  typeof value['sha256'] === 'string';

/** Returns whether what a receipt file says about its download are texts, or missing. */
const hasTexts = (value: Readonly<Record<string, unknown>>): boolean =>
  ['file', 'query_id', 'tenant', 'stream_url', 'user'].every((name) => typeof (value[name] ?? '') === 'string');

function parseReceipt(text: string): ReceiptFile | Receipt | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (isReceipt(value)) return value as Receipt;
    return isObject(value) && isReceipt(value['receipt']) && hasTexts(value)
      ? (value as unknown as ReceiptFile)
      : undefined;
  } catch {
    return undefined;
  }
}

const isReceiptFile = (parsed: ReceiptFile | Receipt): parsed is ReceiptFile => 'receipt' in parsed;

/** A receipt from a file. What the file does not say is undefined: the server's receipt alone names no tenant. */
export type ReadReceipt = Pick<ReceiptFile, 'receipt'> & Partial<Omit<ReceiptFile, 'receipt'>>;

/**
 * Reads a receipt file, or a receipt as `GET /query/{id}` returns it.
 * @throws CommandError if there is none, or the file is not a receipt
 */
export async function readReceiptFile(path: string): Promise<ReadReceipt> {
  const text = await readStart(path).catch((cause: NodeJS.ErrnoException) => {
    const isMissing = cause.code === 'ENOENT';
    const advice = 'Name the receipt with --receipt FILE, or download the file again with `sluice download`.';
    const what = isMissing ? `There is no receipt ${path}.` : `${path} could not be read: ${cause.message}.`;
    throw new CommandError(`${what} ${advice}`, { cause });
  });
  const parsed = parseReceipt(text);
  if (parsed === undefined)
    throw new CommandError(`${path} is not a receipt of a finished download. Name another with --receipt FILE.`);
  return isReceiptFile(parsed) ? parsed : { receipt: parsed };
}
