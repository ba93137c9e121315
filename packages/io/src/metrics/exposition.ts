/** The media type of the text exposition format 0.0.4, which Prometheus reads. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** A counter with a value for each combination of labels, which are written as they stand between braces. */
export interface Counter {
	readonly help: string;
	readonly values: Map<string, number>;
}

export function createCounter(help: string): Counter {
	return { help, values: new Map() };
}

/** @param labels such as `action="pass",class="2xx"`; the empty text where there are none */
export function addTo({ values }: Counter, labels: string, value = 1): void {
	values.set(labels, (values.get(labels) ?? 0) + value);
}

/** The lines of one metric: what it is, of which type, and its values. */
export function formatFamily(
	name: string,
	type: 'counter' | 'gauge',
	help: string,
	values: ReadonlyMap<string, number> | number,
): string[] {
	const each = typeof values === 'number' ? [['', values] as const] : [...values];
	const samples = each.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`);
	return [...formatFamilyHead(name, type, help), ...samples];
}

/** The two lines before the samples of a metric. */
export function formatFamilyHead(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string[] {
	return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/** The value of a label, without the quotes around it. */
export function escapeLabel(text: string): string {
	return text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
