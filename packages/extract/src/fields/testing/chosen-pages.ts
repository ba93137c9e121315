import { eventFacts, jobFacts, type MadePage, other, productFacts, prose, recipeFacts, sayings } from './facts.ts';
import type { Kind } from './schemas.ts';
import { Seeded } from './seeded.ts';

/** The half of the pages on which the rules were chosen. */

type Linked = Record<string, unknown>;
type Facts =
	| ReturnType<typeof productFacts>
	| ReturnType<typeof jobFacts>
	| ReturnType<typeof eventFacts>
	| ReturnType<typeof recipeFacts>;

const makers: Record<
	Kind,
	{ facts(random: Seeded): Facts; linked(facts: never): Linked; rows(facts: never): [string, string][] }
> = {
	product: {
		facts: productFacts,
		linked: (facts: ReturnType<typeof productFacts>) => ({
			'@type': 'Product',
			name: facts.name,
			image: [facts.image, 'https://cdn.example/img/side.jpg'],
			sku: facts.sku,
			brand: { '@type': 'Brand', name: facts.brand },
			material: facts.material,
			aggregateRating: { '@type': 'AggregateRating', ratingValue: `${facts.rating}`, reviewCount: facts.reviewCount },
			review: {
				'@type': 'Review',
				author: 'Ann',
				reviewRating: { '@type': 'Rating', ratingValue: 1 },
				reviewBody: sayings[1],
			},
			offers: {
				'@type': 'Offer',
				price: facts.price.toFixed(2),
				priceCurrency: facts.currency,
				availability: `https://schema.org/${facts.availability}`,
			},
		}),
		rows: (facts: ReturnType<typeof productFacts>) => [
			[
				'Price',
				`<del>${(facts.price * 1.2).toFixed(2)} ${facts.currency}</del> ${facts.price.toFixed(2)} ${facts.currency}`,
			],
			[
				'Availability',
				{ InStock: 'In stock', OutOfStock: 'Out of stock', PreOrder: 'Pre-order' }[facts.availability] ?? '',
			],
			['Brand', facts.brand],
			['SKU', facts.sku],
			['Rating', `${facts.rating}`],
			['Reviews', `${facts.reviewCount}`],
			['Material', facts.material],
		],
	},
	job: {
		facts: jobFacts,
		linked: (facts: ReturnType<typeof jobFacts>) => ({
			'@type': 'JobPosting',
			title: facts.title,
			hiringOrganization: { '@type': 'Organization', name: facts.company },
			jobLocation: {
				'@type': 'Place',
				address: {
					'@type': 'PostalAddress',
					addressLocality: facts.location.city,
					addressCountry: facts.location.country,
				},
			},
			datePosted: `${facts.datePosted}T08:00:00+01:00`,
			validThrough: facts.deadline,
			employmentType: facts.employmentType,
			baseSalary: {
				'@type': 'MonetaryAmount',
				currency: facts.salaryCurrency,
				value: { '@type': 'QuantitativeValue', minValue: facts.salaryMin, maxValue: facts.salaryMax, unitText: 'YEAR' },
			},
		}),
		rows: (facts: ReturnType<typeof jobFacts>) => [
			['Employer', facts.company],
			['City', facts.location.city],
			['Country', facts.location.country],
			['Date posted', long(facts.datePosted)],
			['Closing date', long(facts.deadline)],
			[
				'Contract type',
				{
					FULL_TIME: 'Full time',
					PART_TIME: 'Part time',
					CONTRACTOR: 'Contractor',
					TEMPORARY: 'Temporary',
					INTERN: 'Intern',
				}[facts.employmentType] ?? '',
			],
			['Salary min', facts.salaryMin.toLocaleString('en-US')],
			['Salary max', facts.salaryMax.toLocaleString('en-US')],
			['Salary currency', facts.salaryCurrency],
		],
	},
	event: {
		facts: eventFacts,
		linked: (facts: ReturnType<typeof eventFacts>) => ({
			'@type': 'MusicEvent',
			name: facts.name,
			startDate: `${facts.startDate}T19:30`,
			endDate: facts.endDate,
			location: {
				'@type': 'Place',
				name: facts.venue.name,
				address: { '@type': 'PostalAddress', streetAddress: facts.venue.street, addressLocality: facts.venue.city },
			},
			organizer: { '@type': 'Organization', name: facts.organizer },
			performer: facts.performers.map((name) => ({ '@type': 'MusicGroup', name })),
			offers: { '@type': 'Offer', price: facts.price, priceCurrency: facts.currency },
		}),
		rows: (facts: ReturnType<typeof eventFacts>) => [
			['Start date', long(facts.startDate)],
			['End date', long(facts.endDate)],
			['Venue', facts.venue.name],
			['Street', facts.venue.street],
			['City', facts.venue.city],
			['Organiser', facts.organizer],
			['Performers', facts.performers.join(', ')],
			['Ticket price', `${facts.price.toFixed(2)} ${facts.currency}`],
			['Currency', facts.currency],
		],
	},
	recipe: {
		facts: recipeFacts,
		linked: (facts: ReturnType<typeof recipeFacts>) => ({
			'@type': 'Recipe',
			name: facts.name,
			recipeIngredient: facts.ingredients,
			recipeInstructions: facts.steps.map(({ text }) => ({ '@type': 'HowToStep', text })),
			prepTime: facts.prepTime,
			cookTime: `PT${facts.cookTimeMinutes}M`,
			recipeYield: facts.servings,
			recipeCuisine: facts.cuisine,
		}),
		rows: (facts: ReturnType<typeof recipeFacts>) => [
			['Prep time', facts.prepTime.replace(/PT(\d+)M/, '$1 min')],
			['Cook time', `${facts.cookTimeMinutes} minutes`],
			['Serves', facts.servings],
			['Cuisine', facts.cuisine],
		],
	},
};

