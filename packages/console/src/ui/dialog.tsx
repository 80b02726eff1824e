import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Called when the user closes the dialog. Undefined: only its own buttons close it. */
  readonly onClose?: () => void;
  readonly width?: 'm' | 'l';
  /** `alertdialog` for a decision that the user must take before going on. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly children: ReactNode;
}

/** Modal dialog. The focus moves into it and returns afterwards; Escape closes it. */
export function Dialog({ title, isOpen, onClose, width = 'm', role = 'dialog', children }: DialogProps) {
  return (
    <ModalOverlay
      className="dialog-overlay"
      isOpen={isOpen}
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(open) => open || onClose?.()}
    >
      <Modal className="dialog-modal" data-width={width}>
        <AriaDialog className="dialog" role={role}>
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
