import { PARAMETER_TYPES, type ParameterEntry } from '../parameters/parameter-entry.ts';
import { type Draft, type DraftStorage, DraftStorageError, type WriteResult } from './draft.ts';

const DATABASE = 'sluice-drafts';
const VERSION = 1;
const DRAFTS = 'drafts';
const TEXTS = 'texts';

type Stored = Draft & { readonly owner: string };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isEntry = (value: unknown): value is ParameterEntry =>
  isObject(value) &&
  PARAMETER_TYPES.some((type) => type === value['type']) &&
  typeof value['text'] === 'string' &&
  typeof value['isNull'] === 'boolean';

/** Returns the values that this version of the form can show. */
const entriesIn = (stored: unknown): Draft['parameters'] =>
  isObject(stored)
    ? Object.fromEntries(Object.entries(stored).filter((named): named is [string, ParameterEntry] => isEntry(named[1])))
    : {};

/** Returns the reference to a saved query, or undefined if it has none that this version understands. */
function referenceIn(stored: unknown): Draft['saved'] {
  if (!isObject(stored) || typeof stored['id'] !== 'string') return undefined;
  const { id, entityTag } = stored;
  return { id, entityTag: typeof entityTag === 'string' ? entityTag : undefined };
}

/** Returns the kept result of a tab, or undefined if it has none that this version understands. */
function resultIn(stored: unknown): Draft['result'] {
  if (!isObject(stored)) return undefined;
  const { queryId, keptUntil } = stored;
  return typeof queryId === 'string' && typeof keptUntil === 'number' ? { queryId, keptUntil } : undefined;
}

/**
 * Returns a stored draft as this version understands it: another version, or a damaged storage, may have left anything. Members that it
 * does not know stay as they are. Undefined: it is not a draft.
 */
function readDraft(stored: Stored): Stored | undefined {
  const { id, title, order, updatedMs, revision, name, closedMs, saved, result, parameters } = stored;
  const isDraft =
    typeof id === 'string' && typeof title === 'string' && [order, updatedMs, revision].every(Number.isFinite);
  if (!isDraft) return undefined;
  return {
    ...stored,
    name: typeof name === 'string' ? name : null,
    closedMs: typeof closedMs === 'number' ? closedMs : null,
    saved: referenceIn(saved),
    result: resultIn(result),
    parameters: entriesIn(parameters),
  };
}

/**
 * Opens the drafts of a user in IndexedDB, which holds many megabytes and is shared by all windows of the browser.
 * @param openFactory - returns the `indexedDB` of the window; may throw
 * @param owner - names tenant and user, so that users of one browser do not see each other's drafts
 */
export function openDraftDatabase(openFactory: () => IDBFactory, owner: string): DraftStorage {
  let opened: Promise<IDBDatabase> | undefined;
  const database = (): Promise<IDBDatabase> => {
    opened ??= openDatabase(openFactory, () => {
      opened = undefined;
    });
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  return {
    list: async () =>
      transact(await database(), 'readonly', async (transaction) => {
        // An array sorts behind every string, so this is every key of the owner.
        const keys = IDBKeyRange.bound([owner], [owner, []]);
        const stored: readonly Stored[] = await read(transaction.objectStore(DRAFTS).getAll(keys));
        return stored.flatMap((each) => readDraft(each) ?? []);
      }),
    readText: async (id) =>
      transact(await database(), 'readonly', async (transaction) => {
        const found = await read<{ readonly text: string } | undefined>(
          transaction.objectStore(TEXTS).get([owner, id]),
        );
        return found?.text;
      }),
    write: async (draft, text) =>
      transact(await database(), 'readwrite', (transaction) => writeDraft(transaction, { ...draft, owner }, text)),
    remove: async (ids) =>
      transact(await database(), 'readwrite', async (transaction) => {
        for (const id of ids) for (const store of [DRAFTS, TEXTS]) transaction.objectStore(store).delete([owner, id]);
      }),
  };
}

async function writeDraft(transaction: IDBTransaction, draft: Stored, text: string | undefined): Promise<WriteResult> {
  const [drafts, key] = [transaction.objectStore(DRAFTS), [draft.owner, draft.id]];
  const stored = await read<Stored | undefined>(drafts.get(key));
  if ((stored?.revision ?? 0) !== draft.revision) return { conflict: stored };
  const revision = draft.revision + 1;
  drafts.put({ ...draft, revision });
  if (text !== undefined) transaction.objectStore(TEXTS).put({ owner: draft.owner, id: draft.id, text });
  // Without it, the browser may abort the transaction of a page that is closed.
  transaction.commit();
  return { written: revision };
}

async function openDatabase(openFactory: () => IDBFactory, onClosed: () => void): Promise<IDBDatabase> {
  let factory: IDBFactory;
  try {
    factory = openFactory();
  } catch {
    throw toStorageError(null);
  }
  return await new Promise((resolve, reject) => {
    const request = factory.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      for (const store of [DRAFTS, TEXTS]) request.result.createObjectStore(store, { keyPath: ['owner', 'id'] });
    };
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = onClosed;
      // A newer page of the console may change the schema.
      database.onversionchange = () => {
        database.close();
        onClosed();
      };
      resolve(database);
    };
    request.onerror = () => reject(toStorageError(request.error));
    request.onblocked = () => reject(toStorageError(null));
  });
}

async function transact<Result>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (transaction: IDBTransaction) => Promise<Result>,
): Promise<Result> {
  const transaction = database.transaction([DRAFTS, TEXTS], mode, { durability: 'strict' });
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(toStorageError(transaction.error));
  });
  const [result] = await Promise.all([work(transaction), done]);
  return result;
}

const read = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(toStorageError(request.error));
  });

const toStorageError = (error: DOMException | null): DraftStorageError =>
  new DraftStorageError(error?.name === 'QuotaExceededError' ? 'full' : 'unavailable', error);
