import { access } from 'node:fs/promises';
import { type Client, type Receipt, ResponseError } from '@sluice/client';
import { receiptPathOf } from '@sluice/client/node';
import { visibleLine } from '@sluice/contract/visible-text';
import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { verifyDoor } from '../../door-pages/verify-door.ts';
import { CommandError, MismatchError, UsageError } from '../../errors.ts';
import { formatBytes, formatRows } from '../../output/quantity.ts';
import {
  compareFile,
  type FileHash,
  isFileOf,
  type ServerReceipt,
  type VerificationState,
} from '../../part-file/compare-file.ts';
import { hashWithProgress } from '../../part-file/hash-with-progress.ts';
import { type ReadReceipt, readReceiptFile } from '../../part-file/receipt-file.ts';

interface Verification {
  readonly file: string;
  readonly hash: FileHash;
  readonly saved: ReadReceipt;
  readonly server: ServerReceipt;
  readonly state: VerificationState;
}

/** The host returns the same error for a query that it does not know and for another account's; the saved receipt knows more. */
async function whyUnknown(client: Client, saved: ReadReceipt): Promise<ServerReceipt> {
  if (saved.user === undefined || saved.user === null) return 'unknown_query';
  const { user } = await client.stream.getMe();
  return user === saved.user ? 'unknown_query' : 'not_your_query';
}

async function readServerReceipt({ connect, signal }: CommandContext, saved: ReadReceipt): Promise<ServerReceipt> {
  const { client, tenant } = await connect();
  if (saved.tenant !== undefined && saved.tenant !== tenant) return 'not_your_query';
  try {
    return await client.stream.getQuery({ params: { id: saved.receipt.query_id }, signal });
  } catch (error) {
    if (error instanceof ResponseError && error.status === 404) return await whyUnknown(client, saved);
    throw error;
  }
}

const describe = ({ rows, bytes }: Receipt): string => `${formatRows(rows)}, ${formatBytes(bytes)}`;

function describeChange(hash: FileHash, { bytes }: Receipt): string {
  if (hash.bytes === bytes) return 'its SHA-256 is another one';
  return `it has ${hash.bytes} bytes, and the receipt ${bytes}`;
}

function receiptAdvice({ hash, server }: Verification): string {
  return typeof server === 'object' && isFileOf(hash, server)
    ? 'The file itself equals the server’s receipt.'
    : 'Download the file again.';
}

/** One sentence of what was found, with what to do. */
const SENTENCES: Readonly<Record<VerificationState, (found: Verification) => string>> = {
  matches: ({ file, saved: { receipt } }) =>
    `${file} is whole: ${describe(receipt)}, as its receipt and the server say (query ${receipt.query_id}).`,
  matches_kept: ({ file, saved: { receipt } }) =>
    `${file} is whole: ${describe(receipt)}, as its kept receipt says (query ${receipt.query_id}). The server was not asked.`,
  file_changed: ({ file, hash, saved: { receipt } }) =>
    `${file} was changed since its download: ${describeChange(hash, receipt)}. Download it again.`,
  receipt_changed: (found) =>
    `The kept receipt of ${found.file} was changed: it is not the one that the server has for query ${found.saved.receipt.query_id}. ${receiptAdvice(found)}`,
  unknown_query: ({ file, saved: { receipt } }) =>
    `${file} equals its kept receipt, but the server has no query ${receipt.query_id}, or not any more. Verify it with --offline, or download it again.`,
  not_your_query: ({ file, saved }) =>
    `${file} equals its kept receipt, but ${saved.user ?? 'another account'} of ${saved.tenant ?? 'another tenant'} downloaded it, and only that account can ask the server for its receipt. Log in as that account, or verify it with --offline.`,
};

const EXIT_BY_ERROR: Readonly<Record<VerificationState, typeof CommandError | undefined>> = {
  matches: undefined,
  matches_kept: undefined,
  file_changed: MismatchError,
  receipt_changed: MismatchError,
  unknown_query: CommandError,
  not_your_query: CommandError,
};

