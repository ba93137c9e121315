import type {
	ComponentChildren,
	InputHTMLAttributes,
	SelectHTMLAttributes,
	TargetedEvent,
	TextareaHTMLAttributes,
} from 'preact';
import { useId } from 'preact/hooks';

interface Labelled {
	readonly label: string;
	/** Below the field: an example, or what it is for. */
	readonly hint?: ComponentChildren | undefined;
	/** Wrong input: what is wrong and what to enter. */
	readonly error?: string | undefined;
}

/** Attributes and listeners of the field itself. */
interface FieldAttributes<Field extends EventTarget> {
	readonly name?: string;
	readonly value?: string;
	readonly defaultValue?: string;
	readonly placeholder?: string;
	readonly title?: string;
	readonly required?: boolean;
	readonly disabled?: boolean;
	readonly readOnly?: boolean;
	readonly onInput?: (event: TargetedEvent<Field>) => void;
	readonly onChange?: (event: TargetedEvent<Field>) => void;
	readonly onKeyDown?: (event: TargetedEvent<Field, KeyboardEvent>) => void;
}

function Labels({
	label,
	hint,
	error,
	children,
}: Labelled & { children: (ids: { id: string; describedBy: string | undefined }) => ComponentChildren }) {
	const id = useId();
	const parts = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
	return (
		<div class="field">
			<label for={id}>{label}</label>
			{children({ id, describedBy: parts.length > 0 ? parts.join(' ') : undefined })}
			{hint !== undefined && (
				<p class="hint" id={`${id}-hint`}>
					{hint}
				</p>
			)}
			{error !== undefined && (
				<p class="field-error" id={`${id}-error`}>
					{error}
				</p>
			)}
		</div>
	);
}

/** A line of text. */
export function TextField({
	label,
	hint,
	error,
	...input
}: Labelled &
	FieldAttributes<HTMLInputElement> & {
		type?: 'text' | 'search' | 'url' | 'password' | 'number' | 'datetime-local';
		inputMode?: 'numeric' | 'url';
		pattern?: string;
		/** Id of a `datalist` with suggestions. */
		list?: string;
	}) {
	return (
		<Labels label={label} hint={hint} error={error}>
			{({ id, describedBy }) => (
				<input
					autocomplete="off"
					{...(input as InputHTMLAttributes<HTMLInputElement>)}
					id={id}
					aria-describedby={describedBy}
					aria-invalid={error === undefined ? undefined : true}
				/>
			)}
		</Labels>
	);
}

/** Several lines of text. */
export function TextArea({
	label,
	hint,
	error,
	...area
}: Labelled & FieldAttributes<HTMLTextAreaElement> & { rows?: number }) {
	return (
		<Labels label={label} hint={hint} error={error}>
			{({ id, describedBy }) => (
				<textarea
					spellcheck={false}
					{...(area as TextareaHTMLAttributes<HTMLTextAreaElement>)}
					id={id}
					aria-describedby={describedBy}
					aria-invalid={error === undefined ? undefined : true}
				/>
			)}
		</Labels>
	);
}

/** One of a few values. @param options value → name for people */
export function Select({
	label,
	hint,
	error,
	options,
	value,
	...select
}: Labelled & { options: Readonly<Record<string, string>> } & FieldAttributes<HTMLSelectElement>) {
	return (
		<Labels label={label} hint={hint} error={error}>
			{({ id, describedBy }) => (
				<select {...(select as SelectHTMLAttributes<HTMLSelectElement>)} id={id} aria-describedby={describedBy}>
					{Object.entries(options).map(([name, text]) => (
						<option key={name} value={name} selected={name === value}>
							{text}
						</option>
					))}
				</select>
			)}
		</Labels>
	);
}

/** On or off, at once. */
export function Switch({
	label,
	isOn,
	onChange,
	disabled = false,
}: {
	label: string;
	isOn: boolean;
	onChange: (isOn: boolean) => void;
	disabled?: boolean;
}) {
	return (
		<label class="switch">
			<input
				type="checkbox"
				role="switch"
				checked={isOn}
				aria-checked={isOn}
				disabled={disabled}
				onChange={(event) => onChange(event.currentTarget.checked)}
			/>
			<span>{label}</span>
		</label>
	);
}

/** One of two to five values, all of them in sight. @param options value → name for people */
export function Choice<Value extends string>({
	label,
	options,
	value,
	onChange,
}: {
	label: string;
	options: Readonly<Record<Value, string>>;
	value: Value | undefined;
	onChange: (value: Value) => void;
}) {
	const name = useId();
	return (
		<fieldset class="choice">
			<legend class="quiet">{label}</legend>
			{(Object.entries(options) as [Value, string][]).map(([each, text]) => (
				<label key={each}>
					<input type="radio" name={name} value={each} checked={each === value} onChange={() => onChange(each)} />
					<span>{text}</span>
				</label>
			))}
		</fieldset>
	);
}
