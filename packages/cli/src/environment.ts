/**
 * Every environment variable that the command line reads, and what it means. The type `Environment` has these names only, so code that
 * reads another one does not compile.
 */
export const VARIABLES = {
  SLUICE_PROFILE: 'Name of the profile to use; --profile comes first.',
  SLUICE_API_URL: 'URL of the API host.',
  SLUICE_STREAM_URL: 'URL of the stream host.',
  SLUICE_TENANT: 'Name of the tenant.',
  SLUICE_TOKEN: 'Access token, for machines that get one elsewhere. It is not renewed. Comes before all other logins.',
  SLUICE_CLIENT_ID: 'Client id of a service account. Comes before a login.',
  SLUICE_CLIENT_SECRET: 'Secret of that service account.',
  SLUICE_EMAIL: 'E-mail of a user. Comes before a login.',
  SLUICE_PASSWORD: 'Password of that user.',
  SLUICE_CREDENTIAL_STORE: 'Where `login` keeps the tokens: keyring or file. Default: the keyring, else a file.',
  SLUICE_CACHE:
    'false: no session is kept for the credentials of the environment, and each command ends the one that it opens.',
  SLUICE_OPERATOR_TOKEN: 'Token of the operator, for `tenant`.',
  XDG_CONFIG_HOME: 'Folder that contains sluice/ with the profiles. Default: ~/.config, on Windows %APPDATA%.',
  XDG_STATE_HOME: 'Folder that contains sluice/ with the history of `sql`. Default: ~/.local/state.',
  BROWSER: 'Program that opens the page of a login. Default: that of the system.',
  DISPLAY: 'Linux: without it and WAYLAND_DISPLAY there is no browser, and `login` shows a code for another device.',
  WAYLAND_DISPLAY: 'As DISPLAY.',
  PAGER: 'Program that shows long tables on a terminal.',
  VISUAL: 'Program that edits a statement of `sql`. Default: EDITOR.',
  EDITOR: 'Program that edits a statement of `sql`. Default: vi.',
  SLUICE_IDLE_TIMEOUT:
    'Seconds of silence after which a result counts as cut. Default: 60 for query, no limit for downloads.',
  NO_COLOR: 'Any value switches colour off.',
  FORCE_COLOR: 'Any value except 0 switches colour on, also in a pipe.',
  TERM: 'dumb switches colour off.',
  PATH: 'Where the pager, and the programs of the keyring, are looked for.',
  APPDATA: 'Windows: folder that contains sluice\\ with the profiles.',
  LOCALAPPDATA: 'Windows: folder that contains sluice\\ with the history of `sql`.',
  HTTPS_PROXY: 'URL of the proxy for hosts with https.',
  HTTP_PROXY: 'URL of the proxy for hosts with http.',
  NO_PROXY: 'Names of hosts that are reached without a proxy, also of all below them, separated by commas.',
  https_proxy: 'As HTTPS_PROXY. Comes first.',
  http_proxy: 'As HTTP_PROXY. Comes first.',
  no_proxy: 'As NO_PROXY. Comes first.',
  NODE_EXTRA_CA_CERTS: 'File with the certificates of more authorities to trust.',
} as const;

export type VariableName = keyof typeof VARIABLES;

/** Variables of the process. */
export type Environment = { readonly [Name in VariableName]?: string | undefined };

/** Returns a variable; undefined if it is not set or empty. */
export function readVariable(environment: Environment, name: VariableName): string | undefined {
  const text = environment[name];
  return text === '' ? undefined : text;
}
