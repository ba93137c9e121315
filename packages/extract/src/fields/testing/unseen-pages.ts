import type { MadePage } from './facts.ts';

// Made-up pages of sixty different shops, boards, calendars and cookbooks: two of each template, in several languages.

type Which = 0 | 1;
type Template = (which: Which) => Omit<MadePage, 'family'>;

const ld = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const document = (lang: string, title: string, head: string, body: string): string =>
	`<!doctype html><html${lang && ` lang="${lang}"`}><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
const filler = (about: string): string =>
	`<p>${about} comes from a small workshop by the river. We have looked after the same customers for nineteen years, and most of them come back every spring to see what is new. Write to us if anything is unclear; we read every letter.</p>`;

/** A graph in which the product is beside its breadcrumbs, its shop and other products. */
const graphShop: Template = (which) => {
	const [name, brand, price, gtin] = (
		[
			['Copper Watering Can 4 L', 'Fennimore', 64.9, '4006381333931'],
			['Slate Bird Bath', 'Ostby & Daughters', 118, '5901234123457'],
		] as const
	)[which];
	const url = `https://garden.example/p/${which + 100}`;
	return {
		kind: 'product',
		url,
		html: document(
			'en-GB',
			`${name} | Garden Room`,
			ld({
				'@context': 'https://schema.org',
				'@graph': [
					{ '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', position: 1, name: 'Garden' }] },
					{ '@type': 'Organization', '@id': '#shop', name: 'Garden Room Ltd' },
					{
						'@type': 'Product',
						'@id': `${url}#p`,
						url,
						name,
						brand: { '@id': '#brand' },
						gtin13: gtin,
						offers: { '@id': '#offer' },
						aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.4', ratingCount: 31 },
						review: [{ '@type': 'Review', reviewRating: { ratingValue: 1 }, author: { name: 'Cross Customer' } }],
						isRelatedTo: { '@type': 'Product', name: 'Spade', offers: { price: 12, priceCurrency: 'GBP' } },
					},
					{ '@type': 'Brand', '@id': '#brand', name: brand },
					{
						'@type': 'Offer',
						'@id': '#offer',
						price: String(price),
						priceCurrency: 'GBP',
						availability: which === 0 ? 'http://schema.org/InStock' : 'http://schema.org/OutOfStock',
					},
				],
			}),
			`<main><h1>${name}</h1>${filler(name)}<h2>Details</h2><table><tr><th>Colour</th><td>Verdigris</td></tr><tr><th>Weight</th><td>1.2 kg</td></tr></table><h2>Often bought together</h2><ul><li>Spade £12.00</li></ul></main>`,
		),
		truth: {
			name,
			brand,
			gtin,
			price,
			currency: 'GBP',
			inStock: which === 0,
			colour: 'Verdigris',
			weightKg: 1.2,
			rating: 4.4,
		},
	};
};

/** German microdata, with the price as text and the old one struck out. */
const germanShop: Template = (which) => {
	const [name, brand, text, price] = (
		[
			['Gusseiserner Bräter 28 cm', 'Feuerhaus', '149,00', 149],
			['Handmühle aus Nussholz', 'Körner & Co.', '1.089,50', 1089.5],
		] as const
	)[which];
	return {
		kind: 'product',
		url: `https://kueche.example/artikel/${which}`,
		html: document(
			'de',
			`${name} kaufen`,
			'',
			`<nav><ul><li>Küche<li>Bad</ul></nav><main itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">${name}</h1>
<p>Von <span itemprop="brand" itemscope itemtype="https://schema.org/Brand"><span itemprop="name">${brand}</span></span></p>
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><s>statt ${text.replace(/^\d/, '9')} €</s> <b><span itemprop="price">${text}</span> <span itemprop="priceCurrency" content="EUR">€</span></b> <link itemprop="availability" href="https://schema.org/${which === 0 ? 'InStock' : 'SoldOut'}">inkl. MwSt.</div>
${filler(name)}
<dl><dt>Farbe</dt><dd>Anthrazit</dd><dt>Gewicht</dt><dd>5,4 kg</dd></dl></main>
<aside itemscope itemtype="https://schema.org/Product"><a itemprop="url" href="/artikel/77"><span itemprop="name">Topflappen</span></a> <span itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="9.90">9,90</span></span></aside>`,
		),
		truth: {
			name,
			brand,
			price,
			currency: 'EUR',
			inStock: which === 0,
			colour: 'Anthrazit',
			weightKg: 5.4,
		},
	};
};

