import { VisibleText } from '../ui/visible-text.tsx';
import './quote.css';

/** Block quote of a user's text, such as the reason of a request. Line breaks are kept. */
export function Quote({ text }: { readonly text: string }) {
  return (
    <blockquote className="quote">
      <VisibleText text={text} lines="keep" />
    </blockquote>
  );
}
