import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChunkCipher, DamagedResultError, newResultKey, type ResultIdentity, ResultReader } from '../src/form/index.ts';
import { ResultMissingError, type ResultStore, type StoredObject } from '../src/index.ts';
import { rowText, storeRows } from './memory-result.ts';

interface StoreFixture extends AsyncDisposable {
  readonly store: ResultStore;
  /** Returns the bytes of everything that the store holds, as one who looks into it finds them. */
  rawBytes(): Promise<Buffer>;
}

const newIdentity = (tenantId: string = randomUUID()): ResultIdentity => ({ tenantId, queryId: randomUUID() });

/** Tests the guarantees of a result store. */
export function describeResultStore(name: string, open: () => Promise<StoreFixture>): void {
  describe(`the result store ${name}`, () => {
    let fixture: StoreFixture;
    let store: ResultStore;
    beforeAll(async () => {
      fixture = await open();
      store = fixture.store;
    });
    afterAll(async () => await fixture[Symbol.asyncDispose]());

    async function put(identity: ResultIdentity, bytes: Uint8Array, pieceBytes = bytes.byteLength): Promise<void> {
      const upload = await store.create(identity);
      for (let from = 0; from < bytes.byteLength; from += pieceBytes)
        await upload.write(bytes.subarray(from, from + pieceBytes));
      await upload.commit();
    }

    async function read(identity: ResultIdentity, length: number, start = 0, end = length): Promise<Buffer> {
      await using opened = await store.open(identity, length);
      return Buffer.from(await opened.read(start, end));
    }

    async function listed(tenantId: string): Promise<readonly StoredObject[]> {
      const objects: StoredObject[] = [];
      for await (const object of store.list()) if (object.identity.tenantId === tenantId) objects.push(object);
      return objects;
    }

    it.each([
      ['in one piece', 1_000, 1_000],
      ['in many pieces', 300_000, 1_313],
      ['of several parts', 12_000_000, 700_000],
      ['of no bytes', 0, 1],
    ])('returns a result %s', async (_, length, pieceBytes) => {
      const identity = newIdentity();
      const bytes = randomBytes(length);
      await put(identity, bytes, pieceBytes);
      expect((await read(identity, length)).equals(bytes)).toBe(true);
      if (length === 0) return;
      for (const [start, end] of [
        [0, 1],
        [length - 1, length],
        [length >> 1, (length >> 1) + 100],
      ] as const)
        expect((await read(identity, length, start, end)).equals(bytes.subarray(start, end))).toBe(true);
      expect(await listed(identity.tenantId)).toMatchObject([{ identity, bytes: length, isComplete: true }]);
    });

    it('does not return a result before it is complete', async () => {
      const identity = newIdentity();
      const upload = await store.create(identity);
      await upload.write(randomBytes(6_000_000));
      await upload.write(randomBytes(1_000));
      await expect(read(identity, 100)).rejects.toBeInstanceOf(ResultMissingError);
      for (const { isComplete } of await listed(identity.tenantId)) expect(isComplete).toBe(false);
      await upload.commit();
      expect((await read(identity, 6_001_000)).byteLength).toBe(6_001_000);
    });

    it('holds nothing of a result whose upload was aborted, or whose writer was lost and which was then removed', async () => {
      for (const end of ['abort', 'remove'] as const) {
        const identity = newIdentity();
        const upload = await store.create(identity);
        await upload.write(randomBytes(6_000_000));
        if (end === 'abort') await upload.abort();
        else await store.remove(identity);
        expect(await listed(identity.tenantId)).toEqual([]);
        await expect(read(identity, 10)).rejects.toBeInstanceOf(ResultMissingError);
        await upload.abort();
      }
    });

    it('removes one result, and none twice', async () => {
      const tenantId: string = randomUUID();
      const [first, second] = [newIdentity(tenantId), newIdentity(tenantId)];
      await put(first, Buffer.from('first'));
      await put(second, Buffer.from('second'));
      await store.remove(first);
      await store.remove(first);
      await expect(read(first, 5)).rejects.toBeInstanceOf(ResultMissingError);
      expect((await read(second, 6)).toString()).toBe('second');
    });

    it('removes everything of a tenant, and nothing of another', async () => {
      const [leaving, staying] = [newIdentity(), newIdentity()];
      for (let count = 0; count < 3; count += 1) await put(newIdentity(leaving.tenantId), randomBytes(10));
      const upload = await store.create(leaving);
      await upload.write(randomBytes(6_000_000));
      await put(staying, Buffer.from('stays'));
      await store.removeTenant(leaving.tenantId);
      await store.removeTenant(randomUUID());
      expect(await listed(leaving.tenantId)).toEqual([]);
      expect((await read(staying, 5)).toString()).toBe('stays');
      await upload.abort();
    });

    it('holds only ciphertext', async () => {
      const identity = newIdentity();
      const rows = Array.from({ length: 2_000 }, (_, id) => rowText(id));
      const { stored, cipher, key } = await storeRows(rows, { identity, codec: 'none' });
      await put(identity, stored, 10_000);
      await put(newIdentity(), Buffer.from('another result'));
      await using opened = await store.open(identity, stored.byteLength);
      const reader = await ResultReader.open(opened, cipher);
      expect(reader.end.rows).toBe(2_000);
      const raw = await fixture.rawBytes();
      expect(raw.byteLength).toBeGreaterThan(stored.byteLength);
      for (const secret of [Buffer.from('row 1'), Buffer.from('label'), key]) expect(raw.includes(secret)).toBe(false);
    });

    it('detects a result that was cut or replaced in the store', async () => {
      const [identity, other] = [newIdentity(), newIdentity()];
      const { stored, cipher } = await storeRows([rowText(1), rowText(2)], { identity });
      await put(identity, stored.subarray(0, -1));
      await put(other, stored);
      const opening = async (of: ResultIdentity, opener: ChunkCipher): Promise<void> => {
        await using opened = await store.open(of, stored.byteLength);
        await ResultReader.open(opened, opener);
      };
      await expect(opening(identity, cipher)).rejects.toBeInstanceOf(DamagedResultError);
      await opening(other, cipher);
      const ofOther = new ChunkCipher(newResultKey(), other);
      await expect(opening(other, ofOther)).rejects.toBeInstanceOf(DamagedResultError);
    });

    it('takes no name that leads elsewhere', async () => {
      for (const tenantId of ['..', '', 'a/b', `${randomUUID()}/..`]) {
        await expect(store.create({ tenantId, queryId: randomUUID() })).rejects.toThrow('UUID');
        await expect(store.remove({ tenantId: randomUUID(), queryId: tenantId })).rejects.toThrow('UUID');
        await expect(store.removeTenant(tenantId)).rejects.toThrow('UUID');
      }
    });
  });
}