/** RDFa in French, with euro cents behind a space. */
const frenchShop: Template = (which) => {
	const [name, brand, price, shown] = (
		[
			['Théière en fonte', 'Maison Calvet', 79.9, '79,90 €'],
			['Nappe en lin lavé', 'Atelier Brume', 1249, '1 249,00 €'],
		] as const
	)[which];
	return {
		kind: 'product',
		url: `https://boutique.example/fr/${which}`,
		html: document(
			'fr',
			name,
			'',
			`<div vocab="https://schema.org/" typeof="Product"><h1 property="name">${name}</h1><p>par <span property="brand" typeof="Brand"><span property="name">${brand}</span></span></p>
<div property="offers" typeof="Offer"><span property="price" content="${price}">${shown}</span><meta property="priceCurrency" content="EUR"><link property="availability" href="https://schema.org/PreOrder"> Précommande</div>
<div property="aggregateRating" typeof="AggregateRating"><span property="ratingValue">4,6</span>/5 (<span property="reviewCount">58</span> avis)</div>
${filler(name)}<h2>Caractéristiques</h2><ul><li>Couleur : noir mat</li><li>Poids : 0,9 kg</li></ul></div>
<section><h2>Vous aimerez aussi</h2><p>Tasse 12,00 €</p></section>`,
		),
		truth: { name, brand, price, currency: 'EUR', colour: 'noir mat', weightKg: 0.9, rating: 4.6 },
	};
};

/** JSON-LD that a template has broken: of another product, or with the same price as the text. */
const brokenShop: Template = (which) => {
	const [name, price] = (
		[
			['Folding Camp Chair', '45.50'],
			['Trail Stove "Ember"', '89.00'],
		] as const
	)[which];
	const broken = `{"@context":"https://schema.org","@type":"Product","name":"Trail Stove "Ember"","offers":{"price":89,}`;
	return {
		kind: 'product',
		url: `https://camp.example/${which}`,
		html: document(
			'en-US',
			`${name} - Camp & Co`,
			`<script type="application/ld+json">${broken}</script><meta property="og:type" content="product"><meta property="og:title" content='${name}'>`,
			`<main><h1>${name}</h1><table><tr><th>Price</th><td>$${price}</td></tr><tr><th>Brand</th><td>Highmoor</td></tr><tr><th>Color</th><td>Rust</td></tr><tr><th>Weight</th><td>2.1 kg</td></tr><tr><th>In stock</th><td>${which === 0 ? 'Yes' : 'No'}</td></tr></table>${filler('The thing')}</main><footer>Free shipping over $75.00</footer>`,
		),
		truth: {
			name,
			brand: 'Highmoor',
			price: Number(price),
			currency: 'USD',
			inStock: which === 0,
			colour: 'Rust',
			weightKg: 2.1,
		},
	};
};

/** Nothing but selectors; a Swedish and a Japanese price. */
const bareShop: Template = (which) => {
	const [lang, name, shown, price, currency, stock] = (
		[
			['sv', 'Ullfilt Kullen', '1 295 SEK', 1295, 'SEK', 'I lager'],
			['ja', '檜のまな板', '¥8,800', 8800, 'JPY', '在庫あり'],
		] as const
	)[which];
	return {
		kind: 'product',
		url: `https://bare.example/p/${which}`,
		html: document(
			lang,
			`${name} – Bare`,
			'',
			`<div class="pdp-head"><h1>${name}</h1><span class="by">av <b>Bare Verk</b></span></div><div id="price"><del>9 999 SEK</del> <output>${shown}</output></div><div id="stock">${stock}</div><div id="score" data-score="4.8"></div><dl class="ids"><dt>EAN</dt><dd class="ean">7310865004703</dd></dl>${filler(name)}`,
		),
		truth: {
			name,
			brand: 'Bare Verk',
			gtin: '7310865004703',
			price,
			currency,
			inStock: true,
			rating: 4.8,
		},
	};
};

/** Several offers in two currencies of the same product: which one counts is not said. */
const manyOffers: Template = (which) => {
	const name = ['Studio Monitor M5', 'Field Recorder F2'][which] as string;
	const price = [249, 415.2][which] as number;
	const offers =
		which === 0
			? [
					{ '@type': 'Offer', price: 249, priceCurrency: 'EUR', availability: 'InStock' },
					{ '@type': 'Offer', price: 269, priceCurrency: 'USD', availability: 'InStock' },
				]
			: { '@type': 'AggregateOffer', lowPrice: 399, highPrice: 520, priceCurrency: 'PLN', offerCount: 6 };
	return {
		kind: 'product',
		url: `https://audio.example/${which}`,
		html: document(
			which === 0 ? 'en' : 'pl',
			name,
			ld({ '@context': 'https://schema.org', '@type': 'Product', name, brand: 'Tonwerk', offers, color: 'Black' }),
			`<main><h1>${name}</h1>${filler(name)}</main>`,
		),
		// Prices differ by offer, and a range is no price.
		truth: {
			name,
			brand: 'Tonwerk',
			colour: 'Black',
			...(which === 0 ? { inStock: true } : { currency: 'PLN' }),
			...(price < 0 && { price }),
		},
	};
};