async function report({ terminal, globals }: CommandContext, found: Verification): Promise<void> {
  const { file, state, hash, saved, server } = found;
  // Others wrote the receipt, and may have chosen the name of the file.
  const sentence = visibleLine(SENTENCES[state](found));
  if (globals.isJson) {
    const document = {
      file,
      state,
      bytes: hash.bytes,
      sha256: hash.sha256,
      kept_receipt: saved.receipt,
      server_receipt: typeof server === 'object' ? server : null,
    };
    await terminal.stdout.write(`${JSON.stringify(document)}\n`);
  }
  const Failure = EXIT_BY_ERROR[state];
  if (Failure !== undefined) throw new Failure(sentence);
  if (!globals.isJson) await terminal.stdout.write(`${sentence}\n`);
}

/** Names the file instead of its receipt if neither is there, as after a mistyped name. */
async function withMissingFile(error: unknown, file: string): Promise<never> {
  const found = await access(file).catch((cause: NodeJS.ErrnoException) => cause);
  if (found?.code === 'ENOENT') throw new CommandError(`There is no file ${file}. Check the path.`, { cause: error });
  throw error;
}

const HELP = 'See `sluice verify --help`.';

interface VerifyOptions {
  readonly receipt: string | undefined;
  readonly offline: boolean;
}

async function verifyFile(context: CommandContext, file: string, { receipt, offline }: VerifyOptions): Promise<void> {
  const saved = await readReceiptFile(receipt ?? receiptPathOf(file)).catch((error: unknown) =>
    withMissingFile(error, file),
  );
  const hash = await hashWithProgress(context, file);
  const server = offline ? 'offline' : await readServerReceipt(context, saved);
  const state = compareFile(hash, saved.receipt, server);
  await report(context, { file, hash, saved, server, state });
}

const DOOR_RULES =
  'With --trino, it runs a statement through the Trino door (`POST /v1/statement`), as DBeaver or JDBC do, reads all pages, and compares number, length and SHA-256 of the rows that arrived with the receipt of the query. Exit code 3: they are not those of the receipt. --json prints one document: query_id, state (matches, rows_changed), rows, bytes, sha256, server_receipt.';

export const verify = defineCommand({
  name: 'verify',
  summary: 'Prove that a downloaded file is whole and unchanged',
  description: `Compares the SHA-256 of the file with the receipt that was kept beside it, and that with the receipt of the server. Of a difference, it says whether the file or the receipt was changed. Exit code 3: changed. Exit code 1: the file equals its kept receipt, but the server could not confirm it.\n\n--json prints one document: file, state (matches, matches_kept, file_changed, receipt_changed, unknown_query, not_your_query), bytes, sha256, kept_receipt, server_receipt.\n\n${DOOR_RULES}`,
  arguments: { file: { meaning: 'The downloaded file. Left out with --trino.', completes: 'file' } },
  options: {
    receipt: { kind: 'text', value: 'RECEIPT', meaning: 'Receipt to compare with. Default: FILE.receipt.json.' },
    offline: { kind: 'flag', meaning: 'Compare with the kept receipt only.' },
    trino: {
      kind: 'text',
      value: 'SQL',
      completes: 'sql',
      meaning: 'Run this statement through the Trino door, and compare its rows with its receipt.',
    },
  },
  examples: [
    { command: 'verify all-airports.csv', does: 'asks the server whether a file is still what was sent' },
    { command: 'verify all-airports.csv --offline', does: 'needs no login and no network' },
    {
      command: 'verify copy.csv --receipt all-airports.csv.receipt.json',
      does: 'verifies a copy of another name',
      notRun: 'it needs the copy',
    },
    { command: `verify --trino 'SELECT iata, name FROM airports'`, does: 'checks what Trino clients get from here' },
  ],
  routes: ['GET /query/{id}', 'GET /me'],
  files: ['`FILE.receipt.json`: the receipt that the download has kept'],
  exitCodes: [3],
  run: async (context, { arguments: { file }, options: { receipt, offline, trino } }) => {
    if (trino !== undefined) {
      if (file !== undefined || receipt !== undefined || offline)
        throw new UsageError(`--trino takes no FILE, --receipt and --offline: the host has the receipt. ${HELP}`);
      await verifyDoor(context, trino);
      return;
    }
    if (file === undefined) throw new UsageError(`Give the FILE to verify, or a statement with --trino. ${HELP}`);
    await verifyFile(context, file, { receipt, offline });
  },
});
