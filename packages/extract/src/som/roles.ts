import type { Element } from '../dom/node.ts';
import type { Action, ElementRole } from './types.ts';

const aria: Readonly<Record<string, ElementRole>> = {
	button: 'button',
	link: 'link',
	checkbox: 'checkbox',
	switch: 'checkbox',
	menuitemcheckbox: 'checkbox',
	radio: 'radio',
	menuitemradio: 'radio',
	textbox: 'text_input',
	searchbox: 'text_input',
	slider: 'text_input',
	spinbutton: 'text_input',
	option: 'button',
	menuitem: 'button',
	tab: 'button',
	img: 'image',
	heading: 'heading',
	separator: 'separator',
	group: 'group',
	radiogroup: 'group',
};
const tags: Readonly<Record<string, ElementRole>> = {
	button: 'button',
	textarea: 'textarea',
	select: 'select',
	h1: 'heading',
	h2: 'heading',
	h3: 'heading',
	h4: 'heading',
	h5: 'heading',
	h6: 'heading',
	img: 'image',
	ul: 'list',
	ol: 'list',
	menu: 'list',
	table: 'table',
	p: 'paragraph',
	hr: 'separator',
	fieldset: 'group',
	details: 'details',
	iframe: 'iframe',
	section: 'section',
	article: 'section',
};
const inputs: Readonly<Record<string, ElementRole | null>> = {
	submit: 'button',
	button: 'button',
	reset: 'button',
	image: 'button',
	checkbox: 'checkbox',
	radio: 'radio',
	hidden: null,
};

/** Actions of each role (SOM-SPEC §4.2); other roles have none. */
export const actionsOfRole: Readonly<Partial<Record<ElementRole, readonly Action[]>>> = {
	link: ['click'],
	button: ['click'],
	text_input: ['type', 'clear'],
	textarea: ['type', 'clear'],
	select: ['select'],
	checkbox: ['toggle'],
	radio: ['select'],
	details: ['toggle'],
};

/** The role of an element: its first known ARIA role, else its tag (SOM-SPEC §4.5); undefined = only a container. */
export function elementRoleOf(element: Element): ElementRole | undefined {
	const { role } = element.attributes;
	if (role !== undefined) {
		for (const token of role.toLowerCase().split(/\s+/)) if (Object.hasOwn(aria, token)) return aria[token];
	}
	if (element.tag === 'a') return element.attributes.href === undefined ? undefined : 'link';
	if (element.tag === 'input') {
		const type = element.attributes.type?.trim().toLowerCase() ?? '';
		return Object.hasOwn(inputs, type) ? (inputs[type] ?? undefined) : 'text_input';
	}
	return Object.hasOwn(tags, element.tag) ? tags[element.tag] : undefined;
}
