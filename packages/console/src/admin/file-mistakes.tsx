import { ResponseError } from '@sluice/client';
import { VisibleText } from '../ui/visible-text.tsx';

/** Every mistake that the host has found in a file, with its place. One alone is in the message of the failure. */
export function FileMistakes({ error }: { readonly error: unknown }) {
  if (!(error instanceof ResponseError) || error.details.length < 2) return null;
  return (
    <ul>
      {error.details.map(({ path, message }) => (
        <li key={`${path}\n${message}`}>
          <code>
            <VisibleText text={path.replace(/^body\.?/, '')} />
          </code>{' '}
          <VisibleText text={message} />
        </li>
      ))}
    </ul>
  );
}
