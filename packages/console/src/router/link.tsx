import type { ComponentProps, MouseEvent } from 'react';
import { hrefOf, navigate } from './router.ts';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** Path below `/console`. */
  readonly to: string;
}

/** Returns whether the click asks for a new tab or window, which the browser opens itself. */
const opensElsewhere = (event: MouseEvent): boolean =>
  event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;

/** Link to another page of the console, which is shown without loading anything again. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={hrefOf(to)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || opensElsewhere(event)) return;
        event.preventDefault();
        navigate(to);
      }}
    />
  );
}