/** Variants in a group; list prices of schema.org; Open Graph beside it. */
const groupShop: Template = (which) => {
	const [name, price, list] = (
		[
			['Merino Hat', 39, 55],
			['Canvas Apron', 48.5, 70],
		] as const
	)[which];
	return {
		kind: 'product',
		url: `https://wear.example/items/${which}`,
		html: document(
			'en-IE',
			name,
			`<link rel="canonical" href="https://wear.example/items/${which}"><meta property="product:price:amount" content="${price}"><meta property="product:price:currency" content="EUR">${ld(
				[
					{ '@context': 'https://schema.org', '@type': 'WebSite', name: 'Wear' },
					{
						'@context': 'https://schema.org',
						'@type': 'Product',
						name,
						url: `https://wear.example/items/${which}`,
						brand: { '@type': 'Brand', name: 'Wear Works' },
						color: 'Moss',
						weight: { '@type': 'QuantitativeValue', value: 0.12, unitCode: 'KGM' },
						offers: {
							'@type': 'Offer',
							availability: 'https://schema.org/LimitedAvailability',
							priceSpecification: [
								{
									'@type': 'UnitPriceSpecification',
									priceType: 'https://schema.org/ListPrice',
									price: list,
									priceCurrency: 'EUR',
								},
								{ '@type': 'UnitPriceSpecification', price, priceCurrency: 'EUR' },
							],
						},
					},
					{
						'@context': 'https://schema.org',
						'@type': 'ItemList',
						itemListElement: [{ '@type': 'Product', name: 'Gloves', offers: { price: 20, priceCurrency: 'EUR' } }],
					},
				],
			)}`,
			`<main><h1>${name}</h1><p>RRP €${list}. Now €${price}.</p>${filler(name)}</main>`,
		),
		truth: { name, brand: 'Wear Works', price, currency: 'EUR', inStock: true, colour: 'Moss', weightKg: 0.12 },
	};
};

/** Lines of `label: value` only; a Czech and a Brazilian price. */
const linesShop: Template = (which) => {
	const [lang, name, priceLine, price, currency, brandLine] = (
		[
			['cs', 'Dřevěný vláček', 'Cena: 1 490 Kč', 1490, 'CZK', 'Značka: Lesní dílna'],
			['pt-BR', 'Rede de algodão', 'Preço: R$ 1.349,90', 1349.9, 'BRL', 'Marca: Casa do Rio'],
		] as const
	)[which];
	return {
		kind: 'product',
		url: `https://lines.example/${lang}/${which}`,
		html: document(
			lang,
			name,
			'',
			`<header><a href="/">Lines</a></header><main><h1>${name}</h1>${filler(name)}<p><strong>${priceLine.replace(':', ':</strong>')}</p><p><strong>${brandLine.replace(':', ':</strong>')}</p></main>`,
		),
		truth: { name, brand: brandLine.replace(/^.*: /, ''), price, currency },
	};
};

/** A category page: it is about no single product. */
const categoryPage: Template = (which) => {
	const [first, second] = (
		[
			['Oak Shelf', 'Ash Shelf'],
			['Wool Rug', 'Jute Rug'],
		] as const
	)[which];
	const items = [first, second].map((name, at) => ({
		'@type': 'Product',
		name,
		url: `https://home.example/${at}`,
		brand: 'Homely',
		offers: { price: 90 + at, priceCurrency: 'EUR' },
	}));
	const title = ['All shelves', 'All rugs'][which] as string;
	return {
		kind: 'product',
		url: `https://home.example/all/${which}`,
		html: document(
			'en',
			title,
			ld({ '@context': 'https://schema.org', '@graph': items }),
			`<main><h1>${title}</h1><ul>${items.map(({ name, offers }) => `<li><a href="/x">${name}</a> €${offers.price}</li>`).join('')}</ul>${filler(title)}</main>`,
		),
		truth: { name: title },
	};
};

/** A review of a product in a magazine: neither the rating nor the price is the shop's. */
const reviewPage: Template = (which) => {
	const name = ['Lumen Desk Lamp', 'Kestrel Kettle'][which] as string;
	return {
		kind: 'product',
		url: `https://magazine.example/tests/${which}`,
		html: document(
			'en-GB',
			`${name} on test`,
			ld({
				'@context': 'https://schema.org',
				'@type': 'Review',
				name: `${name} on test`,
				itemReviewed: { '@type': 'Product', name, brand: { '@type': 'Brand', name: 'Orme' } },
				reviewRating: { '@type': 'Rating', ratingValue: 3.5, bestRating: 5 },
				author: { '@type': 'Person', name: 'Ada Finch' },
			}),
			`<article><h1>${name} on test</h1><p>By Ada Finch</p>${filler(name)}<p>We paid £80 for ours last year; prices vary.</p></article>`,
		),
		truth: { name, brand: 'Orme' },
	};
};

const names = { 0: 'Night Baker', 1: 'Bridge Inspector' } as const;

