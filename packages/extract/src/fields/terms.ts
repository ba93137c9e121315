/**
 * Names that schemas give to properties → their places in items of schema.org, in order of preference. A name that is
 * not listed is looked up as it is. Names are compared in camel case.
 */
const synonyms: Readonly<Record<string, string>> = {
	// Things.
	name: 'name headline title',
	title: 'name headline title',
	headline: 'headline name',
	description: 'description abstract',
	summary: 'description abstract',
	image: 'image.url image.contentUrl image',
	images: 'image.url image.contentUrl image',
	imageUrl: 'image.url image.contentUrl image',
	photo: 'image.url image.contentUrl image',
	url: 'url',
	link: 'url',
	author: 'author.name author',
	authors: 'author.name author',
	publisher: 'publisher.name publisher',
	// Products.
	price: 'offers.price offers.priceSpecification.price price priceSpecification.price hasVariant.offers.price',
	currency:
		'offers.priceCurrency offers.priceSpecification.priceCurrency priceCurrency priceSpecification.priceCurrency hasVariant.offers.priceCurrency',
	priceCurrency:
		'offers.priceCurrency offers.priceSpecification.priceCurrency priceCurrency priceSpecification.priceCurrency hasVariant.offers.priceCurrency',
	currencyCode: 'offers.priceCurrency offers.priceSpecification.priceCurrency priceCurrency',
	lowPrice: 'offers.lowPrice lowPrice',
	minPrice: 'offers.lowPrice lowPrice',
	highPrice: 'offers.highPrice highPrice',
	maxPrice: 'offers.highPrice highPrice',
	offer: 'offers',
	availability: 'offers.availability availability',
	stock: 'offers.availability availability',
	stockStatus: 'offers.availability availability',
	inStock: 'offers.availability availability',
	available: 'offers.availability availability',
	isAvailable: 'offers.availability availability',
	condition: 'offers.itemCondition itemCondition',
	itemCondition: 'itemCondition offers.itemCondition',
	seller: 'offers.seller.name offers.seller seller.name seller',
	brand: 'brand.name brand',
	manufacturer: 'manufacturer.name manufacturer',
	sku: 'sku offers.sku',
	gtin: 'gtin gtin13 gtin12 gtin14 gtin8 offers.gtin offers.gtin13',
	ean: 'gtin13 gtin offers.gtin13 offers.gtin',
	upc: 'gtin12 gtin offers.gtin12 offers.gtin',
	colour: 'color',
	weight: 'weight.value weight',
	rating: 'aggregateRating.ratingValue ratingValue reviewRating.ratingValue',
	averageRating: 'aggregateRating.ratingValue',
	ratingValue: 'aggregateRating.ratingValue ratingValue reviewRating.ratingValue',
	bestRating: 'aggregateRating.bestRating bestRating',
	reviewCount: 'aggregateRating.reviewCount reviewCount',
	numberOfReviews: 'aggregateRating.reviewCount reviewCount',
	ratingCount: 'aggregateRating.ratingCount ratingCount',
	reviews: 'review reviews',
	relatedProducts: 'isRelatedTo isSimilarTo',
	// Jobs.
	company: 'hiringOrganization.name hiringOrganization',
	companyName: 'hiringOrganization.name hiringOrganization',
	employer: 'hiringOrganization.name hiringOrganization',
	organization: 'hiringOrganization.name hiringOrganization organizer.name organizer',
	hiringOrganization: 'hiringOrganization.name hiringOrganization',
	posted: 'datePosted',
	postedAt: 'datePosted',
	postedDate: 'datePosted',
	postingDate: 'datePosted',
	publishedAt: 'datePosted datePublished',
	published: 'datePublished datePosted',
	deadline: 'validThrough',
	closingDate: 'validThrough',
	applicationDeadline: 'validThrough',
	applyBy: 'validThrough',
	expires: 'validThrough',
	contractType: 'employmentType',
	contract: 'employmentType',
	type: 'employmentType',
	remote: 'jobLocationType',
	isRemote: 'jobLocationType',
	workplaceType: 'jobLocationType',
	salary: 'baseSalary.value.value baseSalary.value baseSalary',
	salaryMin: 'baseSalary.value.minValue baseSalary.minValue value.minValue minValue',
	minSalary: 'baseSalary.value.minValue baseSalary.minValue value.minValue minValue',
	salaryMax: 'baseSalary.value.maxValue baseSalary.maxValue value.maxValue maxValue',
	maxSalary: 'baseSalary.value.maxValue baseSalary.maxValue value.maxValue maxValue',
	min: 'value.minValue minValue',
	max: 'value.maxValue maxValue',
	salaryCurrency: 'baseSalary.currency salaryCurrency',
	salaryUnit: 'baseSalary.value.unitText baseSalary.unitText',
	salaryPeriod: 'baseSalary.value.unitText baseSalary.unitText',
	unit: 'unitText value.unitText unitCode',
	period: 'value.unitText unitText',
	// Places.
	location:
		'location.name jobLocation.name jobLocation.address.addressLocality location.address.addressLocality location jobLocation',
	venue: 'location.name location',
	venueName: 'location.name location',
	place: 'location.name location',
	address: 'address location.address jobLocation.address',
	street: 'streetAddress address.streetAddress location.address.streetAddress jobLocation.address.streetAddress',
	streetAddress: 'streetAddress address.streetAddress location.address.streetAddress jobLocation.address.streetAddress',
	city: 'addressLocality address.addressLocality location.address.addressLocality jobLocation.address.addressLocality',
	town: 'addressLocality address.addressLocality location.address.addressLocality jobLocation.address.addressLocality',
	addressLocality:
		'addressLocality address.addressLocality location.address.addressLocality jobLocation.address.addressLocality',
	region: 'addressRegion address.addressRegion location.address.addressRegion jobLocation.address.addressRegion',
	state: 'addressRegion address.addressRegion location.address.addressRegion jobLocation.address.addressRegion',
	postcode: 'postalCode address.postalCode location.address.postalCode jobLocation.address.postalCode',
	postalCode: 'postalCode address.postalCode location.address.postalCode jobLocation.address.postalCode',
	zip: 'postalCode address.postalCode location.address.postalCode jobLocation.address.postalCode',
	country:
		'addressCountry.name addressCountry address.addressCountry.name address.addressCountry location.address.addressCountry.name location.address.addressCountry jobLocation.address.addressCountry.name jobLocation.address.addressCountry',
	phone: 'telephone',
	// Events.
	start: 'startDate',
	starts: 'startDate',
	startsAt: 'startDate',
	startTime: 'startDate',
	date: 'startDate datePublished datePosted',
	end: 'endDate',
	ends: 'endDate',
	endsAt: 'endDate',
	endTime: 'endDate',
	doorsOpen: 'doorTime',
	organizer: 'organizer.name organizer',
	organiser: 'organizer.name organizer',
	host: 'organizer.name organizer',
	performer: 'performer.name performer',
	performers: 'performer.name performer',
	artists: 'performer.name performer',
	speakers: 'performer.name performer',
	status: 'eventStatus',
	attendanceMode: 'eventAttendanceMode',
	ticketPrice: 'offers.price price',
	ticketUrl: 'offers.url',
	// Recipes.
	ingredients: 'recipeIngredient',
	ingredient: 'recipeIngredient',
	recipeIngredients: 'recipeIngredient',
	steps: 'recipeInstructions.itemListElement recipeInstructions step.itemListElement step',
	instructions: 'recipeInstructions.itemListElement recipeInstructions',
	recipeInstructions: 'recipeInstructions.itemListElement recipeInstructions',
	directions: 'recipeInstructions.itemListElement recipeInstructions',
	method: 'recipeInstructions.itemListElement recipeInstructions',
	servings: 'recipeYield',
	serves: 'recipeYield',
	yield: 'recipeYield',
	category: 'recipeCategory category',
	cuisine: 'recipeCuisine',
	prepTime: 'prepTime',
	cookTime: 'cookTime',
	totalTime: 'totalTime',
	calories: 'nutrition.calories calories',
	keywords: 'keywords',
};

