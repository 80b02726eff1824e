/**
 * Why Sluice cannot run here, in one sentence that the person at the terminal can act on. Not a ProblemError: those are
 * answers to callers, and at this point there is none.
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
  EACCES: 'the right to do so is missing',
  EPERM: 'the right to do so is missing',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such file or folder, and none can be made there',
  ENOTDIR: 'a part of the path is not a folder',
  EMFILE: 'too many files are open (ulimit -n)',
};

/** DuckDB and PostgreSQL give no code, only the system's own words. */
const SYSTEM_WORDS: readonly (readonly [RegExp, string])[] = [
  [/no space left|disk full/i, 'ENOSPC'],
  [/quota exceeded/i, 'EDQUOT'],
  [/file too large/i, 'EFBIG'],
  [/permission denied/i, 'EACCES'],
  [/read-only file system/i, 'EROFS'],
];

/** The `code` of a system error, `ENOENT` for one; undefined for anything else. */
export function systemCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const code: unknown = Reflect.get(thrown, 'code');
  return typeof code === 'string' ? code : undefined;
}

const messageOf = (thrown: unknown): string => {
  const message: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'message') : thrown;
  return String(message).split('\n')[0] ?? '';
};

/** Puts what failed (`The demo data could not be made in /home/me/.sluice`) before why it failed. */
export function startFailure(whatFailed: string, thrown: unknown): StartFailure {
  if (thrown instanceof StartFailure) return thrown;
  const message = messageOf(thrown);
  const code = systemCode(thrown) ?? SYSTEM_WORDS.find(([words]) => words.test(message))?.[1];
  const why = (code === undefined ? undefined : SYSTEM_SENTENCES[code]) ?? message.replace(/\.$/, '');
  return new StartFailure(`${whatFailed}: ${why}.`, thrown);
}
