import { access } from 'node:fs/promises';
import type { Client } from '@sluice/client';
import { saveFile } from '@sluice/client/node';
import { CommandError } from '../errors.ts';
import { metadataFormatOf } from './open-metadata-file.ts';
import { writeReport } from './write-report.ts';

/** A report that the user asked for. */
export interface ReportFile {
  readonly path: string;
  /** Whether it has only the objects that were not applied. */
  readonly isFailedOnly: boolean;
}

/**
 * Checks the name of a report before anything runs.
 * @throws UsageError for another extension, CommandError if the file exists
 */
export async function checkReportFile(path: string): Promise<void> {
  metadataFormatOf(path, undefined);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new CommandError(`${path} exists. Choose another name, or remove it.`);
}

/** Writes the results of an import to a file, which has its name only when it is whole. */
export async function saveReport(
  client: Client,
  id: string,
  { path, isFailedOnly, signal }: ReportFile & { readonly signal: AbortSignal },
): Promise<void> {
  const objects = client.metadata.readReport(id, { failed: isFailedOnly, signal });
  await saveFile(path, writeReport(metadataFormatOf(path, undefined), objects));
}
