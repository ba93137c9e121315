const text = { type: 'string' };

/** Selectors of the shop, the board, the calendar and the cookbook that have no other marks. */
const select = (...alternatives: string[]) => ({ 'x-select': { 'plain.example': alternatives } });

export const product = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'Product',
	type: 'object',
	required: ['name', 'price', 'currency'],
	properties: {
		name: { ...text, ...select('h1.title') },
		price: { type: 'number', minimum: 0, ...select('.buy .now') },
		currency: { ...text, ...select('.buy .now') },
		availability: { enum: ['InStock', 'OutOfStock', 'PreOrder'], ...select('link.stock@href') },
		brand: { ...text, ...select('a.maker') },
		sku: { ...text, ...select('[data-sku]@data-sku') },
		rating: { type: 'number', maximum: 5, ...select('.score@data-value') },
		reviewCount: { type: 'integer', ...select('.score b') },
		material: { ...text, ...select('th:contains("Material") + td') },
		image: { type: 'string', format: 'uri', ...select('figure.main img@src') },
	},
};

const types = ['FULL_TIME', 'PART_TIME', 'CONTRACTOR', 'TEMPORARY', 'INTERN'];

export const job = {
	$schema: 'http://json-schema.org/draft-07/schema#',
	title: 'Job posting',
	type: 'object',
	required: ['title', 'company'],
	properties: {
		title: { ...text, ...select('h1') },
		company: { ...text, ...select('.employer a') },
		location: {
			type: 'object',
			properties: { city: { ...text, ...select('.place b') }, country: { ...text, ...select('.place i') } },
		},
		datePosted: { type: 'string', format: 'date', ...select('time.posted@datetime') },
		deadline: { type: ['string', 'null'], format: 'date', ...select('time.until@datetime') },
		employmentType: { enum: types, ...select('.kind') },
		salaryMin: { type: 'number', ...select('.pay .from') },
		salaryMax: { type: 'number', ...select('.pay .to') },
		salaryCurrency: { ...text, ...select('.pay .code') },
	},
};

export const event = {
	title: 'Event',
	type: 'object',
	$defs: {
		place: {
			type: 'object',
			properties: {
				name: { ...text, ...select('.where strong') },
				street: { ...text, ...select('.where .street') },
				city: { ...text, ...select('.where .city') },
			},
		},
	},
	properties: {
		name: { ...text, ...select('h1') },
		startDate: { type: 'string', format: 'date', ...select('time.begin@datetime') },
		endDate: { type: 'string', format: 'date', ...select('time.finish@datetime') },
		venue: { $ref: '#/$defs/place' },
		organizer: { ...text, ...select('.by') },
		performers: { type: 'array', items: text, ...select('ul.acts li') },
		price: { type: 'number', ...select('.ticket .amount') },
		currency: { ...text, ...select('.ticket .amount') },
	},
};

export const recipe = {
	title: 'Recipe',
	type: 'object',
	required: ['name', 'ingredients'],
	properties: {
		name: { ...text, ...select('h1') },
		ingredients: { type: 'array', items: text, minItems: 1, ...select('.needs li') },
		steps: {
			type: 'array',
			items: { type: 'object', properties: { text: { ...text, 'x-select': '.do' } } },
			...select('.way .step'),
		},
		prepTime: { type: 'string', format: 'duration', ...select('.prep') },
		cookTimeMinutes: { type: 'integer', ...select('.cook') },
		servings: { ...text, ...select('.serves b') },
		cuisine: { ...text, ...select('.cuisine') },
	},
};

export const schemas = { product, job, event, recipe };
export type Kind = keyof typeof schemas;
