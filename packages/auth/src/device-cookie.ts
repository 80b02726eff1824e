import type { IncomingMessage } from 'node:http';

/** `__Host-sluice-device` on https; without the prefix on loopback without TLS. */
export const DEVICE_COOKIE = 'sluice-device';

/** Time after the last login for which a device is known. */
export const DEVICE_LIFETIME_MS = 90 * 86_400_000;

const SENT = /(?:^|;)[ \t]*(?:__Host-)?sluice-device=(?<token>[\w-]{43})[ \t]*(?=;|$)/;

/** Returns the device cookie of a request, under either name. A value counts only if it is stored for the account. */
export const readDeviceCookie = (request: Pick<IncomingMessage, 'headers'>): string | undefined =>
  SENT.exec(request.headers.cookie ?? '')?.groups?.['token'];