/** Names that ask for a part of an address or of an offer where an object of that name is wanted. */
const objects: Readonly<Record<string, string>> = {
	location: 'location jobLocation',
	venue: 'location',
	place: 'location jobLocation',
	address: 'address location.address jobLocation.address',
	offer: 'offers',
	offers: 'offers',
	brand: 'brand',
	manufacturer: 'manufacturer',
	seller: 'offers.seller seller',
	rating: 'aggregateRating reviewRating',
	salary: 'baseSalary',
	company: 'hiringOrganization',
	employer: 'hiringOrganization',
	organization: 'hiringOrganization organizer',
	hiringOrganization: 'hiringOrganization',
	organizer: 'organizer',
	organiser: 'organizer',
	host: 'organizer',
	author: 'author',
	authors: 'author',
	publisher: 'publisher',
	performer: 'performer',
	performers: 'performer',
	artists: 'performer',
	image: 'image',
	images: 'image',
	price: 'offers',
	nutrition: 'nutrition',
	reviews: 'review reviews',
	steps: synonyms.steps!,
	instructions: synonyms.steps!,
	directions: synonyms.steps!,
	method: synonyms.steps!,
};

/** Words that schemas use for a type of schema.org, in lower case. */
const typeWords: Readonly<Record<string, readonly string[]>> = {
	product: ['Product'],
	item: [],
	job: ['JobPosting'],
	jobposting: ['JobPosting'],
	jobad: ['JobPosting'],
	vacancy: ['JobPosting'],
	position: ['JobPosting'],
	event: ['Event'],
	concert: ['Event'],
	show: ['Event'],
	recipe: ['Recipe'],
	book: ['Book'],
	movie: ['Movie'],
	course: ['Course'],
	software: ['SoftwareApplication'],
	app: ['SoftwareApplication'],
	hotel: ['Hotel'],
	restaurant: ['Restaurant'],
	business: ['LocalBusiness'],
	localbusiness: ['LocalBusiness'],
	dataset: ['Dataset'],
	article: ['Article'],
	post: ['Article'],
	blogpost: ['Article'],
	offer: ['Offer'],
};

