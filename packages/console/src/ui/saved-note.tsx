import { useEffect, useRef } from 'react';
import { AuditLogLink } from './audit-log-link.tsx';
import { Icon } from './icon.tsx';
import './saved-note.css';

interface SavedNoteProps {
  readonly text: string;
  /** Id of the request that made the change. */
  readonly requestId: string;
}

/** Says that a change is stored, with a link to its audit record for users who may read it. */
export function SavedNote({ text, requestId }: SavedNoteProps) {
  const note = useRef<HTMLParagraphElement>(null);
  // The form that was saved may have been longer than the page.
  useEffect(() => void note.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <p ref={note} className="saved-note" role="status">
      <Icon name="check" />
      <span>{text}</span>
      <AuditLogLink search={{ requestId }} />
    </p>
  );
}
