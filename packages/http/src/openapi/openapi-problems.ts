import { type Operation, PROBLEMS, type ProblemCode } from '@sluice/contract';

const UPLOAD_PROBLEMS: readonly ProblemCode[] = [
  'invalid_request',
  'malformed_json',
  'payload_too_large',
  'unsupported_media_type',
  'request_timeout',
];

const codesOfBody = (operation: Operation): readonly ProblemCode[] => {
  if (operation.upload !== undefined) return UPLOAD_PROBLEMS;
  if (operation.body === undefined) return [];
  const json: readonly ProblemCode[] = operation.body.mediaTypes.includes('application/json') ? ['malformed_json'] : [];
  const isBeforeLogin = operation.credentials.length === 0 && operation.operatorOnly !== true;
  const crowded: readonly ProblemCode[] = isBeforeLogin ? ['too_many_requests'] : [];
  return ['invalid_request', ...json, 'payload_too_large', 'unsupported_media_type', 'request_timeout', ...crowded];
};

/** Returns all error codes of an operation: its own, and those of its kind. */
export function problemCodesOf(operation: Operation): ReadonlySet<ProblemCode> {
  const { credentials, operatorOnly = false, method, permission, params, query, path, streams } = operation;
  const isOpen = credentials.length === 0;
  const takesInput = params !== undefined || query !== undefined || method !== 'GET' || !isOpen;
  return new Set<ProblemCode>([
    ...operation.problems,
    ...codesOfBody(operation),
    ...(takesInput ? (['invalid_request', 'server_shutdown', 'service_unavailable'] as const) : []),
    ...(params !== undefined || query !== undefined ? (['headers_too_large'] as const) : []),
    ...(isOpen ? [] : (['unauthorized', 'ambiguous_credentials', 'too_many_requests', 'access_denied'] as const)),
    ...(operatorOnly ? (['unauthorized', 'too_many_requests', 'invalid_request', 'service_unavailable'] as const) : []),
    ...(permission === undefined ? [] : (['access_denied'] as const)),
    ...(path.includes('{tenant}') ? (['not_found', 'access_denied'] as const) : []),
    ...(streams === true ? (['http_version_not_supported'] as const) : []),
    'internal',
  ]);
}

/** Groups the error codes of an operation by status. */
export function problemsByStatus(operation: Operation): ReadonlyMap<number, readonly ProblemCode[]> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemCodesOf(operation)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
