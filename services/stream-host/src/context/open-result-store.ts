import { SettingsError } from '@sluice/config';
import { FolderResultStore, openS3Store, type ResultStore } from '@sluice/result-store';
import type { StreamHostSettings } from '../config.ts';

const KEY_BYTES = 32;
const KEY = /^[A-Za-z0-9+/]{43}=?$/;

/** The store of kept results and the key that their keys are wrapped with. */
export interface OpenedResultStore {
  readonly store: ResultStore;
  readonly storeKey: Buffer;
}

/** Opens the store of the settings; undefined without one. Throws SettingsError for settings that do not fit together. */
export async function openResultStore(settings: StreamHostSettings): Promise<OpenedResultStore | undefined> {
  const { resultFolder, resultBucket } = settings;
  if (resultFolder === undefined && resultBucket === undefined) return undefined;
  if (resultFolder !== undefined && resultBucket !== undefined)
    throw new SettingsError(['RESULT_FOLDER and RESULT_BUCKET are two stores for kept results: set only one of them']);
  const storeKey = storeKeyOf(settings.resultKey?.reveal());
  if (resultBucket === undefined) return { store: new FolderResultStore(resultFolder ?? ''), storeKey };
  const store = await openS3Store({
    bucket: resultBucket,
    prefix: settings.resultBucketPrefix,
    region: settings.resultBucketRegion,
    endpoint: settings.resultBucketUrl,
  });
  return { store, storeKey };
}

function storeKeyOf(text: string | undefined): Buffer {
  if (text === undefined)
    throw new SettingsError([
      'RESULT_KEY is missing: kept results need a key. Create one with `openssl rand -base64 32`',
    ]);
  const key = Buffer.from(text, 'base64');
  if (!KEY.test(text) || key.byteLength !== KEY_BYTES)
    throw new SettingsError(['RESULT_KEY must be 32 bytes in base64. Create one with `openssl rand -base64 32`']);
  return key;
}
