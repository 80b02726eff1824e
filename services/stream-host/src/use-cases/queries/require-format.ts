import { type DownloadFormat, downloadFormats, ProblemError } from '@sluice/contract';
import { type EngineSpec, engineCapabilities } from '@sluice/engine';

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
