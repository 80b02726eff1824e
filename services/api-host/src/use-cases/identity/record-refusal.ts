import { OAUTH_PARAMETERS, type ProblemCode, ProblemError } from '@sluice/contract';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { FindProgram } from './find-program.ts';
import type { RefusalRecords } from './refusal-records.ts';

/** `cause` of a refusal that another record names, such as that of the session which a reused code has ended. */
export const RECORDED_ALREADY = 'recorded already';

/** Codes of refusals. A device that waits for its user, or a host that is busy, refuses nothing. */
const REFUSALS: ReadonlySet<ProblemCode> = new Set([
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'request_timeout',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  'expired_token',
  'access_denied',
]);

const UNKNOWN = 'unknown';
const REASON_CHARACTERS_MAX = 300;
/** Part and name of a parameter, with the position in a list. */
const PARAMETER = /^(?:body|query)(?:\.(\w+)(?:\.\d+)?)?$/;

/** Checks that the message of a problem about parameters names only those of OAuth. */
const namesKnownParameters = ({ details = [] }: ProblemError): boolean =>
  details.every(({ path }) => {
    const [match, name] = PARAMETER.exec(path) ?? [];
    return match !== undefined && (name === undefined || OAUTH_PARAMETERS.has(name));
  });

/**
 * Returns why a request is refused, in English and without anything that the client sent, which may be a secret in the wrong field. Returns
 * undefined for an error that is not a refusal, or that another record names.
 */
export function refusalReason(thrown: unknown): string | undefined {
  if (!(thrown instanceof ProblemError) || !REFUSALS.has(thrown.code) || thrown.cause === RECORDED_ALREADY)
    return undefined;
  switch (thrown.sentence?.name) {
    case 'login_needed':
      // The program asked for this response with prompt=none.
      return undefined;
    case 'program_unknown':
      return 'There is no program with this client_id.';
    default:
      return namesKnownParameters(thrown)
        ? thrown.message.slice(0, REASON_CHARACTERS_MAX)
        : 'The request is not valid.';
  }
}

export interface Refusal {
  /** Names the refused step: the grant type of a token request, or the endpoint. */
  readonly method: string;
  /** `client_id` of the request, as it was sent. */
  readonly clientId?: string | undefined;
  /** User of the browser session of the request. */
  readonly user?: string | undefined;
  /** Result of `refusalReason`. Undefined: nothing is recorded. */
  readonly reason: string | undefined;
}

/**
 * Records that a request of a program, or of a user about one, was refused, once for each request, as LOGIN_FAILED. Many of them within a minute
 * are counted instead (`RefusalRecords`). Throws `audit_unavailable`.
 */
export type RecordRefusal = (caller: AnonymousCaller, refusal: Refusal) => Promise<void>;

interface RecordRefusalDependencies {
  readonly records: Pick<RefusalRecords, 'append'>;
  readonly findProgram: FindProgram;
  /** Called for each refusal; for metrics. */
  readonly onRefused: (caller: AnonymousCaller, program: string) => void;
}

export const createRecordRefusal =
  ({ records, findProgram, onRefused }: RecordRefusalDependencies): RecordRefusal =>
  async (caller, { method, clientId = '', user = UNKNOWN, reason }) => {
    if (reason === undefined) return;
    // A client id that is not known may be a secret in the wrong field.
    const program = (await findProgram(caller, clientId))?.id ?? UNKNOWN;
    onRefused(caller, program);
    await records.append(caller, { user, action: 'LOGIN_FAILED', target: program, metadata: { method, reason } });
  };
