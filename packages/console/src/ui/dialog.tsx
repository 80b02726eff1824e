import { type ReactNode, useRef } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.tsx';
import { useOpenDialog } from './open-dialogs.ts';
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

/** Modal dialog. The focus moves into it and returns afterwards; Escape closes it. */
export function Dialog({ title, isOpen, onClose, width = 'm', role = 'dialog', children }: DialogProps) {
  const element = useRef<HTMLElement>(null);
  useOpenDialog(isOpen, (event) => {
    if (event.key === 'Escape') onClose?.();
    else element.current?.focus();
  });
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
