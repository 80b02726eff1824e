import { mistakesIn } from '../api/describe-error.ts';
import { VisibleText } from '../ui/visible-text.tsx';

/** Every mistake that the host has found in a file, with its place. One alone is in the message of the failure. */
export function FileMistakes({ error }: { readonly error: unknown }) {
  const mistakes = mistakesIn(error);
  if (mistakes.length < 2) return null;
  return (
    <ul>
      {mistakes.map(({ path, message }) => (
        <li key={`${path}\n${message}`}>
          <code>
            <VisibleText text={path} />
          </code>{' '}
          <VisibleText text={message} />
        </li>
      ))}
    </ul>
  );
}
