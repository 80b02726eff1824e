import { TrinoError } from '../trino-error.ts';
import type { StatementKind } from './statement-kind.ts';
import type { StatementReader } from './statement-reader.ts';

const PROCEDURE = 'system.runtime.kill_query';
const NAMES = ['query_id', 'message'];
const ID_CHARACTERS_MAX = 128;
const MESSAGE_CHARACTERS_MAX = 4_096;

/** CALL system.runtime.kill_query, with the names of its arguments or without. Other procedures are the engine's to refuse. */
export const readKill: StatementKind = (reader) => {
  reader.expect('CALL');
  if (reader.qualifiedName().join('.').toLowerCase() !== PROCEDURE) return undefined;
  const given = readArguments(reader);
  reader.end();
  const queryId = given.get('query_id');
  const message = given.get('message');
  if (queryId === undefined || queryId === '')
    throw new TrinoError('INVALID_PROCEDURE_ARGUMENT', 'Required procedure argument query_id is missing.');
  if (queryId.length > ID_CHARACTERS_MAX || (message?.length ?? 0) > MESSAGE_CHARACTERS_MAX)
    throw new TrinoError('INVALID_PROCEDURE_ARGUMENT', 'The query_id or the message is too long.');
  return { kind: 'kill', queryId, message };
};

function readArguments(reader: StatementReader): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  reader.expectMark('(');
  while (!reader.takeMark(')')) {
    if (given.size > 0) reader.expectMark(',');
    const name = readName(reader) ?? NAMES[given.size] ?? '';
    if (!NAMES.includes(name) || given.has(name))
      throw new TrinoError('INVALID_PROCEDURE_ARGUMENT', `kill_query takes query_id and message, each once.`);
    const isNull = name === 'message' && reader.take('NULL');
    given.set(name, isNull ? '' : reader.string());
  }
  return given;
}

/** Reads `name =>`. */
function readName(reader: StatementReader): string | undefined {
  if (reader.peek()?.kind === 'string' || reader.peek(1)?.text !== '=') return undefined;
  const name = reader.identifier().toLowerCase();
  reader.expectMark('=');
  reader.expectMark('>');
  return name;
}
