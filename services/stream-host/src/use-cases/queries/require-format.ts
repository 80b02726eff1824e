import { type DownloadFormat, downloadFormats, ProblemError, resultLimits, type Tenant } from '@sluice/contract';
import { type EngineSpec, engineCapabilities } from '@sluice/engine';
import type { EngineResolver } from '@sluice/tenant-engines';
import type { BundledStatement } from '../marketplace/bundle.ts';
import { bundleWorkbook } from '../marketplace/bundle-workbook.ts';
import type { QueryInput } from './query-input.ts';

/** Throws `not_supported` if the engine lacks what the format requires. */
export function requireFormat(engine: EngineSpec, { requires, label }: DownloadFormat): void {
  const capabilities = engineCapabilities(engine);
  if (requires === undefined || capabilities[requires]) return;
  const others = downloadFormats
    .filter(([, format]) => format.requires === undefined)
    .map(([, format]) => format.label);
  throw new ProblemError(
    'not_supported',
    `The engine of this tenant is ${capabilities.vendorName}, which returns rows and cannot write ${label} files. Use ${listed(others)}.`,
  );
}

const listed = (labels: readonly string[]): string => `${labels.slice(0, -1).join(', ')} or ${labels.at(-1)}`;

export interface FileDependencies {
  readonly resolveEngine: EngineResolver;
  /** Limit of the disk space for strings that are longer than a cell of a workbook. */
  readonly overflowBytesMax: number;
}

interface FileInput {
  readonly tenant: Tenant;
  readonly format: DownloadFormat;
  readonly statement: BundledStatement;
  /** Zone of the date cells of a workbook. */
  readonly dateZone?: string | undefined;
}

/** Returns the parts of a query that depend on how its file is made. Throws `not_supported` if the engine cannot make it. */
export function fileQuery(
  { resolveEngine, overflowBytesMax }: FileDependencies,
  { tenant, format, statement, dateZone }: FileInput,
): Pick<QueryInput, 'bundle' | 'rowsMax'> {
  requireFormat(resolveEngine(tenant), format);
  if (format.assembly === 'workbook')
    return { bundle: bundleWorkbook([statement], { overflowBytesMax, dateZone }), rowsMax: undefined };
  // An engine that writes the file reports its rows at the end, so it is stopped after the first row beyond the tenant's limit.
  return { rowsMax: format.assembly === 'engine' ? resultLimits(tenant.settings).rowsMax : undefined };
}