/** The job of a board in the form that search engines ask for. */
const boardJob: Template = (which) => ({
	kind: 'job',
	url: `https://board.example/jobs/${which}`,
	html: document(
		'en-IE',
		`${names[which]} – Board`,
		ld({
			'@context': 'https://schema.org/',
			'@type': 'JobPosting',
			title: names[which],
			description: '<p>Salary up to €99,000 for managers.</p>',
			hiringOrganization: { '@type': 'Organization', name: 'Quay & Sons', sameAs: 'https://quay.example' },
			jobLocation: {
				'@type': 'Place',
				address: { '@type': 'PostalAddress', addressLocality: 'Galway', addressCountry: 'IE' },
			},
			datePosted: which === 0 ? '2026-03-04' : '2026-03-04T09:30:00+00:00',
			validThrough: '2026-05-01T23:59:59Z',
			employmentType: which === 0 ? ['FULL_TIME'] : 'PART_TIME',
			baseSalary: {
				'@type': 'MonetaryAmount',
				currency: 'EUR',
				value: { '@type': 'QuantitativeValue', minValue: 31000, maxValue: 36500, unitText: 'YEAR' },
			},
		}),
		`<main><h1>${names[which]}</h1>${filler('The work')}<h2>Similar jobs</h2><p>Company: Other Ltd</p><p>Location: Cork</p></main>`,
	),
	truth: {
		title: names[which],
		company: 'Quay & Sons',
		city: 'Galway',
		postedOn: '2026-03-04',
		applyBy: '2026-05-01',
		employmentType: which === 0 ? 'FULL_TIME' : 'PART_TIME',
		salaryMin: 31000,
		salaryMax: 36500,
		salaryCurrency: 'EUR',
	},
});

/** German definitions without any other marks. */
const germanJob: Template = (which) => {
	const title = ['Uhrmacherin (m/w/d)', 'Forstwirt (m/w/d)'][which] as string;
	return {
		kind: 'job',
		url: `https://stellen.example/${which}`,
		html: document(
			'de-AT',
			`${title} | Stellen`,
			'',
			`<main><h1>${title}</h1>${filler('Die Stelle')}<dl><dt>Unternehmen</dt><dd>Zeitwerk GmbH</dd><dt>Ort</dt><dd>Graz</dd><dt>Veröffentlicht am</dt><dd>4. März 2026</dd><dt>Bewerbungsfrist</dt><dd>30.04.2026</dd><dt>Anstellungsart</dt><dd>Vollzeit</dd></dl></main>`,
		),
		truth: {
			title,
			company: 'Zeitwerk GmbH',
			city: 'Graz',
			postedOn: '2026-03-04',
			applyBy: '2026-04-30',
		},
	};
};

/** Microdata with an address in parts and a salary as one number. */
const microJob: Template = (which) => {
	const title = ['Ferry Deckhand', 'Archive Assistant'][which] as string;
	return {
		kind: 'job',
		url: `https://crew.example/ads/${which}`,
		html: document(
			'en-GB',
			title,
			'',
			`<article itemscope itemtype="http://schema.org/JobPosting"><h1 itemprop="title">${title}</h1><div itemprop="hiringOrganization" itemscope itemtype="http://schema.org/Organization"><img itemprop="logo" src="/l.png"><span itemprop="name">Firth Lines</span></div>
<span itemprop="jobLocation" itemscope itemtype="http://schema.org/Place"><span itemprop="address" itemscope itemtype="http://schema.org/PostalAddress"><span itemprop="streetAddress">2 Pier Road</span>, <span itemprop="addressLocality">Oban</span></span></span>
<p>Posted <time itemprop="datePosted" datetime="2026-02-11">11 February</time>, apply by <time itemprop="validThrough" datetime="2026-03-15">15 March</time></p><meta itemprop="employmentType" content="${which === 0 ? 'TEMPORARY' : 'INTERN'}">
<div itemprop="baseSalary" itemscope itemtype="http://schema.org/MonetaryAmount"><meta itemprop="currency" content="GBP"><span itemprop="value" itemscope itemtype="http://schema.org/QuantitativeValue"><span itemprop="minValue" content="24500">£24,500</span> to <span itemprop="maxValue" content="27000">£27,000</span></span></div>${filler('The crew')}</article>`,
		),
		truth: {
			title,
			company: 'Firth Lines',
			city: 'Oban',
			postedOn: '2026-02-11',
			applyBy: '2026-03-15',
			employmentType: which === 0 ? 'TEMPORARY' : 'INTERN',
			salaryMin: 24500,
			salaryMax: 27000,
			salaryCurrency: 'GBP',
		},
	};
};

