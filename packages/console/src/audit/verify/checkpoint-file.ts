import type { SignedPayload } from '@sluice/audit/verify-in-browser';

/** Published key as `GET /audits/checkpoints` returns it. */
export interface PublishedKey {
  readonly key_id: string;
  readonly public_key: string;
}

/** Number, position in the chain and time of a checkpoint, from its signed payload. */
export interface CheckpointFacts {
  readonly number: number;
  readonly sequence: number;
  readonly issuedMs: number;
}

/** A checkpoint that the user stored earlier, with the keys that were published then. */
export interface SavedCheckpoint extends CheckpointFacts {
  readonly name: string;
  readonly signed: SignedPayload;
  /** Public keys in base64; empty if the file has none. */
  readonly publicKeys: readonly string[];
}

/** A file of one checkpoint has less than 2 KB, and a page of a thousand less than this. */
const BYTES_MAX = 4 * 1024 * 1024;

/** Loads what parses checkpoints. Only a verification needs it. */
const loadVerifier = () => import('@sluice/audit/verify-in-browser');

/** Returns what a checkpoint says; undefined for a file that is not one. */
export async function checkpointFacts(payload: string): Promise<CheckpointFacts | undefined> {
  const found = (await loadVerifier()).readCheckpoint(payload);
  return found && { number: found.number, sequence: found.sequence, issuedMs: found.issued_ts };
}

/** Returns a file that compares later logs with a checkpoint. It has the form of `GET /audits/checkpoints`. */
export async function createCheckpointFile(
  { payload, keyId, signature }: SignedPayload,
  keys: readonly PublishedKey[],
): Promise<Blob> {
  const { base64Of } = await loadVerifier();
  const content = { data: [{ payload, key_id: keyId, signature: base64Of(signature) }], keys };
  return new Blob([`${JSON.stringify(content, undefined, 2)}\n`], { type: 'application/json' });
}

const collectTexts = (list: unknown, name: string): readonly string[] =>
  Array.isArray(list)
    ? list.map((entry: unknown) => Reflect.get(Object(entry), name)).filter((value) => typeof value === 'string')
    : [];

/** Reads a file that was saved here, or a response of `GET /audits/checkpoints`: its last checkpoint. Undefined for any other file. */
export async function readCheckpointFile(file: File): Promise<SavedCheckpoint | undefined> {
  if (file.size > BYTES_MAX) return undefined;
  const { bytesOfBase64 } = await loadVerifier();
  try {
    const { data, keys } = Object(JSON.parse(await file.text())) as {
      readonly data?: unknown;
      readonly keys?: unknown;
    };
    const { payload, key_id: keyId, signature } = Object(Array.isArray(data) ? data.at(-1) : undefined);
    const facts = await checkpointFacts(String(payload));
    if (facts === undefined) return undefined;
    const signed = { payload: String(payload), keyId: String(keyId), signature: bytesOfBase64(String(signature)) };
    return { ...facts, name: file.name, signed, publicKeys: collectTexts(keys, 'public_key') };
  } catch {
    return undefined;
  }
}
