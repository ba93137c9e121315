import { type Item, type JsonLd, textOf, typesOf, valuesOf } from './json-ld.ts';
import { comparable } from './text.ts';

/** Schema.org types that are the subject of a page. */
const article = /(?:Article|Posting|Report|Recipe|HowTo|Guide|Course|Review|Episode|Book|Thesis|CreativeWork)$/;
/** Schema.org types that are the subject only if no article is. */
const other =
	/^(?:Product|QAPage|Question|VideoObject|Event|JobPosting|SoftwareApplication|Dataset|ProfilePage|Person)$/;
const pagePattern = /Page$/;

/** The node that describes what the page is about: an article before other things, those before the page itself. */
export function mainItem(data: JsonLd, url: string, titles: readonly string[]): Item | undefined {
	let best: Item | undefined;
	let highest = 0;
	const wanted = new Set(titles.map(comparable));
	for (const item of candidates(data)) {
		const types = typesOf(item);
		const kind = types.some((type) => article.test(type))
			? 30
			: types.some((type) => other.test(type))
				? 20
				: types.some((type) => pagePattern.test(type))
					? 10
					: 0;
		if (kind === 0) continue;
		const named = wanted.has(comparable(textOf(data, item, 'headline') ?? textOf(data, item, 'name') ?? ''));
		const score = kind + (named ? 6 : 0) + (speaksOf(data, item, url) ? 5 : 0);
		if (score > highest) {
			best = item;
			highest = score;
		}
	}
	return best;
}

/** Whether an item is a written text. */
export function isArticle(item: Item | undefined): boolean {
	return item !== undefined && typesOf(item).some((type) => article.test(type));
}

function candidates(data: JsonLd): Item[] {
	return data.items.flatMap((item) => {
		const main = valuesOf(data, item, 'mainEntity').concat(valuesOf(data, item, 'mainEntityOfPage'));
		return [
			item,
			...main.filter((value): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)),
		];
	});
}

function speaksOf(data: JsonLd, item: Item, url: string): boolean {
	const addresses = [
		textOf(data, item, 'url'),
		item['@id'],
		item.mainEntityOfPage,
		(item.mainEntityOfPage as Item | undefined)?.['@id'],
	];
	const page = url.replace(/[?#].*$/, '').replace(/\/$/, '');
	return addresses.some(
		(address) => typeof address === 'string' && address.replace(/[?#].*$/, '').replace(/\/$/, '') === page,
	);
}
