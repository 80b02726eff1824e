import { ProblemError } from '@sluice/contract';
import type { Exchange } from '../model/exchange.ts';

/** Loopback addresses, also as IPv6 sockets report them. */
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/**
 * Rejects a password that was sent without TLS from another computer, for operations with `basicNeedsTls`. Drivers of Trino never do that, but
 * some clients and scripts would. Throws `unauthorized`.
 */
export function refusePlainPassword({ req, route, isSecure }: Exchange): void {
  if (route?.operation.basicNeedsTls !== true || isSecure || LOOPBACK.test(req.ip ?? '')) return;
  if (!/^basic /i.test(req.get('authorization') ?? '')) return;
  throw new ProblemError(
    'unauthorized',
    'A password is accepted here over https only, because anyone on the way can read it over http. Connect with https, or send an access token. If a proxy ends TLS, its address must be in TRUSTED_PROXIES.',
  );
}
