import type { HealthLine } from './data.ts';
import { element, nothing } from './element.ts';

/** Lists what is in trouble with its consequences; what works is a count that opens. */
export function showHealth(lines: readonly HealthLine[]): Node[] {
	if (lines.length === 0) return [nothing('No robots.txt or address list is monitored.')];
	const troubled = lines.filter(({ state }) => state === 'trouble');
	const well = lines.filter(({ state }) => state === 'good');
	return [
		element(
			'p',
			{},
			troubled.length === 0 ? 'Everything works.' : `${troubled.length} of ${lines.length} have problems.`,
		),
		...(troubled.length === 0 ? [] : [list(troubled)]),
		...(well.length === 0
			? []
			: [
					element(
						'details',
						{ 'data-key': 'well' },
						element('summary', {}, `${well.length} without problems`),
						list(well),
					),
				]),
	];
}

function list(lines: readonly HealthLine[]): HTMLElement {
	return element(
		'ul',
		{},
		...lines.map(({ name, detail }) => element('li', {}, element('code', {}, name), ` ${detail}`)),
	);
}
