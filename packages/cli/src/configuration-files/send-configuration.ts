import { type ApiOperationTypes, type Client, ConnectionError, ResponseError } from '@sluice/client';
import { CancelledError } from '../errors.ts';
import { invalidFile } from '../text-files/file-fault.ts';
import type { Configuration } from './read-configuration.ts';

/** Changes that a file has made, or would make. */
export type Applied = ApiOperationTypes['applyConfiguration']['result'];

/** `roles[0].name` as keys. */
const parsePath = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? '') : Number(index),
  );

/** Adds the positions in the file to the violations that the host found. */
function withPositions({ name, positionOf }: Configuration, error: unknown): unknown {
  if (!(error instanceof ResponseError) || error.status !== 400 || error.details.length === 0) return error;
  return invalidFile(
    name,
    error.details.map(({ path, message }) => {
      const keys = path.replace(/^body\.?/, '');
      const { line, column } = positionOf(parsePath(keys));
      return `line ${line}, column ${column}: ${keys === '' ? '' : `${keys}: `}${message}`;
    }),
  );
}

async function send(client: Client, file: Configuration, dry_run: boolean, signal: AbortSignal): Promise<Applied> {
  const body = JSON.stringify({ ...file.value, dry_run });
  return await client.api.applyConfiguration({ body, signal }).catch((error: unknown) => {
    throw withPositions(file, error);
  });
}

/**
 * Returns what a file would change.
 * @throws CommandError with the position of each violation
 */
export const planConfiguration = (client: Client, file: Configuration, signal: AbortSignal): Promise<Applied> =>
  send(client, file, true, signal);

/**
 * Applies a file in one transaction.
 * @throws CommandError with the position of each violation, or an error that says how to find out whether the file was applied
 */
export async function applyConfiguration(client: Client, file: Configuration, signal: AbortSignal): Promise<Applied> {
  const unknown = `All of ${file.name} was applied, or nothing: see \`sluice apply ${file.name} --dry-run\`.`;
  try {
    return await send(client, file, false, signal);
  } catch (error) {
    if (signal.reason instanceof CancelledError) throw new CancelledError(`Cancelled while it was applied. ${unknown}`);
    if (error instanceof ConnectionError) error.message = `${error.message} ${unknown}`;
    throw error;
  }
}
