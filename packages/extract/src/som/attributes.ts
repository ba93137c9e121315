import type { Element } from '../dom/node.ts';
import { textContent, walk } from '../dom/walk.ts';
import { normalise, truncate } from './text.ts';
import type { ElementRole, SomAttributes, SomOption } from './types.ts';

/** Properties that an element inherits. */
export interface Inherited {
	disabled: boolean;
	inert: boolean;
	inForm: boolean;
}

const textTypes: ReadonlySet<string> = new Set(['text', 'email', 'password', 'search', 'tel', 'url', 'number']);
/** Long addresses made of data say nothing and cost much. */
const maxAddress = 2_000;

/** Kept as they are wherever they occur (SOM-SPEC §4.3, "Global actionability attributes"). */
const globalAttributes = [
	'name',
	'accept',
	'autocomplete',
	'inputmode',
	'enterkeyhint',
	'autocapitalize',
	'dirname',
	'form',
	'list',
	'popovertarget',
	'popovertargetaction',
	'commandfor',
	'command',
	'popover',
	'formaction',
	'formmethod',
	'formenctype',
	'formtarget',
	'accesskey',
	'step',
	'pattern',
] as const;
const numbers = ['tabindex', 'minlength', 'maxlength', 'min', 'max', 'size'] as const;
const states = ['contenteditable', 'draggable', 'spellcheck'] as const;
const booleanAria: ReadonlySet<string> = new Set(
	'expanded selected readonly disabled pressed hidden busy atomic multiline multiselectable grabbed'.split(' '),
);
const ariaKeys = new Map(
	(
		'expanded selected checked readonly disabled current pressed hidden controls haspopup invalid placeholder ' +
		'autocomplete activedescendant errormessage keyshortcuts roledescription busy live atomic relevant owns flowto ' +
		'details multiline multiselectable orientation sort level posinset setsize grabbed dropeffect valuemin valuemax ' +
		'valuenow valuetext'
	)
		.split(' ')
		.map((name) => [`aria-${name}`, name === 'activedescendant' ? 'active_descendant' : name]),
);

/** The attributes of an element by its role, then the ones that any element may carry; undefined when there are none. */
export function attributesOf(
	element: Element,
	role: ElementRole,
	inherited: Inherited,
	description: string | undefined,
): SomAttributes | undefined {
	const attrs: SomAttributes = {};
	byRole(element, role, attrs, inherited);
	if (hasSpecial(element)) everywhere(element, role, attrs, inherited);
	if (inherited.inert && isControl(role)) attrs.inert = true;
	if (description !== undefined) attrs.description = truncate(description, 200);
	const aria = ariaOf(element);
	if (aria !== undefined) attrs.aria = aria;
	return Object.keys(attrs).length > 0 ? attrs : undefined;
}

function hasSpecial(element: Element): boolean {
	for (const name in element.attributes) if (name !== 'class' && name !== 'id' && name !== 'style') return true;
	return false;
}

function isControl(role: ElementRole): boolean {
	return (
		role === 'button' ||
		role === 'text_input' ||
		role === 'textarea' ||
		role === 'select' ||
		role === 'checkbox' ||
		role === 'radio'
	);
}

function byRole(element: Element, role: ElementRole, attrs: SomAttributes, inherited: Inherited): void {
	const { attributes: a, tag } = element;
	switch (role) {
		case 'link':
			if (a.href !== undefined && a.href.length <= maxAddress) attrs.href = a.href.trim();
			copy(a, attrs, ['target', 'rel', 'hreflang', 'type', 'referrerpolicy']);
			if (a.download !== undefined) attrs.download = a.download === '' ? true : a.download;
			return;
		case 'heading':
			attrs.level = levelOf(element);
			return;
		case 'image':
			image(element, attrs);
			return;
		case 'details':
			if (a.open !== undefined) attrs.open = true;
			return;
		case 'iframe':
			copy(a, attrs, ['src', 'name', 'sandbox', 'allow', 'width', 'height']);
			if (a.srcdoc !== undefined) {
				attrs.has_srcdoc = true;
				attrs.srcdoc_preview = truncate(normalise(a.srcdoc.replace(/<[^>]*>/g, ' ')), 80);
			}
			return;
		case 'text_input':
			textInput(element, attrs);
			break;
		case 'textarea': {
			copy(a, attrs, ['placeholder']);
			const value = normalise(textContent(element));
			if (value !== '') attrs.value = truncate(value, 200);
			break;
		}
		case 'select':
			select(element, attrs);
			break;
		case 'checkbox':
		case 'radio':
			if (a.checked !== undefined) attrs.checked = true;
			if (role === 'radio' && a.name) attrs.group = a.name;
			break;
		case 'button':
			if (tag === 'button' && (a.type !== undefined || inherited.inForm))
				attrs.button_type = a.type?.toLowerCase() || 'submit';
			break;
		default:
			return;
	}
	if (a.required !== undefined || a['aria-required'] === 'true') attrs.required = true;
	if (a.readonly !== undefined) attrs.readonly = true;
	if (a.disabled !== undefined || inherited.disabled || a['aria-disabled'] === 'true') attrs.disabled = true;
}

