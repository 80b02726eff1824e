import { randomUUID } from 'node:crypto';
import { platform } from 'node:os';
import type { Environment } from '../environment.ts';
import { CommandError, UsageError } from '../errors.ts';
import { credentialFile } from './credential-file.ts';
import type { CredentialStore, StoreKind, StoreOwner } from './credential-store.ts';
import { parseCredentials } from './credentials.ts';
import { type KeyringTool, SECRET_TOOL, SECURITY, type ToolRun, UNLOCK_TIMEOUT_MS } from './keyring-tool.ts';

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
