import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog, Notice, TextField } from '../ui/index.ts';
import type { PolicyProblem, PolicyText } from './data.ts';
import { Diff } from './diff.tsx';

export interface Publication {
	readonly text: string;
	readonly note: string;
	/** `Roll back`, or `Publish`. */
	readonly action: string;
}

export interface PublishDialogProps {
	/** Undefined: the dialog is closed. */
	readonly publication: Publication | undefined;
	/** The text on disk. */
	readonly disk: PolicyText | undefined;
	readonly readOnly: string | undefined;
	readonly errors: readonly PolicyProblem[];
	readonly files: readonly string[];
	readonly key_: string;
	readonly onKey: (key: string) => void;
	readonly isBusy: boolean;
	readonly error: string | undefined;
	/** The file on disk changed meanwhile. */
	readonly conflict: PolicyText | undefined;
	readonly onTakeDisk: () => void;
	readonly onPublish: (publication: Publication) => void;
	readonly onClose: () => void;
}

/** Shows the changes, and asks for a note and the key. */
export function PublishDialog(props: PublishDialogProps) {
	const {
		publication,
		disk,
		readOnly,
		errors,
		files,
		key_,
		onKey,
		isBusy,
		error,
		conflict,
		onTakeDisk,
		onPublish,
		onClose,
	} = props;
	const [note, setNote] = useState('');
	const first = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (publication === undefined) return;
		setNote(publication.note);
		first.current?.querySelector<HTMLInputElement>(key_ === '' ? 'input[type=password]' : 'input')?.focus();
	}, [publication]);
	const why = readOnly ?? faultOf(publication, disk, errors);
	return (
		<Dialog title={publication?.action ?? 'Publish'} isOpen={publication !== undefined} onClose={onClose}>
			{publication !== undefined && (
				<form
					class="stack"
					onSubmit={(event) => {
						event.preventDefault();
						onPublish({ ...publication, note });
					}}
				>
					{why !== undefined && <Notice tone="warn" title={why} />}
					{error !== undefined && <Notice tone="bad" title={error} />}
					{conflict !== undefined && (
						<div class="stack">
							<p>
								Your text is still in the editor. Publishing again replaces the file on disk; its present text is kept
								among the versions.
							</p>
							<button type="button" onClick={onTakeDisk}>
								Put the file’s text into the editor instead
							</button>
						</div>
					)}
					{why === undefined && (
						<p>
							{files.length === 0
								? 'No published file changes.'
								: `The gateway serves ${files.length === 1 ? 'a new' : 'new'} ${files.join(', ')} at once. Agents may keep what they read for up to a day.`}
						</p>
					)}
					{disk !== undefined && (
						<details open={conflict !== undefined}>
							<summary>Changes in the policy file</summary>
							<Diff before={(conflict ?? disk).text} after={publication.text} names={['On disk', 'To be published']} />
						</details>
					)}
					<div class="stack" ref={first}>
						<TextField
							label="Note for the history"
							value={note}
							placeholder="Why this changes"
							onInput={(event) => setNote(event.currentTarget.value)}
						/>
						<TextField
							label="Key of the studio"
							type="password"
							required
							hint="The start of the gateway says where it is: .wayleave/studio.key"
							value={key_}
							onInput={(event) => onKey(event.currentTarget.value)}
						/>
					</div>
					<div class="dialog-actions">
						<button type="button" onClick={onClose}>
							Cancel
						</button>
						<button type="submit" class="primary" disabled={why !== undefined || isBusy}>
							{isBusy ? 'Publishing …' : publication.action}
						</button>
					</div>
				</form>
			)}
		</Dialog>
	);
}

function faultOf(
	publication: Publication | undefined,
	disk: PolicyText | undefined,
	errors: readonly PolicyProblem[],
): string | undefined {
	if (publication === undefined || publication.action !== 'Publish') return undefined;
	const [problem, ...others] = errors;
	if (problem !== undefined) {
		const more = others.length === 0 ? '' : ` and ${others.length} more`;
		return `This text cannot be published: line ${problem.line}: ${problem.sentence}${more}.`;
	}
	return disk?.text === publication.text
		? 'The text is the same as the file on disk: there is nothing to publish.'
		: undefined;
}
