import type { ProblemCode } from './problem.ts';
import { ProblemError, type ProblemOptions } from './problem-error.ts';
import { type SentenceWithValues, SIGN_IN_SENTENCES, type SignInSentence, writeSentence } from './sign-in-sentences.ts';

interface SignInProblemOptions extends Omit<ProblemOptions, 'sentence'> {
  readonly values?: SentenceWithValues['values'];
}

/** Returns an error whose sentence the pages of sign-in show in the language of their reader. Its message is the English one. */
export function signInProblem(
  code: ProblemCode,
  name: SignInSentence,
  { values = {}, ...options }: SignInProblemOptions = {},
): ProblemError {
  return new ProblemError(code, writeSentence(SIGN_IN_SENTENCES[name], values), {
    ...options,
    sentence: { name, values },
  });
}