const long = (date: string): string =>
	new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** An item in the attributes of microdata or of RDFa, nested as the object is. */
function marked(item: Linked, syntax: 'microdata' | 'rdfa', property = ''): string {
	const isMicrodata = syntax === 'microdata';
	const name = (key: string): string => (key === '' ? '' : isMicrodata ? ` itemprop="${key}"` : ` property="${key}"`);
	const scope = isMicrodata
		? `itemscope itemtype="https://schema.org/${item['@type']}"`
		: `typeof="${property === '' ? 'schema:' : ''}${item['@type']}"`;
	const inner = Object.entries(item)
		.filter(([key]) => key !== '@type')
		.flatMap(([key, value]) =>
			Array.isArray(value) ? value.map((one): [string, unknown] => [key, one]) : [[key, value] as [string, unknown]],
		)
		.map(([key, value]) => {
			if (typeof value === 'object' && value !== null) return marked(value as Linked, syntax, key);
			if (/^https?:/.test(String(value)))
				return key === 'image' ? `<img${name(key)} src="${value}">` : `<link${name(key)} href="${value}">`;
			if (/^\d{4}-/.test(String(value))) return `<time${name(key)} datetime="${value}">then</time>`;
			if (/^PT/.test(String(value))) return `<meta${name(key)} content="${value}">`;
			const tag = key === 'name' || key === 'title' ? (property === '' ? 'h1' : 'b') : 'span';
			return `<${tag}${name(key)}>${value}</${tag}> `;
		});
	return `<div ${scope}${name(property)}>${inner.join('\n')}</div>`;
}

