import { type Bindings, type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { describeError, redact, redactText } from './redaction.ts';

export type Logger = PinoLogger;
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  /** Stands in every line as `service`. */
  readonly service: string;
  readonly level: LogLevel;
  /** Where the lines go; standard output when absent. */
  readonly destination?: DestinationStream;
}

/**
 * A logger of JSON lines. Secrets are taken out twice: by the name of the field, at any depth, and by their looks in the
 * finished line, so that one inside a message or a URL does not slip through.
 */
export function createLogger(options: LoggerOptions): Logger {
  const logger = pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
      serializers: { err: describeError, error: describeError, cause: describeError },
      hooks: { streamWrite: redactText },
    },
    options.destination ?? pino.destination(1),
  );
  redactBindings(logger);
  return logger;
}

/** Pino formats the bindings of its root alone, so those of children are redacted on their way in. */
function redactBindings(logger: Logger): void {
  const child = logger.child;
  const redacting = function (this: Logger, bindings: Bindings, ...rest: [never?]): unknown {
    return child.call(this, redact(bindings) as Bindings, ...rest);
  };
  // Children inherit from their parent, and with it this method.
  logger.child = redacting as unknown as Logger['child'];
}
