import type { Client } from '@sluice/client';
import type { Environment } from './environment.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Options that every command has. */
export interface GlobalOptions {
  /** `--profile NAME`. */
  readonly profile: string | undefined;
  /** `--json`: data on stdout as JSON, in a stable shape. */
  readonly isJson: boolean;
}

/** Source of the credentials of a connection. */
export interface ConnectionLogin {
  readonly source: 'environment' | 'keyring' | 'file';
  /** Undefined if the environment has the credentials. */
  readonly profile: string | undefined;
  /** Path of the file, or name of the keyring, for messages. */
  readonly location: string;
}

/** Client of a logged-in account. */
export interface Connection {
  readonly client: Client;
  readonly tenant: string;
  readonly apiUrl: string;
  readonly streamUrl: string;
  /** Uses the proxies of the environment. Default: the global one. */
  readonly fetch?: typeof fetch;
  readonly login: ConnectionLogin;
  /**
   * Ends the session that was opened for this connection only. Never rejects.
   * @param isHurried - does not wait for a login that is under way and whose session would be kept
   */
  readonly close: (isHurried: boolean) => Promise<void>;
}

/** Environment of a command: its terminal, settings, signal and connection. Commands use neither `process` nor streams of their own. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly globals: GlobalOptions;
  /** Aborted by Ctrl-C, SIGTERM and a closed stdout, with a CancelledError or OutputClosedError as its reason. */
  readonly signal: AbortSignal;
  /** Calls the function at Ctrl-C instead of aborting `signal`, until the returned function is called. */
  readonly interceptInterrupts: (onInterrupt: () => void) => () => void;
  /**
   * Returns a client for the profile or the environment.
   * @throws NotLoggedInError if neither has a login
   */
  readonly connect: () => Promise<Connection>;
}
