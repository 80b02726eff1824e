import type { S3Client } from '@aws-sdk/client-s3';
import type { ResultIdentity } from '../form/index.ts';
import {
  isUuid,
  nameOf,
  type OpenResult,
  ResultMissingError,
  type ResultStore,
  ResultStoreError,
  type ResultUpload,
  type StoredObject,
} from './result-store.ts';

type S3Module = typeof import('@aws-sdk/client-s3');

interface S3StoreOptions {
  readonly bucket: string;
  /** Prefix of the names of all objects, without a slash at its end. Default: none. */
  readonly prefix?: string | undefined;
  /** Default: the region of the environment. */
  readonly region?: string | undefined;
  /** Address of an S3-compatible server other than AWS. Its buckets are addressed by path. */
  readonly endpoint?: string | undefined;
  /** Default: the credential chain of the AWS SDK. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

/** Least size of a part but the last (Amazon S3 API Reference, UploadPart). */
const PART_BYTES = 5 * 1024 * 1024;
/** An upload has at most 10,000 parts, so they grow: 1,000 of each size. */
const PARTS_OF_A_SIZE = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
const ATTEMPTS_MAX = 3;

/** Opens a bucket. The SDK is loaded only here, because most deployments do not use it. */
export async function openS3Store(options: S3StoreOptions): Promise<ResultStore> {
  const sdk = await import('@aws-sdk/client-s3');
  const { endpoint, region, credentials } = options;
  const client = new sdk.S3Client({
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts: ATTEMPTS_MAX,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    // Servers other than AWS may not know the newer checksums. Every chunk is authenticated anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return new S3ResultStore(sdk, client, options);
}

/** The bucket and its client, which the parts of the store share. */
interface Bucket {
  readonly sdk: S3Module;
  readonly client: S3Client;
  readonly bucket: string;
}

class S3ResultStore implements ResultStore {
  readonly #bucket: Bucket;
  readonly #prefix: string;

  constructor(sdk: S3Module, client: S3Client, { bucket, prefix }: S3StoreOptions) {
    this.#bucket = { sdk, client, bucket };
    this.#prefix = prefix === undefined || prefix === '' ? '' : `${prefix}/`;
  }

  async create(identity: ResultIdentity): Promise<ResultUpload> {
    return new S3Upload(this.#bucket, this.#keyOf(identity));
  }

  async open(identity: ResultIdentity, length: number): Promise<OpenResult> {
    const key = this.#keyOf(identity);
    return {
      length,
      read: (start, end) => this.#read(key, start, end),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }

  async #read(key: string, start: number, end: number): Promise<Uint8Array> {
    if (start >= end) return new Uint8Array(0);
    const { sdk, client, bucket } = this.#bucket;
    return asStoreError('read a result', async () => {
      const range = `bytes=${start}-${end - 1}`;
      const { Body: body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key, Range: range }));
      return (await body?.transformToByteArray()) ?? new Uint8Array(0);
    });
  }

  async remove(identity: ResultIdentity): Promise<void> {
    const key = this.#keyOf(identity);
    await this.#removeObject(key);
    for await (const upload of this.#uploads(key)) if (upload.key === key) await this.#abort(upload);
  }

  async removeTenant(tenantId: string): Promise<void> {
    if (!isUuid(tenantId)) throw new Error('A tenant is named by its UUID.');
    const prefix = `${this.#prefix}${tenantId}/`;
    for await (const { key } of this.#objects(prefix)) await this.#removeObject(key);
    for await (const upload of this.#uploads(prefix)) await this.#abort(upload);
  }

  async *list(): AsyncGenerator<StoredObject> {
    for await (const { key, bytes, changed } of this.#objects(this.#prefix)) {
      const identity = this.#identityOf(key);
      if (identity !== undefined) yield { identity, bytes, isComplete: true, changed };
    }
    for await (const { key, begun } of this.#uploads(this.#prefix)) {
      const identity = this.#identityOf(key);
      if (identity !== undefined) yield { identity, bytes: 0, isComplete: false, changed: begun };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#bucket.client.destroy();
  }

  #keyOf(identity: ResultIdentity): string {
    return `${this.#prefix}${nameOf(identity)}`;
  }

  #identityOf(key: string): ResultIdentity | undefined {
    const [tenantId = '', queryId = '', ...rest] = key.slice(this.#prefix.length).split('/');
    return isUuid(tenantId) && isUuid(queryId) && rest.length === 0 ? { tenantId, queryId } : undefined;
  }

  async #removeObject(key: string): Promise<void> {
    const { sdk, client, bucket } = this.#bucket;
    await asStoreError('remove a result', () => client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key })));
  }

  async #abort({ key, uploadId }: Pick<Upload, 'key' | 'uploadId'>): Promise<void> {
    await abortUpload(this.#bucket, key, uploadId);
  }

  async *#objects(prefix: string): AsyncGenerator<{ key: string; bytes: number; changed: Date }> {
    const { sdk, client, bucket } = this.#bucket;
    let token: string | undefined;
    do {
      const page = await asStoreError('list results', () =>
        client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token })),
      );
      for (const { Key: key, Size: bytes, LastModified: changed } of page.Contents ?? [])
        if (key !== undefined) yield { key, bytes: bytes ?? 0, changed: changed ?? new Date() };
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async *#uploads(prefix: string): AsyncGenerator<Upload> {
    const { sdk, client, bucket } = this.#bucket;
    let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
    while (marker !== undefined) {
      const request: object = { Bucket: bucket, Prefix: prefix, ...marker };
      const page = await asStoreError('list results', () =>
        client.send(new sdk.ListMultipartUploadsCommand(request as { Bucket: string })),
      );
      for (const { Key: key, UploadId: uploadId, Initiated: begun } of page.Uploads ?? [])
        if (key !== undefined && uploadId !== undefined) yield { key, uploadId, begun: begun ?? new Date() };
      marker =
        page.IsTruncated === true
          ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
          : undefined;
    }
  }
}

