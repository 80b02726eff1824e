export {
  ChunkCipher,
  newResultKey,
  type ResultIdentity,
  tenantKeyOf,
  unwrapResultKey,
  wrapResultKey,
} from './chunk-cipher.ts';
export type { Codec } from './codec.ts';
export { DamagedResultError } from './damaged-result.ts';
export { type ResultRequest, requestKeyOf } from './request-key.ts';
export { ResultKeyMismatchError } from './result-key-mismatch.ts';
export { type ResultBytes, type ResultChunk, ResultReader } from './result-reader.ts';
export { ResultNotKeptError, ResultWriter } from './result-writer.ts';
export { rowsOfList } from './rows-of-list.ts';
export type { ResultEnd, ResultHeader } from './stored-form.ts';