/** What else is on the pages of the kind: other things with the same labels and marks. */
function traps(kind: Kind, random: Seeded, syntax?: 'microdata'): string {
	const cards = Array.from({ length: 3 }, () => {
		const name = other(random);
		const price = (random.whole(100, 99_999) / 100).toFixed(2);
		if (syntax === 'microdata')
			return marked(
				{
					'@type': 'Product',
					name,
					url: `/p/${random.whole(1, 999)}`,
					offers: { '@type': 'Offer', price, priceCurrency: 'USD' },
				},
				'microdata',
			).replaceAll('h1', 'h4');
		return `<li><a href="/p/${random.whole(1, 999)}">${name}</a> <span class="price">Price: $${price}</span></li>`;
	});
	const reviews = sayings.map((saying, index) => `<li><p>Rating: ${index + 2}</p><p>${saying}</p></li>`);
	return `<section class="related"><h2>You may also like</h2><ul>${cards.join('')}</ul></section>
<section><h2>Customer reviews</h2><ul>${reviews.join('')}</ul></section>
<div class="ad">Advertisement: ${kind} supplies from $3.99</div>`;
}

const shell = (title: string, site: string, head: string, body: string): string =>
	`<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>${title} | ${site}</title>${head}</head><body>
<header><a href="/">${site}</a><nav><a href="/all">All</a> <a href="/new">New</a></nav></header><main>${body}</main>
<footer><p>© ${site}. Delivery: 4.95 EUR. Phone: +44 20 7946 0000</p></footer></body></html>`;

const parts = (facts: Facts): string =>
	'ingredients' in facts
		? `<h2>Ingredients</h2><ul>${facts.ingredients.map((one) => `<li>${one}</li>`).join('')}</ul><h2>Method</h2><ol>${facts.steps.map(({ text }) => `<li>${text}</li>`).join('')}</ol>`
		: '';

const nameOf = (facts: Facts): string => ('title' in facts ? facts.title : facts.name);

/** Families of markup, by name. */
const families: Record<string, (kind: Kind, facts: Facts, random: Seeded, url: string) => string> = {
	graph(kind, facts, random, url) {
		const others = Array.from({ length: 3 }, (_, index) => ({
			'@type': 'ListItem',
			position: index + 1,
			item: {
				'@type': 'Product',
				name: other(random),
				url: `https://graph.example/o/${index}`,
				offers: { '@type': 'Offer', price: 1.5, priceCurrency: 'USD' },
			},
		}));
		const graph = [
			{ '@type': 'WebSite', name: 'Graph', url: 'https://graph.example/' },
			{ '@type': 'WebPage', '@id': url, mainEntity: { '@id': `${url}#it` } },
			{ '@type': 'ItemList', itemListElement: others },
			{ '@id': `${url}#it`, ...makers[kind].linked(facts as never) },
		];
		const head = `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })}</script>`;
		return shell(
			nameOf(facts),
			'Graph',
			head,
			`<h1>${nameOf(facts)}</h1>${prose(nameOf(facts))}${traps(kind, random)}`,
		);
	},
	microdata: (kind, facts, random) =>
		shell(
			nameOf(facts),
			'Micro',
			'',
			`${marked(makers[kind].linked(facts as never), 'microdata')}${prose(nameOf(facts))}${traps(kind, random, 'microdata')}`,
		),
	rdfa: (kind, facts, random) =>
		shell(
			nameOf(facts),
			'Triple',
			'',
			`${marked(makers[kind].linked(facts as never), 'rdfa')}${prose(nameOf(facts))}${traps(kind, random)}`,
		),
	table: (kind, facts, random) =>
		shell(
			nameOf(facts),
			'Rows',
			'',
			`<h1>${nameOf(facts)}</h1>${prose(nameOf(facts))}<table>${makers[kind]
				.rows(facts as never)
				.map(([label, value]) => `<tr><th>${label}</th><td>${value}</td></tr>`)
				.join('')}</table>${parts(facts)}${traps(kind, random)}`,
		),
	definitions: (kind, facts, random) =>
		shell(
			nameOf(facts),
			'Terms',
			'',
			`<h1>${nameOf(facts)}</h1>${prose(nameOf(facts))}<dl>${makers[kind]
				.rows(facts as never)
				.map(([label, value]) => `<dt>${label}:</dt><dd>${value}</dd>`)
				.join('')}</dl>${parts(facts)}${traps(kind, random)}`,
		),
	plain: (kind, facts, random) =>
		shell(nameOf(facts), 'Plain', '', `${selected(kind, facts)}${prose(nameOf(facts))}${traps(kind, random)}`),
};

