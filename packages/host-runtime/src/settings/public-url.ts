import { string } from '@sluice/config';

/** Lower-case origin, with `{tenant}` anywhere in the host name. */
const ORIGIN = /^https?:\/\/(?:\[[0-9a-f:]+\]|(?:[a-z0-9.-]|\{tenant\})+)(?::\d{1,5})?$/;

/** Defines the setting for the origin by which clients reach a host. */
export const publicUrl = (name: string) =>
  string(name, {
    description:
      'Origin by which clients reach this host, with `{tenant}` if each tenant has its own host name. Without it, the Host header is used as received.',
    pattern: ORIGIN,
    form: 'an origin (https://{tenant}-api.example.com)',
    optional: true,
  });
