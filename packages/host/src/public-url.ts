import { string } from '@sluice/config';

/** An origin in lower case, with `{tenant}` anywhere in the host name. */
const ORIGIN = /^https?:\/\/(?:\[[0-9a-f:]+\]|(?:[a-z0-9.-]|\{tenant\})+)(?::\d{1,5})?$/;

/** The setting that names the address by which clients reach a host. */
export const publicUrl = (name: string) =>
  string(name, {
    description:
      'Origin by which clients reach this host, with `{tenant}` where tenants have host names of their own. Without it, the Host header is taken as received.',
    pattern: ORIGIN,
    form: 'an origin (https://{tenant}-api.example.com)',
    optional: true,
  });