/** Pages that only the selectors of the schema can read. */
function selected(kind: Kind, facts: Facts): string {
	switch (kind) {
		case 'product': {
			const own = facts as ReturnType<typeof productFacts>;
			return `<h1 class="title">${own.name}</h1><a class="maker" href="/b">${own.brand}</a><figure class="main"><img src="${own.image}"></figure>
<div class="buy" data-sku="${own.sku}"><s>${(own.price * 2).toFixed(2)}</s> <span class="now">${own.price.toFixed(2)} ${own.currency}</span><link class="stock" href="https://schema.org/${own.availability}"></div>
<p class="score" data-value="${own.rating}"><b>${own.reviewCount}</b></p><table><tr><th>Material</th><td>${own.material}</td></tr></table>`;
		}
		case 'job': {
			const own = facts as ReturnType<typeof jobFacts>;
			return `<h1>${own.title}</h1><p class="employer">at <a href="/e">${own.company}</a></p><p class="place"><b>${own.location.city}</b>, <i>${own.location.country}</i></p>
<time class="posted" datetime="${own.datePosted}">a while ago</time><time class="until" datetime="${own.deadline}">soon</time><span class="kind">${own.employmentType.toLowerCase().replace('_', '-')}</span>
<p class="pay"><span class="from">${own.salaryMin}</span>–<span class="to">${own.salaryMax}</span> <span class="code">${own.salaryCurrency}</span></p>`;
		}
		case 'event': {
			const own = facts as ReturnType<typeof eventFacts>;
			return `<h1>${own.name}</h1><time class="begin" datetime="${own.startDate}">Sat</time><time class="finish" datetime="${own.endDate}">Sun</time>
<p class="where"><strong>${own.venue.name}</strong> <span class="street">${own.venue.street}</span> <span class="city">${own.venue.city}</span></p><span class="by">${own.organizer}</span>
<ul class="acts">${own.performers.map((name) => `<li>${name}</li>`).join('')}</ul><p class="ticket"><span class="amount">${own.price.toFixed(2)} ${own.currency}</span></p>`;
		}
		case 'recipe': {
			const own = facts as ReturnType<typeof recipeFacts>;
			return `<h1>${own.name}</h1><ul class="needs">${own.ingredients.map((one) => `<li>${one}</li>`).join('')}</ul>
<div class="way">${own.steps.map(({ text }, index) => `<div class="step"><b>${index + 1}</b><span class="do">${text}</span></div>`).join('')}</div>
<p><span class="prep">${own.prepTime.replace(/PT(\d+)M/, '$1 min')}</span> <span class="cook">${own.cookTimeMinutes} min</span> <span class="serves"><b>${own.servings}</b> people</span> <em class="cuisine">${own.cuisine}</em></p>`;
		}
	}
}

/** Fields that a family does not state. */
const unstated: Readonly<Record<string, readonly string[]>> = {
	table: ['image'],
	definitions: ['image'],
};

/** Thirty pages: each kind in each family, and six more. */
export function chosenPages(seed: number): MadePage[] {
	const random = new Seeded(seed);
	const kinds = Object.keys(makers) as Kind[];
	const pairs = kinds.flatMap((kind) => Object.keys(families).map((family) => [kind, family] as const));
	const more = random.some(pairs, 6);
	return [...pairs, ...more].map(([kind, family], index) => {
		const facts = makers[kind].facts(random);
		const host = { graph: 'graph', plain: 'plain' }[family] ?? 'other';
		const url = `https://${host}.example/${kind}/${index}`;
		const truth = Object.fromEntries(Object.entries(facts).filter(([name]) => !unstated[family]?.includes(name)));
		return { kind, family, url, html: families[family]!(kind, facts, random, url), truth };
	});
}
