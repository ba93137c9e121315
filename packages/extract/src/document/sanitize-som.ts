import { present } from '@wayleave/protocols';
import { absoluteUrl } from '../metadata/urls.ts';
import type { SomAttributes, SomDocument, SomElement, SomRegion, SomStructuredData } from '../som/index.ts';

/** Shadow trees in shadow trees: no page nests deeper. */
const deepest = 16;

/**
 * A SOM document of unknown origin as it can be worked with: every field is of the type that SOM-SPEC §4 gives it or
 * absent, and addresses are absolute http(s) URLs or absent (SOM-35). Nothing in it is taken for an instruction.
 */
export function sanitizeSom(som: SomDocument, url: string): SomDocument {
	const regions = som.regions.map(
		({ id, role, elements }): SomRegion => ({ id: text(id) ?? '', role, elements: sanitizeElements(elements, url, 0) }),
	);
	const data = sanitizeData(som.structured_data);
	const { structured_data: _, ...rest } = som;
	return { ...rest, regions, ...(data && { structured_data: data }) };
}

function sanitizeElements(elements: unknown, url: string, depth: number): SomElement[] {
	if (!Array.isArray(elements) || depth > deepest) return [];
	return elements.filter(isObject).flatMap((element) => {
		if (typeof element.role !== 'string') return [];
		const words = text(element.text);
		const label = text(element.label);
		const htmlId = text(element.html_id);
		const clean: SomElement = {
			id: text(element.id) ?? '',
			role: element.role as SomElement['role'],
			...present({ text: words, label, html_id: htmlId }),
			...(isObject(element.attrs) && { attrs: sanitizeAttributes(element.attrs, url) }),
		};
		const inner = isObject(element.shadow) ? sanitizeElements(element.shadow.elements, url, depth + 1) : [];
		return inner.length === 0 ? [clean] : [{ ...clean, shadow: { mode: 'open', elements: inner } }];
	});
}

function sanitizeAttributes(attrs: Readonly<Record<string, unknown>>, url: string): SomAttributes {
	const href = absoluteUrl(text(attrs.href), url);
	const src = absoluteUrl(text(attrs.src), url);
	const { level } = attrs;
	const isLevel = Number.isInteger(level) && (level as number) >= 1 && (level as number) <= 6;
	const alt = text(attrs.alt);
	const summary = text(attrs.summary);
	return {
		...present({ href, src }),
		...(isLevel && { level: level as number }),
		...present({ alt, summary }),
		...(attrs.ordered === true && { ordered: true }),
		...(Array.isArray(attrs.items) && { items: attrs.items.filter(isObject).map(sanitizeItem) }),
		...(Array.isArray(attrs.headers) && { headers: cells(attrs.headers) }),
		...(Array.isArray(attrs.rows) && { rows: attrs.rows.filter(Array.isArray).map(cells) }),
	};
}

const sanitizeItem = (item: Readonly<Record<string, unknown>>) => ({ text: text(item.text) ?? '' });

const cells = (row: readonly unknown[]): string[] => row.map((cell) => text(cell) ?? '');

function sanitizeData(data: unknown): SomStructuredData | undefined {
	if (!isObject(data)) return undefined;
	return {
		...(Array.isArray(data.json_ld) && { json_ld: data.json_ld.filter(isObject) }),
		...(isObject(data.open_graph) && { open_graph: texts(data.open_graph) }),
		...(isObject(data.meta) && { meta: texts(data.meta) }),
		...(Array.isArray(data.links) && {
			links: data.links.filter(isObject).flatMap(({ rel, href }) => {
				return typeof rel === 'string' && typeof href === 'string' ? [{ rel, href }] : [];
			}),
		}),
	};
}

function texts(record: Readonly<Record<string, unknown>>): Record<string, string> {
	const entries = Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
	return Object.fromEntries(entries);
}

function text(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
