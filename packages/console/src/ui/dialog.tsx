import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.tsx';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Called when the user closes the dialog. Undefined: only its own buttons close it. */
  readonly onClose?: () => void;
  /** `drawer`: as high as the window, at its start. Default: `m`. */
  readonly width?: 'm' | 'l' | 'drawer';
  /** `alertdialog` for a decision that the user must take before going on. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly children: ReactNode;
}

/** Open dialogs; the last one is above the others. */
const openDialogs: object[] = [];

/** Returns whether a dialog is open. It owns the keyboard. */
export const isDialogOpen = (): boolean => openDialogs.length > 0;

/** Modal dialog. The focus moves into it and returns afterwards; Escape closes it. */
export function Dialog({ title, isOpen, onClose, width = 'm', role = 'dialog', children }: DialogProps) {
  const element = useRef<HTMLElement>(null);
  const onKeyWithoutFocus = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose?.();
    else element.current?.focus();
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const own = {};
    openDialogs.push(own);
    // What had the focus is gone, such as the row of what was deleted: the key would reach nothing.
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.target === document.body && openDialogs.at(-1) === own) onKeyWithoutFocus(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      openDialogs.splice(openDialogs.indexOf(own), 1);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [isOpen]);
  return (
    <ModalOverlay
      className="dialog-overlay"
      isOpen={isOpen}
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(open) => open || onClose?.()}
    >
      <Modal className="dialog-modal" data-width={width}>
        <AriaDialog ref={element} className="dialog" role={role}>
          <Heading slot="title" className="dialog__title">
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Row of buttons at the end of a dialog; the main action comes last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="dialog__actions">{children}</div>;
}

interface ConfirmDialogProps {
  readonly title: string;
  /** Name of the button that goes on. */
  readonly action: string;
  /** Name of the button that changes nothing. */
  readonly cancel: string;
  readonly isOpen: boolean;
  /** Whether `children` are still loading, which disables the confirmation. Default: false. */
  readonly isWaiting?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** Consequences of the change. */
  readonly children: ReactNode;
}

/** Asks before a change that takes something away. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, cancel, isOpen, isWaiting = false, onConfirm, onClose, children } = props;
  return (
    <Dialog role="alertdialog" title={title} isOpen={isOpen} onClose={onClose}>
      {children}
      <DialogActions>
        <Button onPress={onClose}>{cancel}</Button>
        <Button
          kind="danger"
          isDisabled={isWaiting}
          onPress={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
