import { string } from '@sluice/config';

/** Lower-case origin, with `{tenant}` anywhere in the host name. */
const ORIGIN = /^https?:\/\/(?:\[[0-9a-f:]+\]|(?:[a-z0-9.-]|\{tenant\})+)(?::\d{1,5})?$/;

const OWN_HOST =
  'Origin by which clients reach this host, with `{tenant}` if each tenant has its own host name. Without it, the Host header is used as received.';

/** Defines the setting for the origin by which clients reach a host. Default of `description`: of this host. */
export const publicUrl = (name: string, description: string = OWN_HOST) =>
  string(name, {
    description,
    pattern: ORIGIN,
    form: 'an origin (https://{tenant}-api.example.com)',
    optional: true,
  });
