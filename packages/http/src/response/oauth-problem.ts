import type { ProblemCode, ProblemError } from '@sluice/contract';

/** Codes that RFC 6749 section 5.2 summarizes as `invalid_request`. */
const MALFORMED: readonly ProblemCode[] = [
  'invalid_request',
  'malformed_json',
  'ambiguous_credentials',
  'payload_too_large',
  'unsupported_media_type',
];

const errorOf = (code: ProblemCode): string => {
  if (MALFORMED.includes(code)) return 'invalid_request';
  // Codes of section 4.1.2.1, which clients know.
  if (code === 'internal') return 'server_error';
  return code === 'service_unavailable' || code === 'audit_unavailable' || code === 'server_shutdown'
    ? 'temporarily_unavailable'
    : code;
};

/** Converts a problem to the error JSON of RFC 6749 section 5.2. */
export function oauthProblem(problem: ProblemError): { error: string; error_description: string } {
  const details = problem.status >= 500 ? [] : (problem.details ?? []);
  // The message already contains the first violation.
  const further = details.filter(({ message }) => !problem.message.includes(message));
  const text = [problem.message, ...further.map(({ path, message }) => `${path}: ${message}.`)].join(' ');
  // The grammar of error_description: printable ASCII without the double quote and the backslash.
  return { error: errorOf(problem.code), error_description: text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'") };
}
