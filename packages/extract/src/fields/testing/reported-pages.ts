import { eventFacts, jobFacts, type MadePage, other, productFacts, prose, recipeFacts, sayings } from './facts.ts';
import type { Kind } from './schemas.ts';
import { Seeded } from './seeded.ts';

/** The half of the pages on which the figures are reported: written when the rules were done, and not changed since. */

interface Made {
	readonly url: string;
	readonly html: string;
	/** Facts that the page does not state. */
	readonly without?: readonly string[];
}

type ProductFacts = ReturnType<typeof productFacts>;
type JobFacts = ReturnType<typeof jobFacts>;
type EventFacts = ReturnType<typeof eventFacts>;
type RecipeFacts = ReturnType<typeof recipeFacts>;

const ld = (data: unknown): string =>
	`<script type='application/ld+json'>\n${JSON.stringify(data, null, 2)}\n</script>`;

function site(lang: string, title: string, head: string, main: string, after = ''): string {
	return `<!DOCTYPE html>\n<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>${head}</head><body class="page"><div id="top"><a class="logo" href="/">Home</a><form role="search"><input name="q"></form>
<ul class="menu"><li><a href="/a">Catalogue</a></li><li><a href="/b">Help</a></li></ul></div>
<article id="content">${main}</article>${after}<div id="bottom"><ul><li>Imprint</li><li>Price list: on request</li></ul></div></body></html>`;
}

const comma = (price: number): string => price.toLocaleString('de-DE', { minimumFractionDigits: 2 });

