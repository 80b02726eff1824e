import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { openS3Store, ResultStoreError } from '../src/index.ts';
import { IDENTITY } from './memory-result.ts';
import { describeResultStore } from './result-store-contract.ts';

// biome-ignore lint/style/noProcessEnv: a test run gets the address of its server from the environment, as a service does
const endpoint = process.env['SLUICE_TEST_S3'] ?? 'http://127.0.0.1:29011';
/** Credentials of the test servers (deploy/components/s3.mjs, minio.mjs). */
const credentials = { accessKeyId: 'sluice-tests', secretAccessKey: 'sluice-tests' };
const region = 'us-east-1';

describeResultStore('in an S3-compatible bucket', async () => {
  const bucket = `results-${randomUUID()}`;
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const store = await openS3Store({ endpoint, region, credentials, bucket, prefix: 'kept' });
  return {
    store,
    async rawBytes() {
      const { Contents: objects = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
      const bodies = objects.map(async ({ Key: key }) => {
        const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return (await body?.transformToByteArray()) ?? new Uint8Array(0);
      });
      return Buffer.concat(await Promise.all(bodies));
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      client.destroy();
    },
  };
});

describe('a bucket that cannot be used', () => {
  it.each([
    ['because it does not exist', { endpoint, bucket: `none-${randomUUID()}` }],
    ['because nothing listens at its address', { endpoint: 'http://127.0.0.1:9', bucket: 'results' }],
  ])('is an error of the store: %s', async (_, options) => {
    await using store = await openS3Store({ ...options, region, credentials });
    const upload = await store.create(IDENTITY);
    await upload.write(Buffer.from('x'));
    await expect(upload.commit()).rejects.toBeInstanceOf(ResultStoreError);
    await upload.abort();
    await expect(store.removeTenant(IDENTITY.tenantId)).rejects.toBeInstanceOf(ResultStoreError);
  });
});