/** An upload in parts that is not complete. */
interface Upload {
  readonly key: string;
  readonly uploadId: string;
  readonly begun: Date;
}

/** Sends a part while the next one is filled. A result that is smaller than a part is one object from the start. */
class S3Upload implements ResultUpload {
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #parts: { readonly PartNumber: number; readonly ETag: string | undefined }[] = [];
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #sending: Promise<void> = Promise.resolve();
  #uploadId: string | undefined;

  constructor(bucket: Bucket, key: string) {
    this.#bucket = bucket;
    this.#key = key;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(Uint8Array.from(bytes));
    this.#waitingBytes += bytes.byteLength;
    if (this.#waitingBytes < this.#partBytes) return;
    await this.#sending;
    this.#uploadId ??= await this.#begin();
    this.#sending = this.#sendPart(this.#uploadId);
    this.#sending.catch(() => undefined); // thrown by the next call
  }

  get #partBytes(): number {
    return PART_BYTES * 2 ** Math.floor(this.#parts.length / PARTS_OF_A_SIZE);
  }

  async commit(): Promise<void> {
    await this.#sending;
    const { sdk, client, bucket } = this.#bucket;
    const uploadId = this.#uploadId;
    if (uploadId === undefined) {
      const body = this.#takeWaiting();
      await asStoreError('write a result', () =>
        client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key: this.#key, Body: body })),
      );
      return;
    }
    if (this.#waitingBytes > 0) await this.#sendPart(uploadId);
    await asStoreError('write a result', () =>
      client.send(
        new sdk.CompleteMultipartUploadCommand({
          Bucket: bucket,
          Key: this.#key,
          UploadId: uploadId,
          MultipartUpload: { Parts: this.#parts },
        }),
      ),
    );
  }

  async abort(): Promise<void> {
    await this.#sending.catch(() => undefined);
    if (this.#uploadId !== undefined) await abortUpload(this.#bucket, this.#key, this.#uploadId);
  }

  async #begin(): Promise<string> {
    const { sdk, client, bucket } = this.#bucket;
    const { UploadId: uploadId } = await asStoreError('write a result', () =>
      client.send(new sdk.CreateMultipartUploadCommand({ Bucket: bucket, Key: this.#key })),
    );
    if (uploadId === undefined) throw new ResultStoreError('The result store did not begin an upload.');
    return uploadId;
  }

  async #sendPart(uploadId: string): Promise<void> {
    const { sdk, client, bucket } = this.#bucket;
    const body = this.#takeWaiting();
    const number = this.#parts.length + 1;
    const { ETag: etag } = await asStoreError('write a result', () =>
      client.send(
        new sdk.UploadPartCommand({
          Bucket: bucket,
          Key: this.#key,
          UploadId: uploadId,
          PartNumber: number,
          Body: body,
        }),
      ),
    );
    this.#parts.push({ PartNumber: number, ETag: etag });
  }

  #takeWaiting(): Buffer {
    const body = Buffer.concat(this.#waiting, this.#waitingBytes);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return body;
  }
}

async function abortUpload({ sdk, client, bucket }: Bucket, key: string, uploadId: string): Promise<void> {
  await asStoreError('remove a result', async () => {
    try {
      await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId }));
    } catch (thrown) {
      if (nameOfError(thrown) !== 'NoSuchUpload') throw thrown; // another host has removed it
    }
  });
}

const nameOfError = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : String(thrown));

/** `InvalidRange`: the object is shorter than the range begins, so it is not the one that was written. */
const MISSING: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound', 'InvalidRange']);

async function asStoreError<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ResultStoreError) throw cause;
    const name = nameOfError(cause);
    if (MISSING.has(name)) throw new ResultMissingError('The store does not hold the result.', { cause });
    throw new ResultStoreError(`The result store could not ${what} (${name}).`, { cause });
  }
}
