export const regionRoles = ['navigation', 'main', 'aside', 'header', 'footer', 'form', 'dialog', 'content'] as const;

export const elementRoles = [
	'link',
	'button',
	'text_input',
	'textarea',
	'select',
	'checkbox',
	'radio',
	'heading',
	'image',
	'list',
	'table',
	'paragraph',
	'section',
	'group',
	'separator',
	'details',
	'iframe',
] as const;