const dayMonth = (date: string, language: string): string =>
	new Date(date).toLocaleDateString(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

function cards(random: Seeded): string {
	const all = Array.from({ length: 4 }, () => {
		const price = (random.whole(300, 9000) / 100).toFixed(2);
		return `<div class="card"><h3><a href="/x${random.whole(1, 99)}">${other(random)}</a></h3><p>Price: ${price} USD</p><p>Brand: Nobody</p></div>`;
	});
	return `<div class="grid"><h2>Customers also bought</h2>${all.join('')}</div>`;
}

const stars = `<div id="reviews"><h2>Reviews (3)</h2>${sayings.map((saying, at) => `<div class="review"><strong>Rating:</strong> ${at + 1}<p>${saying}</p></div>`).join('')}</div>`;

const product: Record<string, (facts: ProductFacts, random: Seeded) => Made> = {
	'offer with a list price': (facts, random) => ({
		url: 'https://lists.example/p/1?ref=home',
		html: site(
			'en',
			`Buy ${facts.name} online`,
			ld([
				{
					'@context': 'https://schema.org',
					'@type': 'BreadcrumbList',
					itemListElement: [{ '@type': 'ListItem', position: 1, name: 'All' }],
				},
				{
					'@context': 'https://schema.org/',
					'@type': ['Product'],
					'@id': '#product',
					name: facts.name,
					image: { '@type': 'ImageObject', url: facts.image },
					brand: facts.brand,
					sku: facts.sku,
					material: facts.material,
					aggregateRating: { ratingValue: facts.rating, reviewCount: `${facts.reviewCount}`, bestRating: 5 },
					offers: [
						{
							'@type': 'Offer',
							availability: facts.availability,
							priceSpecification: [
								{ '@type': 'UnitPriceSpecification', price: facts.price, priceCurrency: facts.currency },
								{
									'@type': 'UnitPriceSpecification',
									price: facts.price + 20,
									priceCurrency: facts.currency,
									priceType: 'https://schema.org/ListPrice',
								},
							],
						},
					],
					isRelatedTo: [
						{ '@type': 'Product', name: other(random), offers: { '@type': 'Offer', price: 3, priceCurrency: 'USD' } },
					],
				},
			]),
			`<h1>${facts.name}</h1><p>was ${(facts.price + 20).toFixed(2)}</p>${prose(facts.name)}${stars}`,
			cards(random),
		),
	}),
	'microdata with content attributes': (facts, random) => ({
		url: 'https://micro.example/de/p/2',
		html: site(
			'de',
			`${facts.name} – Micro`,
			'',
			`<div itemscope itemtype="http://schema.org/Product" itemref="extra"><h1><span itemprop="name">${facts.name}</span></h1>
<img itemprop="image" src="${facts.image}" alt=""><div itemprop="brand" itemscope itemtype="http://schema.org/Brand"><meta itemprop="name" content="${facts.brand}"></div>
<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><s>${comma(facts.price + 9)} €</s> <span itemprop="price" content="${facts.price}">${comma(facts.price)} €</span>
<meta itemprop="priceCurrency" content="${facts.currency}"><link itemprop="availability" href="http://schema.org/${facts.availability}"></div>
<div itemprop="aggregateRating" itemscope itemtype="http://schema.org/AggregateRating"><meter itemprop="ratingValue" value="${facts.rating}" max="5"></meter> (<span itemprop="reviewCount">${facts.reviewCount}</span>)</div>
<div itemprop="review" itemscope itemtype="http://schema.org/Review"><div itemprop="reviewRating" itemscope itemtype="http://schema.org/Rating"><span itemprop="ratingValue">1</span></div></div>
<div itemprop="isSimilarTo" itemscope itemtype="http://schema.org/Product"><span itemprop="name">${other(random)}</span><span itemprop="sku">NO-1</span></div></div>
<p id="extra">Art.-Nr. <b itemprop="sku">${facts.sku}</b>, <b itemprop="material">${facts.material}</b></p>${prose(facts.name)}`,
			cards(random),
		),
	}),
	'rdfa with a prefix': (facts, random) => ({
		url: 'https://rdfa.example/3',
		html: site(
			'en-GB',
			facts.name,
			'',
			`<div prefix="s: https://schema.org/" typeof="s:Product"><h1 property="s:name">${facts.name}</h1><img property="s:image" src="${facts.image}">
<p>by <span property="s:brand" typeof="s:Brand"><span property="s:name">${facts.brand}</span></span>, <span property="s:sku">${facts.sku}</span>, <i property="s:material">${facts.material}</i></p>
<div property="s:offers" typeof="s:Offer"><span property="s:price">${facts.price.toFixed(2)}</span><span property="s:priceCurrency" content="${facts.currency}">money</span><link property="s:availability" href="https://schema.org/${facts.availability}"></div>
<div property="s:aggregateRating" typeof="s:AggregateRating"><span property="s:ratingValue">${facts.rating}</span>/<span property="s:bestRating">5</span> of <span property="s:reviewCount">${facts.reviewCount}</span></div></div>${prose(facts.name)}${stars}`,
			cards(random),
		),
	}),
	'German table': (facts, random) => ({
		url: 'https://tabelle.example/artikel/4',
		html: site(
			'de-DE',
			`${facts.name} kaufen`,
			'',
			`<h1>${facts.name}</h1>${prose(facts.name)}<h2>Technische Daten</h2><table class="data"><tbody><tr><td>Preis</td><td><del>${comma(facts.price + 30)} €</del> ${comma(facts.price)} €</td></tr><tr><td>Marke</td><td>${facts.brand}</td></tr>
<tr><td>Artikelnummer</td><td>${facts.sku}</td></tr><tr><td>Material</td><td>${facts.material}</td></tr></tbody></table>`,
			cards(random),
		),
		without: ['availability', 'rating', 'reviewCount', 'image', 'currency'],
	}),
	'lines and Open Graph': (facts, random) => ({
		url: 'https://lines.example/5',
		html: site(
			'en-US',
			`${facts.name} | Lines`,
			`<meta property="og:title" content="${facts.name}"><meta property="og:image" content="${facts.image}"><meta property="product:price:amount" content="${facts.price}"><meta property="product:price:currency" content="${facts.currency}">`,
			`<h1>${facts.name}</h1><p><strong>Brand:</strong> ${facts.brand}<br><strong>SKU:</strong> ${facts.sku}<br><strong>Availability:</strong> ${{ InStock: 'In Stock', OutOfStock: 'Out of stock', PreOrder: 'Pre-order' }[facts.availability]}</p>${prose(facts.name)}<ul><li>Material: ${facts.material}</li><li>Made to last</li></ul>${stars}`,
			cards(random),
		),
		without: ['rating', 'reviewCount'],
	}),
	'selectors in cards': (facts, random) => ({
		url: 'https://www.plain.example/shop/6',
		html: site(
			'en',
			`${facts.name} | Shop`,
			'',
			`<div class="hero"><figure class="main zoom"><a href="/z"><img src="${facts.image}" alt=""></a></figure><h1 class="title large">${facts.name}</h1></div><div class="info"><a class="maker link" href="/m"><span>${facts.brand}</span></a><span data-sku="${facts.sku}"></span>
<div class="buy"><p class="now">${facts.price.toFixed(2)} <small>${facts.currency}</small></p><link class="stock" href="http://schema.org/${facts.availability}"></div><div class="score" data-value="${facts.rating}">from <b>${facts.reviewCount}</b></div></div><table><tbody><tr><th scope="row">Material:</th><td>${facts.material}</td></tr></tbody></table>${prose(facts.name)}`,
			cards(random),
		),
	}),
};

const kinds = {
	FULL_TIME: 'Full-time',
	PART_TIME: 'Part-time',
	CONTRACTOR: 'Contractor',
	TEMPORARY: 'Temporary',
	INTERN: 'Intern',
};

function jobLinked(facts: JobFacts, random: Seeded, url: string): unknown {
	const posting = (own: Record<string, unknown>) => ({
		'@context': 'https://schema.org',
		'@type': 'JobPosting',
		...own,
	});
	return [
		posting({
			title: `${random.of(['Baker', 'Driver', 'Potter'])}`,
			url: 'https://work.example/other',
			datePosted: '2025-12-12',
			employmentType: 'OTHER',
		}),
		posting({
			title: facts.title,
			url,
			hiringOrganization: facts.company,
			jobLocation: [
				{
					'@type': 'Place',
					address: {
						addressLocality: facts.location.city,
						addressCountry: { '@type': 'Country', name: facts.location.country },
					},
				},
			],
			datePosted: facts.datePosted,
			validThrough: `${facts.deadline}T23:59:59Z`,
			employmentType: [facts.employmentType],
			baseSalary: {
				currency: facts.salaryCurrency,
				value: { minValue: `${facts.salaryMin}`, maxValue: `${facts.salaryMax}.00`, unitText: 'YEAR' },
			},
			description: '<p>Join us &amp; learn.</p>',
		}),
	];
}

const job: Record<string, (facts: JobFacts, random: Seeded) => Made> = {
	'one of two postings': (facts, random) => ({
		url: 'https://work.example/jobs/1',
		html: site(
			'en',
			`${facts.title} at ${facts.company}`,
			ld(jobLinked(facts, random, 'https://work.example/jobs/1')),
			`<h1>${facts.title}</h1>${prose('Our workshop')}`,
		),
	}),
	microdata: (facts) => ({
		url: 'https://work.example/jobs/2',
		html: site(
			'en-GB',
			`${facts.title} – Work`,
			'',
			`<section itemscope itemtype="https://schema.org/JobPosting"><h1 itemprop="title">${facts.title}</h1><meta itemprop="employmentType" content="${facts.employmentType}">
<span itemprop="hiringOrganization" itemscope itemtype="https://schema.org/Organization"><a itemprop="url" href="/c"><span itemprop="name">${facts.company}</span></a></span>
<span itemprop="jobLocation" itemscope itemtype="https://schema.org/Place"><span itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="addressLocality">${facts.location.city}</span>, <span itemprop="addressCountry">${facts.location.country}</span></span></span>
<p>Posted <time itemprop="datePosted" datetime="${facts.datePosted}">${dayMonth(facts.datePosted, 'en-GB')}</time>, until <span itemprop="validThrough" content="${facts.deadline}">then</span></p>
<div itemprop="baseSalary" itemscope itemtype="https://schema.org/MonetaryAmount"><meta itemprop="currency" content="${facts.salaryCurrency}"><div itemprop="value" itemscope itemtype="https://schema.org/QuantitativeValue"><span itemprop="minValue" content="${facts.salaryMin}">${facts.salaryMin / 1000}k</span> to <span itemprop="maxValue" content="${facts.salaryMax}">${facts.salaryMax / 1000}k</span></div></div></section>${prose('The team')}`,
		),
	}),
	'details in a table': (facts) => ({
		url: 'https://work.example/jobs/3',
		html: site(
			'en-GB',
			`${facts.title} | Work`,
			'',
			`<h1>${facts.title}</h1><table><tr><th>Company</th><td>${facts.company}</td></tr><tr><th>Town</th><td>${facts.location.city}</td></tr><tr><th>Country</th><td>${facts.location.country}</td></tr><tr><th>Posted</th><td>${dayMonth(facts.datePosted, 'en-GB')}</td></tr>
<tr><th>Apply by</th><td>${dayMonth(facts.deadline, 'en-GB')}</td></tr><tr><th>Job type</th><td>${kinds[facts.employmentType as keyof typeof kinds]}</td></tr></table>${prose('The company')}<h2>More jobs</h2><ul><li>Company: Others Ltd</li><li>Town: Elsewhere</li></ul>`,
		),
		without: ['salaryMin', 'salaryMax', 'salaryCurrency'],
	}),
	'French definitions': (facts) => ({
		url: 'https://emploi.example/offres/4',
		html: site(
			'fr',
			`${facts.title} - Emploi`,
			'',
			`<h1>${facts.title}</h1><dl class="infos"><div><dt>Entreprise</dt><dd>${facts.company}</dd></div><div><dt>Ville</dt><dd>${facts.location.city}</dd></div><div><dt>Pays</dt><dd>${facts.location.country}</dd></div><div><dt>Publié le</dt><dd>${dayMonth(facts.datePosted, 'fr')}</dd></div><div><dt>Date limite</dt><dd>${dayMonth(facts.deadline, 'fr')}</dd></div></dl>${prose('Notre équipe')}`,
		),
		without: ['employmentType', 'salaryMin', 'salaryMax', 'salaryCurrency'],
	}),
	selectors: (facts) => ({
		url: 'https://plain.example/jobs/5',
		html: site(
			'en',
			`${facts.title} (m/f/d)`,
			'',
			`<h1>${facts.title}</h1><div class="employer"><img src="/l.png" alt=""> <a href="/c">${facts.company}</a></div><address class="place"><b>${facts.location.city}</b> <i>${facts.location.country}</i></address><p><time class="posted" datetime="${facts.datePosted}T09:00:00Z">new</time> <time class="until" datetime="${facts.deadline}">in a month</time> <em class="kind">${kinds[facts.employmentType as keyof typeof kinds]}</em></p>
<ul class="pay"><li class="from">${facts.salaryMin.toLocaleString('en-US')}</li><li class="to">${facts.salaryMax.toLocaleString('en-US')}</li><li class="code">${facts.salaryCurrency}</li></ul>${prose('We')}`,
		),
	}),
};

const event: Record<string, (facts: EventFacts, random: Seeded) => Made> = {
	'graph with references': (facts) => ({
		url: 'https://stage.example/e/1',
		html: site(
			'en',
			`${facts.name} - Stage`,
			ld({
				'@context': { '@vocab': 'https://schema.org/' },
				'@graph': [
					{ '@type': 'Organization', '@id': '#org', name: facts.organizer },
					{
						'@type': 'Place',
						'@id': '#hall',
						name: facts.venue.name,
						address: { '@type': 'PostalAddress', streetAddress: facts.venue.street, addressLocality: facts.venue.city },
					},
					{
						'@type': 'Festival',
						name: facts.name,
						startDate: facts.startDate,
						endDate: `${facts.endDate}T23:00:00+02:00`,
						location: { '@id': '#hall' },
						organizer: { '@id': '#org' },
						performer: facts.performers.map((name) => ({ '@type': 'Person', name })),
						offers: {
							'@type': 'AggregateOffer',
							lowPrice: facts.price,
							highPrice: facts.price,
							priceCurrency: facts.currency,
						},
					},
				],
			}),
			`<h1>${facts.name}</h1>${prose(facts.name)}<h2>Upcoming events</h2><p>Venue: The Other Hall</p>`,
		),
	}),
	'rdfa lite': (facts) => ({
		url: 'https://stage.example/e/2',
		html: site(
			'en-GB',
			`${facts.name}`,
			'',
			`<div vocab="https://schema.org/" typeof="TheaterEvent"><h1 property="name">${facts.name}</h1><span property="startDate" content="${facts.startDate}">Friday</span> to <span property="endDate" content="${facts.endDate}">Sunday</span>
<div property="location" typeof="Place"><b property="name">${facts.venue.name}</b><p property="address" typeof="PostalAddress"><span property="streetAddress">${facts.venue.street}</span> <span property="addressLocality">${facts.venue.city}</span></p></div>
<p>by <span property="organizer" typeof="Organization"><span property="name">${facts.organizer}</span></span></p>${facts.performers.map((name) => `<span property="performer" typeof="PerformingGroup"><span property="name">${name}</span></span>`).join(' ')}
<div property="offers" typeof="Offer"><span property="price" content="${facts.price}">${facts.price}</span> <span property="priceCurrency">${facts.currency}</span></div></div>${prose(facts.name)}`,
		),
	}),
	'labelled lines': (facts) => ({
		url: 'https://stage.example/e/3',
		html: site(
			'en-GB',
			`${facts.name} — tickets`,
			'',
			`<h1>${facts.name}</h1><ul><li><b>Starts:</b> ${dayMonth(facts.startDate, 'en-GB')}</li><li><b>Ends:</b> ${dayMonth(facts.endDate, 'en-GB')}</li><li><b>Venue:</b> ${facts.venue.name}</li><li><b>Street:</b> ${facts.venue.street}</li><li><b>City:</b> ${facts.venue.city}</li><li><b>Organised by:</b> ${facts.organizer}</li><li><b>Tickets:</b> ${facts.currency} ${facts.price.toFixed(2)}</li></ul><h2>Line-up</h2><ul>${facts.performers.map((name) => `<li>${name}</li>`).join('')}</ul>${prose(facts.name)}`,
		),
	}),
	'German table': (facts) => ({
		url: 'https://buehne.example/e/4',
		html: site(
			'de-CH',
			`${facts.name}`,
			'',
			`<h1>${facts.name}</h1><table><tr><th>Beginn</th><td>${dayMonth(facts.startDate, 'de')}</td></tr><tr><th>Ende</th><td>${dayMonth(facts.endDate, 'de')}</td></tr><tr><th>Veranstaltungsort</th><td>${facts.venue.name}</td></tr><tr><th>Veranstalter</th><td>${facts.organizer}</td></tr><tr><th>Preis</th><td>${facts.currency} ${facts.price.toFixed(2)}</td></tr></table>${prose(facts.name)}`,
		),
		without: ['performers', 'venue.street', 'venue.city'],
	}),
	'calendar markup': (facts) => ({
		url: 'https://plain.example/cal/5',
		html: site(
			'en',
			`${facts.name}`,
			'',
			`<h1>${facts.name}</h1><time class="begin" datetime="${facts.startDate} 20:00">8 pm</time><time class="finish" datetime="${facts.endDate}">late</time><div class="where"><strong>${facts.venue.name}</strong><br><span class="street">${facts.venue.street}</span>, <span class="city">${facts.venue.city}</span></div>
<div class="by">${facts.organizer}</div><ul class="acts">${facts.performers.map((name) => `<li><a href="/a">${name}</a></li>`).join('')}</ul><div class="ticket">from <span class="amount">${facts.currency} ${facts.price.toFixed(2)}</span></div>${prose(facts.name)}`,
		),
	}),
};

const recipe: Record<string, (facts: RecipeFacts, random: Seeded) => Made> = {
	sections: (facts) => ({
		url: 'https://cook.example/r/1',
		html: site(
			'en',
			`${facts.name} recipe`,
			ld({
				'@context': 'https://schema.org',
				'@type': 'WebPage',
				mainEntity: {
					'@type': 'Recipe',
					name: facts.name,
					recipeIngredient: facts.ingredients,
					recipeInstructions: [
						{
							'@type': 'HowToSection',
							name: 'All',
							itemListElement: facts.steps.map(({ text }) => ({ '@type': 'HowToStep', text })),
						},
					],
					prepTime: facts.prepTime,
					cookTime: `PT0H${facts.cookTimeMinutes}M`,
					recipeYield: [facts.servings],
					recipeCuisine: facts.cuisine,
				},
			}),
			`<h1>${facts.name}</h1>${prose(facts.name)}<h2>Comments</h2><p>Serves: nobody</p>`,
		),
	}),
	microdata: (facts) => ({
		url: 'https://cook.example/r/2',
		html: site(
			'en',
			`${facts.name}`,
			'',
			`<div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop="name">${facts.name}</h1><ul>${facts.ingredients.map((one) => `<li itemprop="ingredients">${one}</li>`).join('')}</ul><ol>${facts.steps.map(({ text }) => `<li itemprop="recipeInstructions">${text}</li>`).join('')}</ol>
<time itemprop="prepTime" datetime="${facts.prepTime}">soon</time><time itemprop="cookTime" datetime="PT${facts.cookTimeMinutes}M">later</time><span itemprop="recipeYield">${facts.servings}</span> <span itemprop="recipeCuisine">${facts.cuisine}</span></div>${prose(facts.name)}`,
		),
	}),
	'German headings': (facts) => ({
		url: 'https://kochen.example/r/3',
		html: site(
			'de',
			`${facts.name} – Rezept`,
			'',
			`<h1>${facts.name}</h1><p>Vorbereitung: ${facts.prepTime.replace(/\D+/g, '')} Minuten</p><p>Kochzeit: ${facts.cookTimeMinutes} Min.</p><p>Portionen: ${facts.servings}</p><h2>Zutaten</h2><ul>${facts.ingredients.map((one) => `<li>${one}</li>`).join('')}</ul><h2>Zubereitung</h2><ol>${facts.steps.map(({ text }) => `<li>${text}</li>`).join('')}</ol>${prose(facts.name)}`,
		),
		without: ['cuisine'],
	}),
	'times in a row': (facts) => ({
		url: 'https://cook.example/r/4',
		html: site(
			'en-US',
			`${facts.name}`,
			'',
			`<h1>${facts.name}</h1><table><thead><tr><th>Prep time</th><th>Cook time</th><th>Servings</th><th>Cuisine</th></tr></thead><tbody><tr><td>${facts.prepTime.replace(/\D+/g, '')} mins</td><td>${facts.cookTimeMinutes} mins</td><td>${facts.servings}</td><td>${facts.cuisine}</td></tr></tbody></table><h3>Ingredients</h3><ul>${facts.ingredients.map((one) => `<li><span>${one}</span></li>`).join('')}</ul><h3>Directions</h3><ol>${facts.steps.map(({ text }) => `<li><p>${text}</p></li>`).join('')}</ol>${prose(facts.name)}`,
		),
	}),
	'cook book': (facts) => ({
		url: 'https://plain.example/book/5',
		html: site(
			'en',
			`${facts.name}`,
			'',
			`<h1>${facts.name}</h1><section class="needs"><ul>${facts.ingredients.map((one) => `<li>${one}</li>`).join('')}</ul></section><ol class="way">${facts.steps.map(({ text }) => `<li class="step"><p class="do">${text}</p></li>`).join('')}</ol><p class="prep">${facts.prepTime.replace(/\D+/g, '')} minutes</p><p class="cook">${facts.cookTimeMinutes} minutes</p><p class="serves">for <b>${facts.servings}</b></p><p class="cuisine">${facts.cuisine}</p>${prose(facts.name)}`,
		),
	}),
};

/** Thirty pages, from every template at least once. */
export function reportedPages(seed: number): MadePage[] {
	const random = new Seeded(seed);
	const all = [
		...Object.entries(product).map(([family, make]) => ['product', family, productFacts, make] as const),
		...Object.entries(job).map(([family, make]) => ['job', family, jobFacts, make] as const),
		...Object.entries(event).map(([family, make]) => ['event', family, eventFacts, make] as const),
		...Object.entries(recipe).map(([family, make]) => ['recipe', family, recipeFacts, make] as const),
	];
	return [...all, ...random.some(all, 30 - all.length)].map(([kind, family, facts, make]) => {
		const own = facts(random) as never;
		const { url, html, without = [] } = (make as (facts: never, random: Seeded) => Made)(own, random);
		const truth: Record<string, unknown> = structuredClone(own);
		for (const name of without) {
			const [outer = '', inner] = name.split('.');
			if (inner === undefined) delete truth[outer];
			else delete (truth[outer] as Record<string, unknown>)[inner];
		}
		// The German table has its prices in euros.
		if (kind === 'product' && family === 'German table') truth.currency = 'EUR';
		return { kind: kind as Kind, family, url, html, truth };
	});
}
