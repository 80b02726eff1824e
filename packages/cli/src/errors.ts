/** Base of the errors that the command line itself finds. The message is one sentence that says what to do. It is shown unchanged. */
export class CommandError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The command line is wrong. Exit code 2. */
export class UsageError extends CommandError {
  /** Text to show below the sentence; may be empty. */
  readonly help: string;

  constructor(message: string, options: ErrorOptions & { readonly help?: string } = {}) {
    super(message, options);
    this.help = options.help ?? '';
  }
}

/** There is no login, or it has ended. Exit code 4. */
export class NotLoggedInError extends CommandError {}

/** The user or a signal stopped the command. Exit code 130. */
export class CancelledError extends CommandError {}

/** The reader of stdout has closed it, such as `head`. Exit code 141, without a message, as of any filter. */
export class OutputClosedError extends CommandError {}

/** A file or its receipt is not what was downloaded. Exit code 3. */
export class MismatchError extends CommandError {}
