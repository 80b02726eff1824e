import type { ElementType, FormEventHandler, ReactNode, Ref } from 'react';
import './layout.css';

interface StackProps {
  /** Default: `div`. */
  readonly as?: 'div' | 'form' | 'section' | 'fieldset';
  readonly gap?: 's' | 'm';
  /** Longest line. Default: none. */
  readonly width?: 'text' | 'dialog';
  /** Accessible name, for a section. */
  readonly label?: string;
  /** Sends the form. The page is not left. */
  readonly onSubmit?: () => unknown;
  readonly ref?: Ref<HTMLElement>;
  /** -1 for a place that gets the focus from the code only. */
  readonly tabIndex?: -1;
  readonly role?: 'alert' | 'status';
  readonly children: ReactNode;
}

/** Parts below each other with equal gaps. */
export function Stack({ as = 'div', gap = 'm', width, label, onSubmit, children, ...rest }: StackProps) {
  const Tag = as as ElementType;
  const submit: FormEventHandler = (event) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <Tag
      {...rest}
      className="stack"
      data-gap={gap}
      data-width={width}
      aria-label={label}
      {...(as === 'form' && { onSubmit: submit })}
    >
      {children}
    </Tag>
  );
}

/** Parts beside each other, such as the buttons of a form. They wrap. */
export function Row({ children }: { readonly children: ReactNode }) {
  return <div className="row">{children}</div>;
}

interface SectionProps extends Pick<StackProps, 'gap' | 'width' | 'children'> {
  readonly title: string;
}

/** Part of a page with its own heading. */
export function Section({ title, children, ...rest }: SectionProps) {
  return (
    <Stack as="section" label={title} {...rest}>
      <h2 className="section__title">{title}</h2>
      {children}
    </Stack>
  );
}

interface NoteProps {
  readonly size?: 's' | 'm';
  readonly role?: 'status';
  readonly children: ReactNode;
}

/** Sentence about the parts around it. */
export function Note({ size = 'm', role, children }: NoteProps) {
  return (
    <p className="note" data-size={size} role={role}>
      {children}
    </p>
  );
}