/** Selectors only. */
const bareJob: Template = (which) => {
	const [title, low, high, min, max, currency] = (
		[
			['Glasblower', '€ 2.600', '€ 3.100', 2600, 3100, 'EUR'],
			['Lighthouse Guide', '€ 1.900', '€ 2.250', 1900, 2250, 'EUR'],
		] as const
	)[which];
	return {
		kind: 'job',
		url: `https://bare.example/j/${which}`,
		html: document(
			'nl',
			'Vacature',
			'',
			`<div id="ad"><h2>${title}</h2><p class="org">Glashuis BV</p><p class="town">Leerdam</p><p><time class="up" datetime="2026-01-19T08:00+01:00">vorige week</time> tot <time class="end" datetime="2026-02-28">eind februari</time></p><p class="mode">Part-time</p><p><span class="low">${low}</span> – <span class="high">${high}</span></p>${filler('Het werk')}</div><div id="more"><h2>Andere vacature</h2><p class="org">Ander BV</p></div>`,
		),
		truth: {
			title,
			company: 'Glashuis BV',
			city: 'Leerdam',
			postedOn: '2026-01-19',
			applyBy: '2026-02-28',
			employmentType: 'PART_TIME',
			salaryMin: min,
			salaryMax: max,
			salaryCurrency: currency,
		},
	};
};

/** A table of facts, with a date that could be read in two ways. */
const tableJob: Template = (which) => {
	const title = ['Piano Tuner', 'Orchard Manager'][which] as string;
	return {
		kind: 'job',
		url: `https://work.example/${which}`,
		html: document(
			which === 0 ? 'en-US' : 'en-GB',
			title,
			'',
			`<main><h1>${title}</h1><table><tr><td>Employer</td><td>Keys &amp; Felt</td></tr><tr><td>Location</td><td>Duluth</td></tr><tr><td>Date posted</td><td>03/04/2026</td></tr><tr><td>Closing date</td><td>May 9, 2026</td></tr><tr><td>Employment type</td><td>Full time</td></tr><tr><td>Salary</td><td>competitive</td></tr></table>${filler('The work')}</main><aside><h3>Featured</h3><table><tr><td>Employer</td><td>Somebody Else</td></tr></table></aside>`,
		),
		truth: {
			title,
			company: 'Keys & Felt',
			city: 'Duluth',
			postedOn: which === 0 ? '2026-03-04' : '2026-04-03',
			applyBy: '2026-05-09',
			employmentType: 'FULL_TIME',
		},
	};
};

/** RDFa with prefixes, in Spanish. */
const spanishJob: Template = (which) => {
	const title = ['Técnica de faros', 'Restaurador de muebles'][which] as string;
	return {
		kind: 'job',
		url: `https://empleo.example/o/${which}`,
		html: document(
			'es',
			title,
			'',
			`<main prefix="s: https://schema.org/" typeof="s:JobPosting"><h1 property="s:title">${title}</h1><p rel="s:hiringOrganization"><span typeof="s:Organization"><b property="s:name">Costa Norte</b></span></p><p rel="s:jobLocation"><span typeof="s:Place"><span rel="s:address"><span typeof="s:PostalAddress"><i property="s:addressLocality">Ribadeo</i></span></span></span></p><time property="s:datePosted" datetime="2026-06-0${which + 1}">junio</time>${filler('El trabajo')}</main>`,
		),
		truth: { title, company: 'Costa Norte', city: 'Ribadeo', postedOn: `2026-06-0${which + 1}` },
	};
};

/** An index of several jobs: it is about no single one. */
const jobIndex: Template = (which) => {
	const title = ['12 jobs in Lyon', 'Jobs near you'][which] as string;
	const one = (name: string, at: number) => ({
		'@type': 'JobPosting',
		title: name,
		url: `https://index.example/j/${at}`,
		hiringOrganization: { name: `Firm ${at}` },
		datePosted: '2026-01-01',
	});
	return {
		kind: 'job',
		url: `https://index.example/${which}`,
		html: document(
			'en',
			title,
			ld({ '@context': 'https://schema.org', '@graph': [one('Cook', 1), one('Clerk', 2)] }),
			`<main><h1>${title}</h1><ul><li>Cook, Firm 1</li><li>Clerk, Firm 2</li></ul>${filler('The index')}</main>`,
		),
		truth: { title },
	};
};

/** A concert with two dates, a place and the cheapest ticket. */
const concert: Template = (which) => {
	const name = ['Winter Organ Hours', 'Songs for Small Rooms'][which] as string;
	return {
		kind: 'event',
		url: `https://hall.example/e/${which}`,
		html: document(
			'de-CH',
			`${name} – Programm`,
			ld({
				'@context': 'https://schema.org',
				'@type': 'MusicEvent',
				name,
				startDate: '2026-11-20T19:30:00+01:00',
				endDate: '2026-11-20T21:30:00+01:00',
				location: {
					'@type': 'MusicVenue',
					name: 'Predigerkirche',
					address: { '@type': 'PostalAddress', addressLocality: 'Basel', streetAddress: 'Totentanz 19' },
				},
				organizer: { '@type': 'Organization', name: 'Orgelverein' },
				offers: [{ '@type': 'Offer', price: '35.00', priceCurrency: 'CHF' }],
				subEvent: { '@type': 'Event', name: 'Einführung', startDate: '2026-11-20T18:45:00+01:00' },
			}),
			`<main><h1>${name}</h1>${filler(name)}<h2>Weitere Veranstaltungen</h2><p>Datum: 1. Dezember 2026</p></main>`,
		),
		truth: {
			name,
			startDate: '2026-11-20',
			endDate: '2026-11-20',
			venue: 'Predigerkirche',
			city: 'Basel',
			organizer: 'Orgelverein',
			price: 35,
			currency: 'CHF',
		},
	};
};

