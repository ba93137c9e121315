import { count } from './to-som.ts';
import type { RegionRole, SomDocument, SomElement, SomRegion } from './types.ts';

/** Elements removed for a document to fit its token budget. */
export interface FitReport {
	/** Tokens of what is written, as it is now. */
	tokens: number;
	/** False when even the headings alone are more than the budget. */
	fits: boolean;
	/** Elements dropped, by role. */
	dropped: Partial<Record<SomElement['role'], number>>;
	/** Parts of `structured_data` that were left out. */
	droppedData: string[];
}

/** Importance of regions to readers; they are dropped in reverse order. */
const regionWorth: Readonly<Record<RegionRole, number>> = {
	main: 8,
	content: 7,
	dialog: 6,
	form: 5,
	header: 3,
	aside: 2,
	navigation: 1,
	footer: 0,
};
const roleWorth: Readonly<Partial<Record<SomElement['role'], number>>> = {
	heading: 9,
	paragraph: 6,
	table: 6,
	list: 6,
	text_input: 5,
	textarea: 5,
	select: 4,
	button: 4,
	checkbox: 4,
	radio: 4,
	group: 3,
	details: 3,
	image: 2,
	link: 2,
	section: 1,
	iframe: 0,
	separator: 0,
};
/** Room for the sentence that says what was dropped. */
const summaryTokens = 60;

/**
 * Drops the least valuable elements, in place, until what is written of the document (default: the compact JSON) has at
 * most `budget` tokens, and says so in a last paragraph: first what stands in footers, menus and margins, last the
 * headings of the main content.
 */
export function fitSom(
	som: SomDocument,
	budget: number,
	countTokens: (text: string) => number,
	write?: (som: SomDocument) => string,
): FitReport {
	const report: FitReport = { tokens: 0, fits: true, dropped: {}, droppedData: [] };
	const measure = () => {
		count(som);
		report.tokens = countTokens(write?.(som) ?? JSON.stringify(som));
		return report.tokens;
	};
	if (measure() <= budget) return report;
	// Other forms leave it out anyway.
	if (write === undefined) dropData(som, budget, countTokens, report);
	const order = candidates(som);
	let next = 0;
	let excess = measure() + summaryTokens - budget;
	while (excess > 0 && next < order.length) {
		const gone = new Set<SomElement>();
		for (let freed = 0; freed < excess && next < order.length; next++) {
			const { element } = order[next]!;
			gone.add(element);
			freed += countTokens(JSON.stringify(element)) + 1;
			report.dropped[element.role] = (report.dropped[element.role] ?? 0) + 1;
		}
		for (const region of som.regions) region.elements = region.elements.filter((element) => !gone.has(element));
		som.regions = som.regions.filter((region) => region.elements.length > 0);
		excess = measure() + summaryTokens - budget;
	}
	addSummary(som, report);
	report.fits = measure() <= budget;
	return report;
}

function dropData(som: SomDocument, budget: number, countTokens: (text: string) => number, report: FitReport): void {
	const data = som.structured_data;
	if (data === undefined) return;
	// Data beside the content may take a quarter of the budget, no more.
	for (const part of ['links', 'json_ld', 'twitter_card', 'open_graph', 'meta'] as const) {
		if (countTokens(JSON.stringify(data)) <= budget / 4) break;
		if (data[part] === undefined) continue;
		delete data[part];
		report.droppedData.push(part);
	}
	if (Object.keys(data).length === 0) delete som.structured_data;
}

function candidates(som: SomDocument): { element: SomElement; worth: number; position: number }[] {
	const all = som.regions.flatMap((region) => region.elements.map((element) => ({ element, region })));
	return all
		.map(({ element, region }, position) => ({ element, worth: worthOf(element, region), position }))
		.sort((a, b) => a.worth - b.worth || b.position - a.position);
}

function worthOf(element: SomElement, region: SomRegion): number {
	return regionWorth[region.role] * 10 + (roleWorth[element.role] ?? 0);
}

function addSummary(som: SomDocument, report: FitReport): void {
	const counts = Object.entries(report.dropped).map(([role, number]) => `${number} ${role}`);
	const parts = [...counts, ...report.droppedData.map((part) => `structured_data.${part}`)];
	const region = som.regions.find((one) => one.role === 'main') ?? som.regions.at(-1);
	if (parts.length === 0) return;
	const text = `[dropped to fit the token budget: ${parts.join(', ')}]`;
	const summary: SomElement = { id: 'e_token_budget', role: 'paragraph', text };
	if (region === undefined) som.regions.push({ id: 'r_content', role: 'content', elements: [summary] });
	else region.elements.push(summary);
}
