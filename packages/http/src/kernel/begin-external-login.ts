import { asProblem, ProblemError } from '@sluice/contract';
import type { Exchange } from '../model/exchange.ts';
import type { ExternalLoginAddresses } from '../model/external-login.ts';
import { requestHostname } from '../request/public-address.ts';
import type { Kernel } from './serve-path.ts';

/** Begins the login that a 401 names. A failure leaves the other challenges as they are. */
export async function beginExternalLogin(
  { req, route, log }: Exchange,
  thrown: unknown,
  { options, tenantNameOf }: Pick<Kernel, 'options' | 'tenantNameOf'>,
): Promise<ExternalLoginAddresses | undefined> {
  const { externalLogin } = options;
  if (externalLogin === undefined || route?.operation.externalLogin !== true) return undefined;
  if (asProblem(thrown).status !== 401) return undefined;
  try {
    return await externalLogin({
      tenantName: tenantNameOf(requestHostname(req, options)),
      address: req.ip ?? 'unknown',
      userAgent: req.get('user-agent'),
      source: req.get('x-trino-source'),
    });
  } catch (err) {
    log.warn({ err }, 'a 401 names no login in a browser');
    return undefined;
  }
}

const BROWSER_LOGIN =
  'A client of Trino may log in with a browser instead, over https: set externalAuthentication (JDBC), --external-authentication (CLI) or OAuth2Authentication (Python), and finish that login in time.';

/** Returns a 401 that says in words what its challenge says: drivers that do not follow the challenge show the message alone. */
export function namingBrowserLogin(thrown: unknown, externalLogin: ExternalLoginAddresses | undefined): unknown {
  const { code, message } = asProblem(thrown);
  if (externalLogin === undefined || code !== 'unauthorized') return thrown;
  return new ProblemError(code, `${message} ${BROWSER_LOGIN}`, { cause: thrown });
}
