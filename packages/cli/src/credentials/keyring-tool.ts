import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { StoreOwner } from './credential-store.ts';

/** Time for a person to unlock the keyring, which asks for its password in a window of its own. */
export const UNLOCK_TIMEOUT_MS = 60_000;

export interface ToolRun {
  /** Undefined if the program could not be started. */
  readonly exitCode: number | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly isTimeout: boolean;
}

/** Runs a program with this input on stdin. */
function runTool(name: string, words: readonly string[], stdin = ''): Promise<ToolRun> {
  return new Promise((resolve) => {
    const child = spawn(name, words, { stdio: 'pipe' });
    const texts = { stdout: '', stderr: '' };
    let isTimeout = false;
    // Not the option `timeout` of spawn, whose timer goes on after a program that could not be started.
    const timer = setTimeout(() => {
      isTimeout = true;
      child.kill('SIGKILL');
    }, UNLOCK_TIMEOUT_MS);
    const end = (exitCode: number | null | undefined): void => {
      clearTimeout(timer);
      resolve({ exitCode, ...texts, isTimeout });
    };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        texts[stream] += text;
      });
    // A program that ends before it has read everything says why with its exit code.
    child.stdin.on('error', () => undefined).end(stdin);
    child.once('error', () => end(undefined));
    child.once('close', end);
  });
}

/** A program that reads and writes the keyring of the system. Secrets go through pipes, never through arguments, which others can see. */
export interface KeyringTool {
  readonly program: string;
  readonly location: string;
  readonly store: (owner: StoreOwner, secret: string) => Promise<ToolRun>;
  readonly lookUp: (owner: StoreOwner) => Promise<ToolRun>;
  readonly clear: (owner: StoreOwner) => Promise<ToolRun>;
  /** Whether a failed look-up or removal means that there is no such entry. */
  readonly isMissing: (run: ToolRun) => boolean;
}

/** The folder is a part of the name, because two folders of configuration may have profiles of the same name. */
const toAttributes = ({ folder, profile }: StoreOwner): readonly string[] => [
  ...['service', 'sluice'],
  ...['profile', profile],
  ...['folder', folder],
];

/** The Secret Service of freedesktop.org, such as GNOME Keyring and KWallet, by secret-tool(1). */
export const SECRET_TOOL: KeyringTool = {
  program: 'secret-tool',
  location: 'the keyring (secret-tool)',
  store: (owner, secret) =>
    runTool('secret-tool', ['store', `--label=Sluice: ${owner.profile}`, ...toAttributes(owner)], secret),
  lookUp: (owner) => runTool('secret-tool', ['lookup', ...toAttributes(owner)]),
  clear: (owner) => runTool('secret-tool', ['clear', ...toAttributes(owner)]),
  isMissing: ({ exitCode, stderr }) => exitCode === 1 && stderr === '',
};

/** Exit code of security(1) for errSecItemNotFound. */
const ITEM_NOT_FOUND = 44;
/** security(1) reads lines of 4,096 bytes: it cuts a longer one, and runs the rest as another command. */
const LINE_BYTES_MAX = 4000;
/** Smaller pieces would make dozens of entries of one login. */
const PIECE_BYTES_MIN = 1000;
/** Entry whose secret is in other entries: their common id, and how many there are. Base64 has no colon. */
const PIECES = /^pieces:(?<id>[0-9a-f]+):(?<count>\d+)$/;
/** Another process may replace the pieces while they are read. */
const READS_MAX = 3;

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
const toAccount = ({ folder, profile }: StoreOwner): string => `${profile} (${folder})`;

const addCommand = (account: string, text: string): string =>
  `add-generic-password -U -s sluice -a ${quoted(account)} -w ${text}\n`;
const addEntry = (account: string, text: string): Promise<ToolRun> =>
  runTool('security', ['-i'], addCommand(account, text));
const findEntry = (account: string): Promise<ToolRun> =>
  runTool('security', ['find-generic-password', '-s', 'sluice', '-a', account, '-w']);
const removeEntry = (account: string): Promise<ToolRun> =>
  runTool('security', ['delete-generic-password', '-s', 'sluice', '-a', account]);

const pieceAccount = (account: string, id: string, index: number): string => `${account} ${id} ${index}`;

/** Returns the accounts of the entries that have the secret of a found entry; empty if it has its secret itself. */
function piecesOf(account: string, { stdout }: ToolRun): readonly string[] {
  const { id, count } = PIECES.exec(stdout.trim())?.groups ?? {};
  return id === undefined ? [] : Array.from({ length: Number(count) }, (_, index) => pieceAccount(account, id, index));
}

/** Adds entries one after the other, and returns the last run or the first that failed. */
async function addEntries(entries: readonly (readonly [account: string, text: string])[]): Promise<ToolRun> {
  let run: ToolRun = { exitCode: 0, stdout: '', stderr: '', isTimeout: false };
  for (const [account, text] of entries) {
    run = await addEntry(account, text);
    if (run.exitCode !== 0) return run;
  }
  return run;
}

/**
 * The macOS Keychain by security(1), whose commands are read from stdin. Base64 needs no quotes there. A secret that is too long for a line
 * is split: its pieces are stored first, the entry that names them replaces the old one, and then the old pieces are removed.
 */
export const SECURITY: KeyringTool = {
  program: 'security',
  location: 'the keychain (security)',
  store: async (owner, secret) => {
    const account = toAccount(owner);
    const text = Buffer.from(secret).toString('base64');
    const id = randomUUID().slice(0, 8);
    const size = LINE_BYTES_MAX - Buffer.byteLength(addCommand(pieceAccount(account, id, 0), '')) - 2;
    if (size < PIECE_BYTES_MIN) {
      const stderr = 'the name of the folder of the configuration is too long for a line of 4,000 bytes';
      return { exitCode: 1, stdout: '', stderr, isTimeout: false };
    }
    const before = piecesOf(account, await findEntry(account));
    const count = Math.ceil(text.length / size);
    const pieces = Array.from({ length: count }, (_, index) => text.slice(index * size, (index + 1) * size));
    const run = await addEntries(
      count === 1
        ? [[account, text]]
        : [
            ...pieces.map((piece, index) => [pieceAccount(account, id, index), piece] as const),
            [account, `pieces:${id}:${count}`],
          ],
    );
    if (run.exitCode === 0) for (const piece of before) await removeEntry(piece);
    return run;
  },
  lookUp: async (owner) => {
    const account = toAccount(owner);
    for (let reads = 1; ; reads += 1) {
      const run = await findEntry(account);
      const found: ToolRun[] = [];
      for (const piece of piecesOf(account, run)) found.push(await findEntry(piece));
      const failed = found.find(({ exitCode }) => exitCode !== 0);
      if (failed === undefined) {
        const text = (found.length === 0 ? [run] : found).map(({ stdout }) => stdout.trim()).join('');
        return { ...run, stdout: Buffer.from(text, 'base64').toString() };
      }
      // The entry is there, so a missing piece is not a missing login.
      if (reads === READS_MAX) return { ...failed, exitCode: 1 };
    }
  },
  clear: async (owner) => {
    const account = toAccount(owner);
    const pieces = piecesOf(account, await findEntry(account));
    const run = await removeEntry(account);
    for (const piece of pieces) await removeEntry(piece);
    return run;
  },
  isMissing: ({ exitCode }) => exitCode === ITEM_NOT_FOUND,
};
