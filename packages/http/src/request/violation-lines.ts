import { invalidRequest, type MediaType, type ProblemDetail, ProblemError } from '@sluice/contract';
import { findJsonPositions } from './find-json-positions.ts';
import { findYamlPositions } from './parse-yaml.ts';

/** Adds to violations the lines of a body. */
export type AddLines = (details: readonly ProblemDetail[]) => readonly ProblemDetail[];

const BODY = 'body';
const PART = /\[(\d+)\]|\.([^.[]+)/g;

/** Returns the keys of a path such as `body.users[1].roles[0]`. Undefined: the path is not one of the body. */
function keysOf(path: string): readonly PropertyKey[] | undefined {
  if (path !== BODY && !/^body[.[]/.test(path)) return undefined;
  return [...path.slice(BODY.length).matchAll(PART)].map(([, index, key]) =>
    index === undefined ? (key ?? '') : Number(index),
  );
}

const LF = 0x0a;
const CR = 0x0d;

/** Returns the lines of indexes of a text, which end with LF, CR or both. The text is read once. */
function linesAt(text: string, indexes: readonly number[]): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  let line = 1;
  let at = 0;
  for (const index of [...indexes].sort((a, b) => a - b)) {
    for (; at < index; at += 1) {
      const code = text.charCodeAt(at);
      if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) line += 1;
    }
    lines.set(index, line);
  }
  return lines;
}

/**
 * Returns a function that adds the line of each violation in a body that was parsed before: of its value, or of the nearest one around it.
 */
export const createAddLines =
  (mediaType: MediaType, bytes: Uint8Array): AddLines =>
  (details) => {
    const paths = details.map(({ path }) => keysOf(path));
    const known = paths.filter((path) => path !== undefined);
    if (known.length === 0) return details;
    const text = new TextDecoder().decode(bytes);
    const find = mediaType === 'application/yaml' ? findYamlPositions : findJsonPositions;
    const indexes = find(text, known);
    const lines = linesAt(text, indexes);
    const lineOf = new Map(known.map((path, at) => [path, lines.get(indexes[at] ?? 0)] as const));
    return details.map((detail, at) => {
      const path = paths[at];
      const line = path === undefined ? undefined : lineOf.get(path);
      return line === undefined ? detail : { ...detail, line };
    });
  };

/** Returns a rejection with the lines of its violations. Anything else is returned as it is. */
export function withLines(thrown: unknown, addLines: AddLines | undefined): unknown {
  if (addLines === undefined || !(thrown instanceof ProblemError) || thrown.code !== 'invalid_request') return thrown;
  const { details = [], message } = thrown;
  if (details.length === 0) return thrown;
  const located = addLines(details);
  const isUsual = message === invalidRequest(details).message;
  const sentence = isUsual ? invalidRequest(located).message : message;
  return new ProblemError('invalid_request', sentence, { details: located, cause: thrown });
}
