import { fileURLToPath } from 'node:url';

const mainOf = (host: string): string =>
  fileURLToPath(new URL(`../../../../services/${host}/dist/main.js`, import.meta.url));

/** The built programs, and the setting for the port of each. */
export const HOST_PROGRAMS = {
  'API host': { main: mainOf('api-host'), portSetting: 'API_PORT' },
  'stream host': { main: mainOf('stream-host'), portSetting: 'STREAM_PORT' },
} as const;

export type HostProgram = keyof typeof HOST_PROGRAMS;
