import { type Draft, type DraftStorage, DraftStorageError, type WriteResult } from './draft.ts';

const DATABASE = 'sluice-drafts';
const VERSION = 1;
const DRAFTS = 'drafts';
const TEXTS = 'texts';

type Stored = Draft & { readonly owner: string };

/** Whether a stored object has the members of a draft. One without them, of another version or a damaged storage, is left alone. */
const isDraft = ({ id, title, parameters, order, updatedMs, revision }: Stored): boolean =>
  typeof id === 'string' &&
  typeof title === 'string' &&
  typeof parameters === 'object' &&
  [order, updatedMs, revision].every(Number.isFinite);

/**
 * Opens the drafts of a user in IndexedDB, which holds many megabytes and is shared by all windows of the browser.
 * @param owner - names tenant and user, so that users of one browser do not see each other's drafts
 */
export function openDraftDatabase(factory: IDBFactory, owner: string): DraftStorage {
  let opened: Promise<IDBDatabase> | undefined;
  const database = (): Promise<IDBDatabase> => {
    opened ??= openDatabase(factory, () => {
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
        return stored.filter(isDraft);
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

function openDatabase(factory: IDBFactory, onClosed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
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