/** Types that count as another one. */
const families: Readonly<Record<string, RegExp>> = {
	Product: /^(?:Product|ProductGroup|ProductModel|IndividualProduct|SomeProducts|Vehicle|Car|Motorcycle|Book)$/,
	Article: /^(?:\w*Article|(?:Live)?BlogPosting|Report)$/,
	Event: /^(?:Event|\w+Event|EventSeries|Festival|Hackathon)$/,
	LocalBusiness: /^(?:\w*Business|Restaurant|Hotel|Store|\w+Store)$/,
	SoftwareApplication: /^(?:Software|Mobile|Web)Application$|^VideoGame$/,
};

export const isOfType = (own: readonly string[], wanted: readonly string[]): boolean =>
	wanted.length === 0 || wanted.some((type) => own.some((name) => name === type || families[type]?.test(name)));

/** Camel case: `date_posted` and `Date posted` are `datePosted`. */
export function camelCase(name: string): string {
	const [first = '', ...rest] = wordsOf(name);
	return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The words of a name in lower case: `datePosted` → `date`, `posted`. */
export const wordsOf = (name: string): string[] =>
	name
		.slice(0, 200)
		.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== '');

/** The type that the title or the name of an object speaks of; undefined for other words. */
export function typesNamed(name: string): readonly string[] | undefined {
	const words = wordsOf(name);
	const known = (word: string) => (Object.hasOwn(typeWords, word) ? typeWords[word] : undefined);
	const last = words.at(-1);
	return (
		known(words.join('')) ??
		known(words.join('').replace(/s$/, '')) ??
		(words.length === 2 && last !== undefined ? known(last.replace(/s$/, '')) : undefined)
	);
}

const own = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
	Object.hasOwn(table, name) ? table[name] : undefined;

const pathsOf = (written: string): string[][] => written.split(' ').map((path) => path.split('.'));