function levelOf(element: Element): number {
	const [, digit] = /^h([1-6])$/.exec(element.tag) ?? [];
	const level = Number(digit ?? element.attributes['aria-level'] ?? 2);
	return Number.isInteger(level) ? Math.min(6, Math.max(1, level)) : 2;
}

function image(element: Element, attrs: SomAttributes): void {
	const { alt, src, title } = element.attributes;
	const text = normalise(alt ?? element.attributes['aria-label'] ?? title ?? '');
	if (text !== '') attrs.alt = truncate(text, 200);
	const address = src === undefined || src.startsWith('data:') ? element.attributes['data-src'] : src;
	if (address !== undefined && address.length <= maxAddress) attrs.src = address.trim();
}

function textInput(element: Element, attrs: SomAttributes): void {
	const { attributes: a, tag } = element;
	const type = a.type?.trim().toLowerCase() || 'text';
	if (tag === 'input' && textTypes.has(type)) attrs.input_type = type;
	if (a.value && type !== 'password') attrs.value = truncate(a.value, 200);
	copy(a, attrs, ['placeholder']);
	if (a.capture !== undefined) attrs.capture = a.capture === '' ? true : a.capture;
}

function select(element: Element, attrs: SomAttributes): void {
	const options: SomOption[] = [];
	walk(element, (node) => {
		if (node.kind === 'element' && node.tag === 'option') options.push(option(node));
		return node.kind === 'element' && node.tag !== 'option';
	});
	if (options.length > 0) attrs.options = options;
	const chosen = options.filter((one) => one.selected);
	if (element.attributes.multiple !== undefined) {
		attrs.multiple = true;
		if (chosen.length > 0) attrs.selected_values = chosen.map((one) => one.value);
		return;
	}
	const value = chosen.at(-1)?.value ?? options[0]?.value;
	if (value !== undefined) attrs.value = value;
}

function option(element: Element): SomOption {
	const text = truncate(normalise(textContent(element)), 200);
	const group = element.parent?.tag === 'optgroup' ? element.parent : undefined;
	const disabled = element.attributes.disabled !== undefined || group?.attributes.disabled !== undefined;
	return {
		value: element.attributes.value ?? text,
		text,
		...(element.attributes.selected !== undefined ? { selected: true } : {}),
		...(disabled ? { disabled: true } : {}),
		...(group?.attributes.label ? { group: group.attributes.label } : {}),
	};
}

function everywhere(element: Element, role: ElementRole, attrs: SomAttributes, inherited: Inherited): void {
	const { attributes: a } = element;
	copy(a, attrs, globalAttributes);
	if (role === 'radio') delete attrs.name;
	for (const name of numbers) {
		const value = a[name];
		if (value === undefined || (name === 'size' && role !== 'select')) continue;
		attrs[name] = /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
	}
	for (const name of states) {
		const value = a[name];
		if (value !== undefined) attrs[name] = value === '' || value === 'true' ? true : value === 'false' ? false : value;
	}
	if (a.formnovalidate !== undefined) attrs.formnovalidate = true;
	if (a.role !== undefined) attrs.source_role = a.role;
	const testId = a['data-testid'] ?? a['data-test'] ?? a['data-qa'];
	if (testId) attrs.test_id = testId;
	if (a.inert !== undefined || (inherited.inert && isControl(role))) attrs.inert = true;
}

function ariaOf(element: Element): Record<string, boolean | string> | undefined {
	let aria: Record<string, boolean | string> | undefined;
	for (const name in element.attributes) {
		const key = ariaKeys.get(name);
		if (key === undefined) continue;
		const value = element.attributes[name]!.trim();
		const state = value === 'true' ? true : value === 'false' ? false : value;
		// The schema wants a boolean for some of them: anything else is not a state.
		if (value === '' || (booleanAria.has(key) && typeof state === 'string')) continue;
		aria ??= {};
		aria[key] = stringAria.has(key) ? value : state;
	}
	return aria;
}

const stringAria: ReadonlySet<string> = new Set(
	[...ariaKeys.values()].filter(
		(key) => !booleanAria.has(key) && !['checked', 'current', 'haspopup', 'invalid'].includes(key),
	),
);

function copy(from: Readonly<Record<string, string>>, to: SomAttributes, names: readonly string[]): void {
	for (const name of names) {
		const value = from[name];
		if (value) to[name] = value;
	}
}
