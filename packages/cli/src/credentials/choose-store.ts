import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { platform } from 'node:os';
import type { Environment } from '../environment.ts';
import { CommandError, UsageError } from '../errors.ts';
import { credentialFile } from './credential-file.ts';
import type { CredentialStore, StoreKind, StoreOwner } from './credential-store.ts';
import { parseCredentials } from './credentials.ts';

/** Time for a person to unlock the keyring, which asks for its password in a window of its own. */
const UNLOCK_TIMEOUT_MS = 60_000;

interface ToolRun {
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
interface KeyringTool {
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
const SECRET_TOOL: KeyringTool = {
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
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
const toAccount = ({ folder, profile }: StoreOwner): string => `${profile} (${folder})`;

/** The macOS Keychain by security(1), whose commands are read from stdin. Base64 needs no quotes there. */
const SECURITY: KeyringTool = {
  program: 'security',
  location: 'the keychain (security)',
  store: (owner, secret) => {
    const text = Buffer.from(secret).toString('base64');
    const command = `add-generic-password -U -s sluice -a ${quoted(toAccount(owner))} -w ${text}\n`;
    return runTool('security', ['-i'], command);
  },
  lookUp: async (owner) => {
    const run = await runTool('security', ['find-generic-password', '-s', 'sluice', '-a', toAccount(owner), '-w']);
    return { ...run, stdout: Buffer.from(run.stdout.trim(), 'base64').toString() };
  },
  clear: (owner) => runTool('security', ['delete-generic-password', '-s', 'sluice', '-a', toAccount(owner)]),
  isMissing: ({ exitCode }) => exitCode === ITEM_NOT_FOUND,
};

const toolOfSystem = (): KeyringTool => (platform() === 'darwin' ? SECURITY : SECRET_TOOL);

/** Returns the reason of a failed run, without a full stop. */
function explainFailure(program: string, { exitCode, stderr, isTimeout }: ToolRun): string {
  if (exitCode === undefined) return `${program} is not installed`;
  if (isTimeout) return `${program} did not end within ${UNLOCK_TIMEOUT_MS / 1000} s; unlock the keyring`;
  const [line = ''] = stderr.trim().split('\n');
  return line === '' ? `${program} failed with exit code ${exitCode}` : `${program} says "${line.replace(/\.$/, '')}"`;
}

const failed = (tool: KeyringTool, act: string, run: ToolRun): CommandError =>
  new CommandError(
    `The login cannot be ${act} ${tool.location}: ${explainFailure(tool.program, run)}. Start and unlock the keyring, or log in again with SLUICE_CREDENTIAL_STORE=file.`,
  );

/**
 * Returns why no login can be kept in the keyring; undefined if it works, which is tried with an entry that is removed again.
 */
async function keyringProblem(owner: StoreOwner): Promise<string | undefined> {
  const tool = toolOfSystem();
  if (!['linux', 'darwin', 'freebsd', 'openbsd'].includes(platform())) return 'this system has no supported keyring';
  const trial = { folder: owner.folder, profile: `${owner.profile} (trial)` };
  const secret = randomUUID();
  const stored = await tool.store(trial, secret);
  if (stored.exitCode !== 0) return explainFailure(tool.program, stored);
  const found = await tool.lookUp(trial);
  await tool.clear(trial);
  if (found.exitCode !== 0) return explainFailure(tool.program, found);
  return found.stdout === secret ? undefined : `${tool.program} returned a different secret than it was given`;
}

/** Creates a store of one entry in the keyring of the system. */
function keyring(owner: StoreOwner): CredentialStore {
  const tool = toolOfSystem();
  return {
    kind: 'keyring',
    location: tool.location,
    read: async () => {
      const run = await tool.lookUp(owner);
      if (tool.isMissing(run)) return undefined;
      if (run.exitCode !== 0) throw failed(tool, 'read from', run);
      const credentials = parseCredentials(run.stdout);
      if (credentials === undefined)
        throw new CommandError(`The entry of sluice in ${tool.location} is damaged. Log in again to replace it.`);
      return credentials;
    },
    write: async (credentials) => {
      const run = await tool.store(owner, JSON.stringify(credentials));
      if (run.exitCode !== 0) throw failed(tool, 'kept in', run);
    },
    remove: async () => {
      const run = await tool.clear(owner);
      if (run.exitCode !== 0 && !tool.isMissing(run)) throw failed(tool, 'removed from', run);
    },
  };
}

/** Returns the store in which the credentials of a profile were put at its login. */
export const openStore = (kind: StoreKind, owner: StoreOwner): CredentialStore =>
  kind === 'keyring' ? keyring(owner) : credentialFile(owner);

/** A store for a new login, and why it is not the keyring. */
export interface ChosenStore {
  readonly store: CredentialStore;
  readonly fallbackReason?: string;
}

/**
 * Chooses the store of a new login: the keyring where it works, else a file. SLUICE_CREDENTIAL_STORE demands one of them.
 * @throws UsageError if that variable has another value, CommandError if it demands a keyring that does not work
 */
export async function chooseStore(owner: StoreOwner, environment: Environment): Promise<ChosenStore> {
  const wanted = environment['SLUICE_CREDENTIAL_STORE'] ?? '';
  if (!['', 'keyring', 'file'].includes(wanted))
    throw new UsageError('SLUICE_CREDENTIAL_STORE must be keyring or file.');
  if (wanted === 'file') return { store: openStore('file', owner) };
  const fallbackReason = await keyringProblem(owner);
  if (fallbackReason === undefined) return { store: openStore('keyring', owner) };
  if (wanted === 'keyring') throw new CommandError(`The login cannot be kept in the keyring: ${fallbackReason}.`);
  return { store: openStore('file', owner), fallbackReason };
}