/** The name in camel case, without the word of its type: `job_title` → `title`, where that is the name of a property. */
function bare(name: string): string {
	const whole = camelCase(name);
	const [first = '', ...rest] = wordsOf(name);
	if (rest.length === 0 || own(synonyms, whole) !== undefined) return whole;
	const isPrefixed = Object.hasOwn(typeWords, first) || first === 'is';
	// `postedOn` is posted, `starts_at` is starts.
	const isMoment = /^(?:on|at)$/.test(rest.at(-1) ?? '');
	for (const words of [isPrefixed ? rest : [], isMoment ? [first, ...rest.slice(0, -1)] : []]) {
		const without = camelCase(words.join(' '));
		if (own(synonyms, without) !== undefined) return without;
	}
	return whole;
}

const timeUnit = /(?:In)?(?:Minutes|Hours|Seconds|Mins?)$/;
/** Units of weights, lengths, volumes, energies and powers at the end of a name. */
const measure =
	/(?:In)?(?:Kg|Kilograms?|Grams?|Lbs?|Pounds?|Cm|Mm|Metres?|Meters?|Litres?|Liters?|Ml|Kcal|Kwh?|Watts?)$/;

/** The unit at the end of a name, in lower case: `kg` of `weightKg`. */
export const unitIn = (name: string): string | undefined =>
	(timeUnit.exec(camelCase(name)) ?? measure.exec(camelCase(name)))?.[0].replace(/^In/, '').toLowerCase();

/** Names without their unit: `prepTimeMinutes` and `prepMinutes` are the prepTime, `weightKg` is the weight. */
function withoutUnit(plain: string): string[] {
	const timed = plain.replace(timeUnit, '');
	if (timed !== plain && timed !== '') return /Time$/.test(timed) ? [timed] : [`${timed}Time`, timed];
	const measured = plain.replace(measure, '');
	return measured === plain || measured === '' ? [] : [measured];
}

/** Where items have the property of a name. */
export function termsOf(name: string, kind: 'scalar' | 'object'): string[][] {
	const plain = bare(name);
	const known = (kind === 'object' ? own(objects, plain) : undefined) ?? own(synonyms, plain);
	if (known !== undefined && !(kind === 'object' && own(objects, plain) === undefined)) return pathsOf(known);
	const singular = /^(.{3,})s$/.exec(plain)?.[1];
	return [[plain], ...withoutUnit(plain).map((name) => [name]), ...(singular === undefined ? [] : [[singular]])];
}

/** Whether a property is known to schema.org under this name, so that it is not a group of the schema's own. */
export const isKnownName = (name: string): boolean =>
	own(objects, bare(name)) !== undefined || own(synonyms, bare(name)) !== undefined;

/** Names that every item has: found in an item around, they would speak of something else. */
export const generic: ReadonlySet<string> = new Set(
	'name title headline description summary url link image images imageUrl photo address phone email id type date'.split(
		' ',
	),
);

