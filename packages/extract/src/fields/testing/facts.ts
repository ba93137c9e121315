import type { Kind } from './schemas.ts';
import type { Seeded } from './seeded.ts';

/** A made-up page and what it states. */
export interface MadePage {
	readonly kind: Kind;
	readonly family: string;
	readonly url: string;
	readonly html: string;
	readonly truth: Readonly<Record<string, unknown>>;
}

const adjectives = ['Amber', 'Brisk', 'Cobalt', 'Dusky', 'Ember', 'Fallow', 'Gilded', 'Harbour', 'Ivory', 'Juniper'];
const goods = [
	'Kettle',
	'Lantern',
	'Rucksack',
	'Chisel',
	'Teapot',
	'Bicycle Bell',
	'Notebook',
	'Stool',
	'Tent',
	'Whisk',
];
const makers = ['Oakline', 'Tarn & Fell', 'Norrvik', 'Petrichor', 'Halden', 'Müller Söhne', 'Brightwell'];
const materials = ['beech', 'stainless steel', 'waxed cotton', 'brass', 'enamel', 'recycled wool'];
const cities = ['Ghent', 'Leeds', 'Graz', 'Porto', 'Uppsala', 'Turin', 'Cork', 'Basel'];
const countries = ['Belgium', 'Sweden', 'Austria', 'Portugal', 'Italy', 'Ireland'];
const streets = ['Mill Lane 4', 'Harbour Street 12', 'Station Road 77', 'Kirkgate 3', 'Old Square 9'];
const trades = ['Data Engineer', 'Pastry Chef', 'Bookkeeper', 'Site Manager', 'Nurse', 'Translator', 'Welder'];
const acts = ['The Paper Kites Trio', 'Mira Lind', 'Duo Sandberg', 'Otto Brandt', 'Nell Hargreaves', 'Low Tide Choir'];
const halls = ['Corn Exchange', 'Glasshouse', 'Pier Theatre', 'Old Foundry', 'Lake Pavilion'];
const dishes = ['Leek Tart', 'Lentil Soup', 'Plum Cake', 'Barley Risotto', 'Bean Stew', 'Rye Crackers'];
const foods = [
	'200 g flour',
	'2 eggs',
	'1 pinch of salt',
	'3 leeks, sliced',
	'150 ml cream',
	'1 tbsp olive oil',
	'80 g butter',
	'1 onion',
];
const doings = [
	'Heat the oven to 180 degrees and line a tin.',
	'Stir everything together until smooth.',
	'Leave it to rest for a quarter of an hour.',
	'Bake until golden and let it cool.',
	'Season well and serve with bread.',
];

export const iso = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);

export function productFacts(random: Seeded) {
	const name = `${random.of(adjectives)} ${random.of(goods)} ${random.whole(2, 99)}`;
	return {
		name,
		price: random.whole(500, 250_000) / 100,
		currency: random.of(['EUR', 'GBP', 'CHF', 'SEK']),
		availability: random.of(['InStock', 'OutOfStock', 'PreOrder']),
		brand: random.of(makers),
		sku: `${random.of(['AB', 'QX', 'TR'])}-${random.whole(1000, 99_999)}`,
		rating: random.whole(21, 49) / 10,
		reviewCount: random.whole(2, 900),
		material: random.of(materials),
		image: `https://cdn.example/img/${random.whole(1000, 9999)}.jpg`,
	};
}

export function jobFacts(random: Seeded) {
	const low = random.whole(28, 60) * 1000;
	return {
		title: random.of(trades),
		company: random.of(makers),
		location: { city: random.of(cities), country: random.of(countries) },
		datePosted: iso(random.whole(1, 150)),
		deadline: iso(random.whole(160, 300)),
		employmentType: random.of(['FULL_TIME', 'PART_TIME', 'CONTRACTOR', 'TEMPORARY', 'INTERN']),
		salaryMin: low,
		salaryMax: low + random.whole(4, 20) * 1000,
		salaryCurrency: random.of(['EUR', 'GBP', 'CHF']),
	};
}

export function eventFacts(random: Seeded) {
	const day = random.whole(30, 300);
	return {
		name: `${random.of(adjectives)} ${random.of(['Night', 'Festival', 'Matinee', 'Session'])} ${random.whole(3, 40)}`,
		startDate: iso(day),
		endDate: iso(day + random.whole(1, 3)),
		venue: { name: random.of(halls), street: random.of(streets), city: random.of(cities) },
		organizer: `${random.of(makers)} Arts`,
		performers: random.some(acts, random.whole(2, 4)),
		price: random.whole(500, 9000) / 100,
		currency: random.of(['EUR', 'GBP', 'CHF']),
	};
}

export function recipeFacts(random: Seeded) {
	return {
		name: `${random.of(adjectives)} ${random.of(dishes)}`,
		ingredients: random.some(foods, random.whole(3, 6)),
		steps: random.some(doings, random.whole(2, 4)).map((text) => ({ text })),
		prepTime: `PT${random.of([5, 10, 15, 20, 25])}M`,
		cookTimeMinutes: random.of([15, 30, 45, 60, 90]),
		servings: `${random.whole(2, 8)}`,
		cuisine: random.of(['Italian', 'Nordic', 'Alpine', 'Basque']),
	};
}

export const other = (random: Seeded): string =>
	`${random.of(adjectives)} ${random.of(goods)} ${random.whole(100, 200)}`;
export const sayings = [
	'Arrived quickly and works well.',
	'Not quite what I hoped for.',
	'I would buy it again at once.',
];

export const prose = (name: string): string =>
	`<p>${name} has been with us for years, and people keep writing to say how much they like it. We tested it through a wet spring and a long summer, and it held up without complaint. If you have questions, our small team answers them the same day.</p>`;
