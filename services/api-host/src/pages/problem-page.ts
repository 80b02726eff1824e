import { escapeHtml, type ProblemPage, pageLanguage } from '@sluice/http';
import { page } from './page.ts';
import { problemSentence } from './problem-sentence.ts';
import { SIGN_IN_MESSAGES } from './sign-in-messages.ts';

/** Shows an error of sign-in that has no page with a way on, such as an unknown tenant or an internal error. */
export const problemPage: ProblemPage = (problem, { headers, requestId }) => {
  const language = pageLanguage(headers);
  const { signIn, requestId: label } = SIGN_IN_MESSAGES[language];
  return page({
    status: problem.status,
    title: signIn,
    language,
    headers: { 'referrer-policy': 'no-referrer' },
    body: `<p role="alert">${escapeHtml(problemSentence(problem, language))}</p>
<p>${label}: <code>${escapeHtml(requestId)}</code></p>`,
  });
};
