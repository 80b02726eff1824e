import { type Bindings, type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { describeError, redact, redactText } from './redaction.ts';

export type Logger = PinoLogger;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

interface LoggerOptions {
  /** Value of `service` in every line. */
  readonly service: string;
  readonly level: LogLevel;
  /** Destination of the lines. Default: standard output. */
  readonly destination?: DestinationStream;
}

/**
 * Creates a logger of JSON lines. Secrets are redacted twice: by the name of the field, at any depth, and by pattern in the finished
 * line, so that one inside a message or a URL is also found.
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

/** Redacts the bindings of child loggers. Pino's formatters apply only to the root logger. */
function redactBindings(logger: Logger): void {
  const child = logger.child;
  const redacting = function (this: Logger, bindings: Bindings, ...rest: [never?]): unknown {
    return child.call(this, redact(bindings) as Bindings, ...rest);
  };
  // Children inherit this method from their parent.
  logger.child = redacting as unknown as Logger['child'];
}