/** Further labels of documents, by the name of the property. */
const labels: Readonly<Record<string, string>> = {
	price:
		'price|our price|sale price|ticket price|tickets|ticket|admission|entry|entry fee|preis|prix|precio|prezzo|prijs|pris|cena|preço|eintritt|entrée|ingresso|entrada|wstęp|vstupné',
	currency:
		'currency|price|our price|sale price|ticket price|tickets|ticket|admission|entry|preis|prix|precio|prezzo|prijs|pris|cena|preço|eintritt|entrée|ingresso|entrada|wstęp|vstupné',
	salaryCurrency: 'salary currency|salary|pay|gehalt|salaire|salario',
	ticketPrice: 'ticket price|tickets|ticket|price|admission|entry|preis|prix|precio',
	sku: 'sku|article number|article no|item number|item no|product code|artikelnummer|artikel nr|référence',
	gtin: 'gtin|ean|gtin ean|barcode',
	ean: 'ean|gtin',
	mpn: 'mpn|manufacturer part number|model number|part number',
	brand: 'brand|marke|marque|marca|merk|märke|značka|mærke',
	manufacturer: 'manufacturer|maker|hersteller',
	colour: 'colour|color|farbe',
	color: 'colour|color|farbe',
	material: 'material|werkstoff|matériau|materiale|materiaal|materiál|materiał',
	weight: 'weight|gewicht|poids|peso|vikt|vægt|vekt|waga|hmotnost',
	availability:
		'availability|stock|stock status|verfügbarkeit|disponibilité|lagerstatus|disponibilidad|disponibilità|beschikbaarheid|dostępność|dostupnost|disponibilidade',
	inStock:
		'availability|stock|stock status|in stock|verfügbarkeit|disponibilité|lagerstatus|disponibilidad|disponibilità|beschikbaarheid|dostępność|dostupnost|disponibilidade',
	condition: 'condition|zustand|état',
	rating: 'rating|average rating',
	reviewCount: 'reviews|number of reviews|review count',
	company:
		'company|employer|organisation|organization|hiring organization|unternehmen|arbeitgeber|firma|entreprise|empresa|azienda|bedrijf|företag|arbetsgivare|werkgever|pracodawca|zaměstnavatel|datore di lavoro',
	hiringOrganization: 'company|employer|organisation|organization|hiring organization|unternehmen|arbeitgeber',
	employer:
		'company|employer|organisation|organization|unternehmen|arbeitgeber|entreprise|empresa|azienda|bedrijf|arbetsgivare|werkgever|pracodawca|zaměstnavatel|datore di lavoro',
	location: 'location|place|venue|ort|standort|arbeitsort|lieu|ubicación|luogo|plaats|plats|miejsce|místo',
	city: 'city|town|stadt|ville|ciudad|città|plaats|stad|miasto|město|cidade',
	country: 'country|land|pays|país',
	datePosted:
		'date posted|posted|posted on|published|veröffentlicht|veröffentlicht am|publié le|publicado|pubblicato il|gepubliceerd|publicerad|opublikowano|zveřejněno',
	validThrough:
		'closing date|deadline|apply by|application deadline|applications close|valid through|bewerbungsfrist|date limite|bewerbungsschluss|fecha límite|scadenza|sluitingsdatum|sista ansökningsdag|termin składania|prazo',
	deadline:
		'closing date|deadline|apply by|application deadline|applications close|bewerbungsfrist|date limite|bewerbungsschluss|fecha límite|scadenza|sluitingsdatum|sista ansökningsdag|termin składania|prazo',
	employmentType:
		'employment type|job type|contract|contract type|type of contract|beschäftigungsart|anstellungsart|vertragsart|type de contrat',
	salary: 'salary|pay|gehalt|salaire|salario',
	startDate: 'date|start|starts|start date|when|datum|beginn|wann|début|fecha|data|inizio|begin|börjar',
	endDate: 'end|ends|end date|until|ende|fin|fine|einde|slutar|koniec|konec|fim',
	doorTime: 'doors|doors open|einlass',
	venue: 'venue|location|where|place|veranstaltungsort|ort|lieu|luogo|lugar|locatie|plats|miejsce|místo',
	organizer:
		'organizer|organiser|organized by|organised by|hosted by|host|veranstalter|organisateur|organizzatore|organizador|organisator|arrangör|organizator|pořadatel',
	performers: 'performers|performer|artists|artist|line up|lineup|with|speakers|speaker',
	performer: 'performer|artist|with|speaker',
	servings:
		'servings|serves|yield|makes|portions|portionen|personen|für|pour|raciones|porzioni|dosi per|personer|portioner|porcje|porce|porções',
	recipeYield:
		'servings|serves|yield|makes|portions|portionen|pour|porzioni|dosi per|personer|portioner|porcje|porce|porções',
	prepTime:
		'prep time|preparation time|preparation|prep|vorbereitung|vorbereitungszeit|préparation|preparazione|förberedelse|tiempo de preparación|przygotowanie',
	cookTime:
		'cook time|cooking time|cooking|cook|baking time|kochzeit|backzeit|cuisson|temps de cuisson|cottura|tillagningstid|cocción|tiempo de cocción|gotowanie',
	totalTime: 'total time|total|ready in|gesamtzeit|temps total',
	ingredients:
		'ingredients|zutaten|ingrédients|ingredientes|ingrediënten|ingrediënser|ingredienser|ingredienti|składniki|suroviny',
	recipeIngredient:
		'ingredients|zutaten|ingrédients|ingredientes|ingrediënten|ingredienser|ingredienti|składniki|suroviny',
	steps:
		'steps|method|instructions|directions|preparation|how to make it|zubereitung|anleitung|préparation|étapes|preparación|preparazione|bereiding|gör så här|przygotowanie|postup|procedimento',
	recipeInstructions:
		'steps|method|instructions|directions|preparation|zubereitung|préparation|étapes|preparazione|bereiding|gör så här|przygotowanie|postup|procedimento|preparación',
	instructions:
		'steps|method|instructions|directions|preparation|zubereitung|préparation|étapes|preparazione|bereiding|gör så här|przygotowanie|postup|procedimento|preparación',
	cuisine: 'cuisine|küche',
	category: 'category|course|kategorie|catégorie',
	calories: 'calories|energy|energie|kalorien|calorías|calorie|kalorier',
	author: 'author|by|recipe by|autor|auteur|autore|författare|av',
};

