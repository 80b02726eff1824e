import { buffer } from 'node:stream/consumers';
import { ZipArchive } from 'archiver';
import { fromBufferPromise } from 'yauzl';

/** Members of a ZIP by name. An array, because a forged ZIP may have a name twice. */
export type Members = readonly (readonly [name: string, bytes: Buffer])[];

/** Returns the members of a ZIP in order. */
export async function membersOf(zipBytes: Buffer): Promise<Members> {
  const zip = await fromBufferPromise(zipBytes, { lazyEntries: true });
  const members: [string, Buffer][] = [];
  for await (const entry of zip.eachEntry()) {
    members.push([entry.fileName, await buffer(await zip.openReadStreamPromise(entry))]);
  }
  return members;
}

/** Returns a ZIP of the members. */
export async function zipOf(members: Members): Promise<Buffer> {
  const archive = new ZipArchive();
  for (const [name, bytes] of members) archive.append(bytes, { name });
  const [bytes] = await Promise.all([buffer(archive), archive.finalize()]);
  return bytes;
}

/** Returns the members with other bytes for one of them. */
export const withMember = (members: Members, name: string, change: (bytes: Buffer) => Buffer): Members =>
  members.map(([each, bytes]) => [each, each === name ? change(Buffer.from(bytes)) : bytes]);

/** Returns the bytes with one of them changed. */
export function withByteChanged(bytes: Buffer, position: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[position] = (changed[position] ?? 0) ^ 1;
  return changed;
}