/** Microdata whose parts are named by `itemref`. */
const fair: Template = (which) => {
	const name = ['Seed Swap Saturday', 'Kite Day on the Common'][which] as string;
	return {
		kind: 'event',
		url: `https://town.example/whats-on/${which}`,
		html: document(
			'en-GB',
			name,
			'',
			`<main><div itemscope itemtype="https://schema.org/Event" itemref="when where"><h1 itemprop="name">${name}</h1></div><p id="when"><time itemprop="startDate" datetime="2026-05-16T10:00">Sat 16 May, 10am</time> – <time itemprop="endDate" datetime="2026-05-17">Sunday</time></p><p id="where" itemprop="location" itemscope itemtype="https://schema.org/Place"><span itemprop="name">Guildhall Green</span>, <span itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="addressLocality">Ludlow</span></span></p>${filler(name)}</main>`,
		),
		truth: { name, startDate: '2026-05-16', endDate: '2026-05-17', venue: 'Guildhall Green', city: 'Ludlow' },
	};
};

/** Lines of labels, in English and Italian. */
const plainEvent: Template = (which) => {
	const [lang, name, lines, venue, city, organizer] = (
		[
			[
				'en',
				'Beekeepers’ Evening',
				['Date: 14 August 2026', 'Venue: Mill Hall', 'City: Frome', 'Organiser: Frome Bee Club', 'Admission: £4.50'],
				'Mill Hall',
				'Frome',
				'Frome Bee Club',
			],
			[
				'it',
				'Sagra del Pane',
				['Data: 14 agosto 2026', 'Luogo: Piazza Vecchia', 'Città: Bra', 'Organizzatore: Pro Loco', 'Ingresso: 4,50 €'],
				'Piazza Vecchia',
				'Bra',
				'Pro Loco',
			],
		] as const
	)[which];
	return {
		kind: 'event',
		url: `https://village.example/${lang}`,
		html: document(
			lang,
			name,
			'',
			`<main><h1>${name}</h1>${filler(name)}<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul></main>`,
		),
		truth: {
			name,
			startDate: '2026-08-14',
			venue,
			city,
			organizer,
			price: 4.5,
			currency: which === 0 ? 'GBP' : 'EUR',
		},
	};
};

/** Selectors only. */
const bareEvent: Template = (which) => {
	const [lang, name, entry, price, currency] = (
		[
			['pl', 'Noc Muzeów', '25,00 zł', 25, 'PLN'],
			['en-IN', 'Monsoon Raga', '₹1,499', 1499, 'INR'],
		] as const
	)[which];
	return {
		kind: 'event',
		url: `https://bare.example/e/${which}`,
		html: document(
			lang,
			'Bare',
			'',
			`<article><h1>${name}</h1><p class="when"><time datetime="2026-09-05">5.09</time> <time datetime="2026-09-06">6.09</time></p><p class="at">Dom Kultury</p><p class="in">Gdynia</p><p class="host">Fundacja Fala</p><p class="entry">${entry}</p>${filler(name)}</article>`,
		),
		truth: {
			name,
			startDate: '2026-09-05',
			endDate: '2026-09-06',
			venue: 'Dom Kultury',
			city: 'Gdynia',
			organizer: 'Fundacja Fala',
			price,
			currency,
		},
	};
};

/** A calendar: many events, and the page is about none. */
const calendar: Template = (which) => {
	const title = ['What is on in June', 'Programme 2026'][which] as string;
	return {
		kind: 'event',
		url: `https://calendar.example/${which}`,
		html: document(
			'en',
			title,
			ld(
				[1, 2, 3].map((at) => ({
					'@context': 'https://schema.org',
					'@type': 'Event',
					name: `Evening ${at}`,
					startDate: `2026-06-0${at}`,
					url: `https://calendar.example/e/${at}`,
					location: { '@type': 'Place', name: `Room ${at}` },
				})),
			),
			`<main><h1>${title}</h1><ul><li>Evening 1<li>Evening 2<li>Evening 3</ul>${filler('The house')}</main>`,
		),
		truth: { name: title },
	};
};

