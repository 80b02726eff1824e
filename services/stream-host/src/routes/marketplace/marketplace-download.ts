import {
  type ArchiveCompression,
  type Caller,
  callerOf,
  type MarketplaceFormat,
  streamOperations,
} from '@sluice/contract';
import { contentDisposition } from '@sluice/encoders';
import { type ClientReader, type Route, type RouteResponse, route } from '@sluice/http';
import type { Logger } from '@sluice/observability';
import type { UseCases } from '../../context/use-cases.ts';
import { sendFile } from '../send-file.ts';

type DownloadUseCases = Pick<UseCases, 'downloadMarketplaceItem' | 'countMarketplaceDownload'>;

/** POST /marketplace/{id}/download/csv and /json, and POST /marketplace/download?id=&format= */
export const marketplaceDownloadRoutes = (useCases: DownloadUseCases): Route[] => [
  route(streamOperations.downloadMarketplaceCsv, (request) =>
    download(useCases, request, { ...request.query, id: request.params.id, format: 'csv' }),
  ),
  route(streamOperations.downloadMarketplaceJson, (request) =>
    download(useCases, request, { ...request.query, id: request.params.id, format: 'json' }),
  ),
  route(streamOperations.downloadMarketplace, (request) => download(useCases, request, request.query)),
];

interface DownloadRequest extends Caller {
  readonly signal: AbortSignal;
  readonly reader: ClientReader;
  readonly log: Logger;
}

interface DownloadChoice {
  readonly id: string;
  readonly format: MarketplaceFormat;
  readonly compression?: ArchiveCompression | undefined;
}

async function download(
  { downloadMarketplaceItem, countMarketplaceDownload }: DownloadUseCases,
  request: DownloadRequest,
  input: DownloadChoice,
): Promise<RouteResponse> {
  const caller = callerOf(request);
  const { signal, reader, log } = request;
  const { run, item, mediaType, extension } = await downloadMarketplaceItem(caller, { ...input, signal, reader });
  const answer = await sendFile(run, { mediaType, contentDisposition: contentDisposition(item.id, extension) });
  if (answer.status === 200) {
    // The download is already granted, so it continues when the count fails.
    await countMarketplaceDownload(caller, item).catch((err: unknown) =>
      log.warn({ err }, 'a download was not counted'),
    );
  }
  return answer;
}
