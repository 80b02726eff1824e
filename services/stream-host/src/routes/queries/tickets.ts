import {
  asProblem,
  type Caller,
  callerOf,
  invalidRequest,
  type ProblemDetail,
  ProblemError,
  streamOperations,
  type TicketRequest,
} from '@sluice/contract';
import {
  type AppOptions,
  authorize,
  type Input,
  json,
  type Route,
  type RouteRequest,
  type RouteResponse,
  route,
  validateInput,
} from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';
import { type AnyDownload, type DownloadRoute, sendDownload } from '../../downloads/download-route.ts';
import { findDownload } from '../../downloads/find-download.ts';
import type { TicketDownload } from '../../use-cases/queries/tickets.ts';

interface TicketRouteDependencies extends Pick<UseCases, 'createTicket' | 'takeTicket'> {
  /** Every download of this host. */
  readonly downloads: readonly DownloadRoute[];
  readonly onDenied: AppOptions['onDenied'];
}

/** POST /tickets and GET /tickets/{id}: a download for a program that sends no credential. */
export const ticketRoutes = (dependencies: TicketRouteDependencies): Route[] => [
  route(streamOperations.createTicket, async (request) => {
    const caller = callerOf(request);
    const target = readTarget(dependencies.downloads, request.body);
    await prepare(target, caller).catch(rejectInTicket);
    const { method, path } = request.body;
    const { params, query, body } = target.input;
    const download = { operation: target.download.operation.id, params, query, body };
    const ticket = await dependencies.createTicket(caller, { method, path, download });
    return json(201, ticket, { location: ticket.url });
  }),
  route(streamOperations.useTicket, (request) => useTicket(dependencies, request)),
];

interface TicketTarget {
  readonly download: DownloadRoute;
  readonly input: Input;
}

function readTarget(downloads: readonly DownloadRoute[], ticket: TicketRequest): TicketTarget {
  const { download, params, search } = findDownload(downloads, ticket);
  const input = validateInput(download.operation, { params, search, body: ticket.body }, placeInTicket);
  return { download, input };
}

/** Returns the download of a ticket. Only a host of another version could have stored one that this host does not have. */
function storedTarget(downloads: readonly DownloadRoute[], { operation, ...input }: TicketDownload): TicketTarget {
  const download = downloads.find((each) => each.operation.id === operation);
  if (download === undefined)
    throw new ProblemError('not_found', 'This host does not have the download of the ticket.');
  return { download, input: { params: undefined, query: undefined, body: undefined, ...input, upload: undefined } };
}

/** Names the member of the ticket that has the violation. */
const placeInTicket = ({ path, message }: ProblemDetail): ProblemDetail =>
  path.startsWith('body') ? { path: `body.${path}`, message } : { path: 'body.path', message: `${path} ${message}` };

/** Names the places of a rejected input in the ticket. */
function rejectInTicket(thrown: unknown): never {
  if (!(thrown instanceof ProblemError) || thrown.code !== 'invalid_request') throw thrown;
  const details = thrown.details?.map((detail) => (detail.path === 'request' ? detail : placeInTicket(detail)));
  if (details === undefined || details.length === 0) throw thrown;
  throw invalidRequest(details);
}

async function prepare({ download, input }: TicketTarget, caller: Caller): Promise<AnyDownload> {
  authorize(caller.principal, download.operation);
  // `validateInput` has checked the input of this operation.
  return await download.prepare(caller, input as Parameters<DownloadRoute['prepare']>[1]);
}

const NOT_RECORDED = 'the audit record of a rejected ticket could not be written';

type UseRequest = RouteRequest<typeof streamOperations.useTicket>;

async function useTicket(dependencies: TicketRouteDependencies, request: UseRequest): Promise<RouteResponse> {
  const { tenant, isHead, headers, requestId, address, userAgent, trace, signal, reader, log } = request;
  const taken = await dependencies.takeTicket({ tenant, isHead, address }, request.params.id);
  const { principal, queryId, download: stored } = taken;
  const caller: Caller = { principal, requestId, address, userAgent, trace };
  const target = storedTarget(dependencies.downloads, stored);
  const ownLog = log.child({ tenant: principal.tenant.name, user: principal.name });
  try {
    const download = await prepare(target, caller);
    return await sendDownload(download, { headers, isHead, requestId, signal, reader, queryId, log: ownLog });
  } catch (thrown) {
    // The kernel records rejections only for callers that it has authenticated.
    if (asProblem(thrown).code === 'access_denied') {
      await recordDenial(dependencies, target, caller).catch((err: unknown) => ownLog.error({ err }, NOT_RECORDED));
    }
    throw thrown;
  }
}

async function recordDenial(
  { onDenied }: TicketRouteDependencies,
  target: TicketTarget,
  caller: Caller,
): Promise<void> {
  const { operation } = target.download;
  const { permission } = operation;
  const isMissing = permission !== undefined && !caller.principal.permissions.has(permission);
  await onDenied({ ...caller, operation, ...(isMissing ? { permission } : {}) });
}