/** A free workshop in RDFa; the price is nought. */
const workshop: Template = (which) => {
	const name = ['Darning for Beginners', 'Read a Sea Chart'][which] as string;
	return {
		kind: 'event',
		url: `https://learn.example/w/${which}`,
		html: document(
			'en-GB',
			name,
			`<meta property="og:title" content="${name}"><meta property="event:start_time" content="2026-10-03">`,
			`<div vocab="https://schema.org/" typeof="EducationEvent"><h1 property="name">${name}</h1><time property="startDate" content="2026-10-03T14:00:00+01:00">Saturday 2 pm</time><div property="location" typeof="Place"><span property="name">Loft Three</span> <div property="address" typeof="PostalAddress"><span property="addressLocality">Whitby</span></div></div><div property="offers" typeof="Offer"><span property="price" content="0">Free</span><meta property="priceCurrency" content="GBP"></div>${filler(name)}</div>`,
		),
		truth: { name, startDate: '2026-10-03', venue: 'Loft Three', city: 'Whitby', price: 0, currency: 'GBP' },
	};
};

/** An event that has a name only in JSON-LD with comments of a template. */
const commentedEvent: Template = (which) => {
	const name = ['Harbour Swim', 'Lantern Walk'][which] as string;
	const json = JSON.stringify({
		'@context': 'http://schema.org',
		'@type': 'SportsEvent',
		name,
		startDate: '2026-07-11',
		location: { '@type': 'Place', name: 'Stone Quay', address: 'Stone Quay, 1 Shore Street, Wick' },
		offers: { '@type': 'Offer', price: 12, priceCurrency: 'EUR' },
	});
	return {
		kind: 'event',
		url: `https://club.example/${which}`,
		html: document(
			'en',
			name,
			`<script type="application/ld+json">\n<!--\n${json}\n-->\n</script>`,
			`<main><h1>${name}</h1>${filler(name)}</main>`,
		),
		truth: { name, startDate: '2026-07-11', venue: 'Stone Quay', price: 12, currency: 'EUR' },
	};
};

const stew = {
	ingredients: ['400 g white beans', '1 leek', '2 cloves of garlic', 'salt'],
	steps: ['Soak the beans overnight.', 'Simmer them with the leek for an hour.', 'Season and serve.'],
};

/** Steps as objects in sections. */
const sectionRecipe: Template = (which) => {
	const name = ['Harbour Bean Pot', 'Monday Bean Pot'][which] as string;
	return {
		kind: 'recipe',
		url: `https://cook.example/r/${which}`,
		html: document(
			'en',
			`${name} – Cook`,
			ld({
				'@context': 'https://schema.org',
				'@type': ['Recipe', 'NewsArticle'],
				name,
				author: [{ '@type': 'Person', name: 'Inga Moll' }],
				prepTime: 'PT25M',
				cookTime: 'PT1H10M',
				recipeYield: which === 0 ? ['4', '4 servings'] : 4,
				nutrition: { '@type': 'NutritionInformation', calories: '410 kcal' },
				recipeIngredient: stew.ingredients,
				recipeInstructions: stew.steps.map((text, at) => ({ '@type': 'HowToStep', position: at + 1, text })),
				review: { '@type': 'Review', author: { name: 'Guest' }, reviewBody: 'Too salty.' },
			}),
			`<main><h1>${name}</h1>${filler(name)}<h2>You might also like</h2><ul><li>200 g sugar</li></ul></main>`,
		),
		truth: { name, author: 'Inga Moll', prepMinutes: 25, cookMinutes: 70, servings: 4, calories: 410, ...stew },
	};
};

/** Microdata of a German blog. */
const germanRecipe: Template = (which) => {
	const name = ['Apfelbrot', 'Linsensalat'][which] as string;
	const ingredients = ['500 g Mehl', '3 Äpfel', '1 Prise Salz'];
	const steps = ['Alles vermengen.', 'Eine Stunde ruhen lassen.', 'Backen, bis es duftet.'];
	return {
		kind: 'recipe',
		url: `https://herd.example/rezept/${which}`,
		html: document(
			'de',
			name,
			'',
			`<article itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">${name}</h1><p>von <span itemprop="author" itemscope itemtype="https://schema.org/Person"><span itemprop="name">Jule Brand</span></span></p><p>Vorbereitung <time itemprop="prepTime" datetime="PT20M">20 Minuten</time>, Backzeit <time itemprop="cookTime" datetime="PT50M">50 Minuten</time>, für <span itemprop="recipeYield">6 Personen</span></p><h2>Zutaten</h2><ul>${ingredients.map((one) => `<li itemprop="recipeIngredient">${one}</li>`).join('')}</ul><h2>Zubereitung</h2><ol>${steps.map((one) => `<li itemprop="recipeInstructions">${one}</li>`).join('')}</ol>${filler(name)}</article>`,
		),
		truth: { name, author: 'Jule Brand', prepMinutes: 20, cookMinutes: 50, servings: 6, ingredients, steps },
	};
};