/** The labels under which documents state a property. */
export function labelsOf(name: string): string[] {
	const plain = bare(name);
	const found = own(labels, plain) ?? own(labels, (own(synonyms, plain) ?? '').split(' ')[0] ?? '');
	return [
		wordsOf(name).join(' '),
		wordsOf(plain).join(' '),
		...(found?.split('|') ?? []),
		...withoutUnit(plain).flatMap((one) => own(labels, one)?.split('|') ?? []),
	];
}

const people =
	'servings|serving|portions|portion|people|persons|person|portionen|personen|personnes|personne|raciones|personas|porzioni|persone|porções|pessoas|personer|portioner|osoby|osób|porcji|porcje|porce|porcí';

/** Words behind a number that say nothing but what the name says: `410 kcal` for calories, `6 Personen` for servings. */
export function unitsOf(name: string): string[] {
	const term = (own(synonyms, bare(name)) ?? bare(name)).split(' ')[0];
	if (term === 'nutrition.calories') return ['kcal', 'cal', 'calories', 'kalorien', 'calorías', 'calorie'];
	return term === 'recipeYield' ? people.split('|') : [];
}

/** Meta tags that state a property of the thing that the page is about (Open Graph and its vocabularies). */
const metas: Readonly<Record<string, string>> = {
	'offers.price': 'product:price:amount og:price:amount product:sale_price:amount',
	'offers.priceCurrency': 'product:price:currency og:price:currency product:sale_price:currency',
	'offers.availability': 'product:availability og:availability',
	'offers.itemCondition': 'product:condition',
	brand: 'product:brand og:brand',
	sku: 'product:retailer_item_id product:sku',
	gtin: 'product:ean product:upc product:gtin',
	gtin13: 'product:ean',
	color: 'product:color',
	material: 'product:material',
	startDate: 'event:start_time',
	endDate: 'event:end_time',
	latitude: 'place:location:latitude',
	longitude: 'place:location:longitude',
	isbn: 'book:isbn og:isbn',
};

/** Types whose things the vocabularies of meta tags describe, by prefix. */
const metaTypes: Readonly<Record<string, readonly string[]>> = {
	'product:': ['Product', 'Offer'],
	'og:': ['Product', 'Offer', 'Book'],
	'event:': ['Event'],
	'book:': ['Book', 'Product'],
};

/** The meta tags for the places of a property of a thing; those of other things say nothing about it. */
export const metasOf = (terms: readonly (readonly string[])[], types: readonly string[]): string[] =>
	terms
		.flatMap((path) => own(metas, path.join('.'))?.split(' ') ?? [])
		.filter((name) => {
			const described = metaTypes[name.slice(0, name.indexOf(':') + 1)];
			return types.length === 0 || described === undefined || described.some((type) => types.includes(type));
		});
