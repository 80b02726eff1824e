import { type MasterKeys, rewrap } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import {
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  type EncryptedValue,
  type EncryptedValueStore,
} from '@sluice/store/administration';
import { clientSecretContext } from '../../resources/administration/identity-provider-content.ts';
import { identityContext } from '../identity/open-session.ts';

type Row = EncryptedValue['row'];

/** Contexts under which the hosts encrypt the values of each column. */
const CONTEXTS: Readonly<Record<EncryptedColumn['column'], (row: Row) => string>> = {
  private_key_encrypted: ({ kid = '' }) => kid,
  client_secret_sealed: ({ tenant_id: tenantId = '', issuer = '', client_id: clientId = '' }) =>
    clientSecretContext({ tenantId, issuer, clientId }),
  identity_sealed: ({ sid = '' }) => identityContext(sid),
};

/** Progress of one column. */
export interface RewrapProgress {
  readonly name: string;
  /** Values that this run encrypted under the current key. */
  readonly rewrapped: number;
  /** Values that the last pass found under the current key. */
  readonly kept: number;
  /** Values that neither key decrypts. */
  readonly unreadable: number;
}

interface RewrapOptions {
  readonly values: EncryptedValueStore;
  readonly keys: MasterKeys;
  /** Called after each page, when its values are stored. */
  readonly onPage: (progress: RewrapProgress) => void;
}

const tryRewrap = (keys: MasterKeys, sealed: Uint8Array, context: string): Uint8Array | undefined | 'unreadable' => {
  try {
    return rewrap(keys, sealed, context);
  } catch {
    return 'unreadable';
  }
};

/** Reads all values of a column once. Returns the progress, and whether no value was left under the previous key. */
async function passColumn(
  column: EncryptedColumn,
  before: RewrapProgress,
  { values, keys, onPage }: RewrapOptions,
): Promise<{ readonly progress: RewrapProgress; readonly isDone: boolean }> {
  let progress = { ...before, kept: 0, unreadable: 0 };
  let isDone = true;
  for (
    let page = await values.read(column, undefined);
    page.length > 0;
    page = await values.read(column, page.at(-1))
  ) {
    const results = page.map((value) => ({
      value,
      sealed: tryRewrap(keys, value.sealed, CONTEXTS[column.column](value.row)),
    }));
    const changes = results.flatMap(({ value, sealed }) => (sealed instanceof Uint8Array ? [{ value, sealed }] : []));
    const unreadable = results.filter(({ sealed }) => sealed === 'unreadable').length;
    const replaced = await values.replace(column, changes);
    if (changes.length > 0) isDone = false;
    progress = {
      name: progress.name,
      rewrapped: progress.rewrapped + replaced,
      kept: progress.kept + page.length - changes.length - unreadable,
      unreadable: progress.unreadable + unreadable,
    };
    if (replaced > 0) onPage(progress);
  }
  return { progress, isDone };
}

const PASSES_MAX = 10;

/** Reads a column until a pass finds every value under the current key: hosts write meanwhile. */
async function rewrapColumn(column: EncryptedColumn, options: RewrapOptions): Promise<RewrapProgress> {
  let progress: RewrapProgress = { name: `${column.table}.${column.column}`, rewrapped: 0, kept: 0, unreadable: 0 };
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const passed = await passColumn(column, progress, options);
    progress = passed.progress;
    if (passed.isDone) return progress;
  }
  throw new ProblemError(
    'conflict',
    `${progress.name} still gets values under the previous key. Give every API host the new key as SLUICE_MASTER_KEY, and run this again.`,
  );
}

/**
 * Encrypts every stored value under the current master key, and reads each once more. A run that was killed is continued by the next one,
 * because values that are already under that key are kept. Returns the result of each column. Throws `conflict` if hosts still write under
 * the previous key.
 */
export async function rewrapValues(options: RewrapOptions): Promise<RewrapProgress[]> {
  const results: RewrapProgress[] = [];
  for (const column of ENCRYPTED_COLUMNS) results.push(await rewrapColumn(column, options));
  return results;
}
