import { describe, expect, it } from '@jest/globals';
import { ProblemError, SIGN_IN_SENTENCES, type SignInSentence, signInProblem } from '@sluice/contract';
import { problemSentence } from './problem-sentence.ts';

const NAMES = Object.keys(SIGN_IN_SENTENCES) as SignInSentence[];
const OTHER_LANGUAGES = ['de', 'fr', 'es'] as const;

const placeholdersOf = (sentence: string): string[] => (sentence.match(/\{\w+\}/g) ?? []).sort();

describe('problemSentence', () => {
  it.each(OTHER_LANGUAGES)('has every sentence with the same values, and none in English (%s)', (language) => {
    for (const name of NAMES) {
      const problem = signInProblem('unauthorized', name);
      const sentence = problemSentence(problem, language);
      expect(sentence).not.toBe(problemSentence(problem, 'en'));
      expect([name, placeholdersOf(sentence)]).toEqual([name, placeholdersOf(SIGN_IN_SENTENCES[name])]);
    }
  });

  it('inserts values as they are', () => {
    const problem = signInProblem('too_many_requests', 'too_many_failures', { values: { seconds: '$&' } });
    expect(problem.message).toBe('Too many failed attempts. Try again in $& s.');
    expect(problemSentence(problem, 'de')).toBe('Zu viele Fehlversuche. Versuchen Sie es in $& s noch einmal.');
  });

  it.each(OTHER_LANGUAGES)('says in general what other errors mean (%s)', (language) => {
    const outage = new ProblemError('service_unavailable', 'The database is unavailable.');
    const rejected = new ProblemError('access_denied', 'Only pages of this host may send this request.');
    expect(problemSentence(outage, 'en')).toBe('The database is unavailable.');
    const sentences = [outage, rejected].map((problem) => problemSentence(problem, language));
    expect(new Set(sentences).size).toBe(2);
    for (const sentence of sentences) expect(sentence).not.toMatch(/database|pages of/);
  });
});
