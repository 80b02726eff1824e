import { ANONYMOUS, defineOperations, ProblemError, type Tenant } from '@sluice/contract';
import { bytes, type Route, type RouteRequest, type RouteResponse, route } from '@sluice/http';
import { z } from 'zod';
import type { ApiContext } from '../context/context.ts';
import { readConsoleAsset, readConsolePage } from '../pages/console-files.ts';
import { type ConsoleAddresses, consoleUnavailablePage, renderConsolePage } from '../pages/console-page.ts';

const pageResponses = {
  200: { description: 'The page', mediaType: 'text/html' },
  404: { description: 'This build has no console', mediaType: 'text/html' },
} as const;

const consoleOperations = defineOperations('health', ANONYMOUS, {
  console: {
    endpoint: 'GET /console',
    summary: 'Show the web console',
    responses: pageResponses,
  },
  consolePage: {
    endpoint: 'GET /console/{page}',
    matchesLongerPaths: true,
    summary: 'Show a page of the web console; every path below `/console/` except its files',
    params: z.object({ page: z.string() }),
    responses: pageResponses,
  },
  consoleAsset: {
    endpoint: 'GET /console/assets/{name}',
    summary: 'Get a file of the web console',
    params: z.strictObject({ name: z.string() }),
    responses: { 200: { description: 'The file', mediaType: '*/*' } },
    problems: ['not_found'],
  },
});

/** The name of a file changes with its content. */
const IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'Origin, Accept-Encoding' };

type ConsoleContext = Pick<ApiContext, 'settings' | 'consoleFolder'>;
type PageRequest = Pick<RouteRequest, 'baseUrl'> & { readonly tenant: Tenant | undefined };

/** Returns the addresses for the tenant of the host name, or of DEFAULT_TENANT. */
function addressesOf({ tenant, baseUrl }: PageRequest, { settings }: ConsoleContext): ConsoleAddresses | undefined {
  const name = tenant?.name ?? settings.tenantNameDefault;
  if (name === undefined || settings.streamPublicUrl === undefined) return undefined;
  return { tenant: name, api: baseUrl, stream: settings.streamPublicUrl.replaceAll('{tenant}', name) };
}

/** Returns the sentence about the setting or the host name that is missing. */
const missingAddress = ({ settings }: ConsoleContext): RouteResponse =>
  settings.streamPublicUrl === undefined
    ? consoleUnavailablePage(
        503,
        'The console needs the address of the stream host: set <code>STREAM_PUBLIC_URL</code> on this host.',
      )
    : consoleUnavailablePage(404, 'This address names no tenant. Open the console at the address of your tenant.');

/** Creates the routes of the web console: its page at `/console/` and every path below, and its files with hashed names. */
export function consoleRoutes(context: ConsoleContext): Route[] {
  const { consoleFolder } = context;

  const showPage = async (request: PageRequest): Promise<RouteResponse> => {
    const built = await readConsolePage(consoleFolder);
    if (built === undefined)
      return consoleUnavailablePage(
        404,
        'This build has no console. Run <code>npm run build</code> and load this page again.',
      );
    const addresses = addressesOf(request, context);
    return addresses === undefined ? missingAddress(context) : renderConsolePage(built, addresses);
  };

  return [
    route(consoleOperations.console, showPage),
    route(consoleOperations.consolePage, showPage),
    route(consoleOperations.consoleAsset, async ({ params, headers }) => {
      const file = await readConsoleAsset(consoleFolder, params.name, headers.get('accept-encoding'));
      if (file === undefined) throw new ProblemError('not_found', 'The console has no such file. Load the page again.');
      const coding = file.coding === undefined ? {} : { 'content-encoding': file.coding };
      return bytes(200, file.mediaType, file.bytes, { ...IMMUTABLE, ...coding });
    }),
  ];
}