/** Headings and lists only, in English and French. */
const plainRecipe: Template = (which) => {
	const [lang, name, labels, needs, doing] = (
		[
			['en', 'Rye Pancakes', ['Serves: 3', 'Prep time: 10 minutes', 'Cook time: 15 minutes'], 'Ingredients', 'Method'],
			[
				'fr',
				'Galettes de seigle',
				['Pour : 3 personnes', 'Préparation : 10 minutes', 'Cuisson : 15 minutes'],
				'Ingrédients',
				'Préparation',
			],
		] as const
	)[which];
	const ingredients = ['150 g rye', '2 eggs', '300 ml milk'];
	const steps = ['Whisk it all.', 'Rest it for ten minutes.', 'Fry in butter.'];
	return {
		kind: 'recipe',
		url: `https://plain.test/${lang}`,
		html: document(
			lang,
			name,
			'',
			`<main><h1>${name}</h1>${filler(name)}<p>${labels.join('<br>')}</p><h2>${needs}</h2><ul>${ingredients.map((one) => `<li>${one}</li>`).join('')}</ul><h2>${doing}</h2><ol>${steps.map((one) => `<li>${one}</li>`).join('')}</ol><h2>${which === 0 ? 'Comments' : 'Commentaires'}</h2><ul><li>Lovely!</li></ul></main>`,
		),
		truth: { name, prepMinutes: 10, cookMinutes: 15, servings: 3, ingredients, steps },
	};
};

/** Selectors only. */
const bareRecipe: Template = (which) => {
	const name = ['Kvas', 'Borani'][which] as string;
	const ingredients = ['rye bread', 'honey'];
	const steps = ['Steep.', 'Wait two days.'];
	return {
		kind: 'recipe',
		url: `https://bare.example/r/${which}`,
		html: document(
			'en',
			'Bare',
			'',
			`<div class="dish">${name}</div><div class="cook">Sana Ilic</div><p><span class="t-prep">15 min</span> <span class="t-cook">1 h 5 min</span> <span class="n">8</span> <span class="kcal">120 kcal</span></p><div class="in">${ingredients.map((one) => `<p>${one}</p>`).join('')}</div><div class="do">${steps.map((one) => `<p>${one}</p>`).join('')}</div>${filler(name)}`,
		),
		truth: {
			name,
			author: 'Sana Ilic',
			prepMinutes: 15,
			cookMinutes: 65,
			servings: 8,
			calories: 120,
			ingredients,
			steps,
		},
	};
};

/** Steps and ingredients as one text with line breaks; a yield that is no number. */
const textRecipe: Template = (which) => {
	const name = ['Plum Jam', 'Pickled Beets'][which] as string;
	return {
		kind: 'recipe',
		url: `https://jar.example/${which}`,
		html: document(
			'en-US',
			name,
			ld({
				'@context': 'https://schema.org',
				'@type': 'Recipe',
				name,
				author: 'Nell Ward',
				prepTime: 'PT0H30M',
				cookTime: 'P0DT0H45M',
				recipeYield: 'a few jars',
				recipeIngredient: ['2 lb fruit', '1 cup sugar'],
				recipeInstructions: 'Cook it all down, then fill hot jars.',
				mainEntityOfPage: `https://jar.example/${which}`,
			}),
			`<main><h1>${name}</h1>${filler(name)}</main>`,
		),
		truth: {
			name,
			author: 'Nell Ward',
			prepMinutes: 30,
			cookMinutes: 45,
			ingredients: ['2 lb fruit', '1 cup sugar'],
			steps: ['Cook it all down, then fill hot jars.'],
		},
	};
};

/** A collection of recipes: the page is about none. */
const cookbook: Template = (which) => {
	const title = ['Nine soups for cold days', 'Our best breads'][which] as string;
	return {
		kind: 'recipe',
		url: `https://cookbook.example/${which}`,
		html: document(
			'en',
			title,
			ld({
				'@context': 'https://schema.org',
				'@type': 'ItemList',
				itemListElement: ['Leek Soup', 'Pea Soup'].map((name, at) => ({
					'@type': 'ListItem',
					position: at + 1,
					item: {
						'@type': 'Recipe',
						name,
						url: `https://cookbook.example/r/${at}`,
						author: { name: 'Uma Lie' },
						recipeIngredient: ['water'],
					},
				})),
			}),
			`<main><h1>${title}</h1><h2>Leek Soup</h2><p>Warm.</p><h2>Pea Soup</h2><p>Green.</p>${filler('The book')}</main>`,
		),
		truth: { name: title },
	};
};

const templates: Readonly<Record<string, Template>> = {
	graphShop,
	germanShop,
	frenchShop,
	brokenShop,
	bareShop,
	manyOffers,
	groupShop,
	linesShop,
	categoryPage,
	reviewPage,
	boardJob,
	germanJob,
	microJob,
	bareJob,
	tableJob,
	spanishJob,
	jobIndex,
	concert,
	fair,
	plainEvent,
	bareEvent,
	calendar,
	workshop,
	commentedEvent,
	sectionRecipe,
	germanRecipe,
	plainRecipe,
	bareRecipe,
	textRecipe,
	cookbook,
};

export const unseenPages = (): MadePage[] =>
	Object.entries(templates).flatMap(([family, make]) => ([0, 1] as const).map((which) => ({ family, ...make(which) })));
