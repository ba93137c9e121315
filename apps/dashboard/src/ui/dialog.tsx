import { X } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** A dialog over the page. The browser keeps the focus in it, closes it by Escape and gives the focus back. */
export function Dialog({
	title,
	isOpen,
	onClose,
	actions,
	children,
}: {
	title: string;
	isOpen: boolean;
	onClose: () => void;
	/** Buttons, the main one last. */
	actions?: ComponentChildren;
	children: ComponentChildren;
}) {
	const dialog = useRef<HTMLDialogElement>(null);
	const id = useId();
	useEffect(() => {
		const { current } = dialog;
		if (isOpen && current?.open === false) current.showModal();
		if (!isOpen && current?.open === true) current.close();
	}, [isOpen]);
	return (
		<dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
			<div class="dialog-head">
				<h2 id={id}>{title}</h2>
				<button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
					<Icon of={X} />
				</button>
			</div>
			{isOpen && children}
			{actions !== undefined && <div class="dialog-actions">{actions}</div>}
		</dialog>
	);
}
