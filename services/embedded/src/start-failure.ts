/**
 * Reason why Sluice cannot start, in one sentence that the user at the terminal can act on. Not a ProblemError, because those are
 * responses to callers.
 */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';

  constructor(sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
  }
}

const SYSTEM_SENTENCES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a file may not grow further (a limit of this shell or file system)',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'the file or folder does not exist and cannot be created',
  ENOTDIR: 'a part of the path is not a folder',
  EMFILE: 'too many files are open (ulimit -n)',
};

/** DuckDB and PostgreSQL report no code, only the system's message. */
const SYSTEM_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/no space left|disk full/i, 'ENOSPC'],
  [/quota exceeded/i, 'EDQUOT'],
  [/file too large/i, 'EFBIG'],
  [/permission denied/i, 'EACCES'],
  [/read-only file system/i, 'EROFS'],
];

/** Returns the `code` of a system error, such as `ENOENT`, and undefined for any other error. */
export function systemCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const code: unknown = Reflect.get(thrown, 'code');
  return typeof code === 'string' ? code : undefined;
}

const messageOf = (thrown: unknown): string => {
  const message: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'message') : thrown;
  return String(message).split('\n')[0] ?? '';
};

/** Joins what failed (`The demo data could not be created in /home/me/.sluice`) and the reason. */
export function startFailure(whatFailed: string, thrown: unknown): StartFailure {
  if (thrown instanceof StartFailure) return thrown;
  const message = messageOf(thrown);
  const code = systemCode(thrown) ?? SYSTEM_MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
  const why = (code === undefined ? undefined : SYSTEM_SENTENCES[code]) ?? message.replace(/\.$/, '');
  return new StartFailure(`${whatFailed}: ${why}.`, thrown);
}
