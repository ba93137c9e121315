const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const amount = { type: 'number', minimum: 0 };
const code = { type: 'string', pattern: '^[A-Z]{3}$' };
const date = { type: 'string', format: 'date' };

/** Selectors of pages that have no other marks. */
const on = (...alternatives: string[]) => ({ 'x-select': { 'bare.example': alternatives } });

const product = {
	title: 'Product',
	type: 'object',
	required: ['name'],
	properties: {
		name: { ...text, ...on('.pdp-head h1') },
		brand: { ...text, ...on('.pdp-head .by b') },
		gtin: { type: 'string', pattern: '^[0-9]{8,14}$', ...on('dl.ids dd.ean') },
		price: { ...amount, ...on('#price output') },
		currency: { ...code, ...on('#price output') },
		inStock: { type: 'boolean', ...on('#stock') },
		colour: { ...text, 'x-labels': ['Colour', 'Color', 'Farbe', 'Couleur', 'Färg', 'Kolor'] },
		weightKg: { ...amount, 'x-labels': ['Weight', 'Gewicht', 'Poids', 'Vikt', 'Waga'] },
		rating: { type: 'number', minimum: 0, maximum: 5, ...on('#score@data-score') },
	},
};

const job = {
	title: 'Job',
	type: 'object',
	required: ['title'],
	properties: {
		title: { ...text, ...on('#ad h2') },
		company: { ...text, ...on('#ad .org') },
		city: { ...text, ...on('#ad .town') },
		postedOn: { ...date, ...on('#ad time.up@datetime') },
		applyBy: { ...date, ...on('#ad time.end@datetime') },
		employmentType: { enum: ['FULL_TIME', 'PART_TIME', 'CONTRACTOR', 'TEMPORARY', 'INTERN'], ...on('#ad .mode') },
		salaryMin: { ...amount, ...on('#ad .low') },
		salaryMax: { ...amount, ...on('#ad .high') },
		salaryCurrency: { ...code, ...on('#ad .low') },
	},
};

const event = {
	title: 'Event',
	type: 'object',
	required: ['name'],
	properties: {
		name: { ...text, ...on('article > h1') },
		startDate: { ...date, ...on('.when time:first-of-type@datetime') },
		endDate: { ...date, ...on('.when time:last-of-type@datetime') },
		venue: { ...text, ...on('.at') },
		city: { ...text, ...on('.in') },
		organizer: { ...text, ...on('.host') },
		price: { ...amount, ...on('.entry') },
		currency: { ...code, ...on('.entry') },
	},
};

const recipe = {
	title: 'Recipe',
	type: 'object',
	required: ['name'],
	properties: {
		name: { ...text, ...on('.dish') },
		author: { ...text, ...on('.cook') },
		prepMinutes: { ...count, ...on('.t-prep') },
		cookMinutes: { ...count, ...on('.t-cook') },
		servings: { ...count, ...on('.n') },
		calories: { ...count, ...on('.kcal') },
		ingredients: { type: 'array', items: text, minItems: 1, ...on('.in > p') },
		steps: { type: 'array', items: text, minItems: 1, ...on('.do > p') },
	},
};

export const unseenSchemas = { product, job, event, recipe };
