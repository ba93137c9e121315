import type { Overview } from './data.ts';
import { drawing, element, nothing } from './element.ts';
import { count, moment } from './format.ts';

const width = 960;
const height = 160;

/** Requests over time as columns: what was allowed, and on top of it what was denied. */
export function showTimeline({ slices, observing }: Overview): Node[] {
	const most = Math.max(...slices.map(({ allowed, denied }) => allowed + denied));
	if (most <= 0) return [nothing('No agent visited in this period. Visits by people are not counted here.')];
	const step = width / slices.length;
	const scale = height / most;
	const columns = slices.flatMap(({ at, allowed, denied }, index) => {
		if (allowed + denied === 0) return [];
		const title = drawing('title', {}, `${moment(at)}: ${count(allowed)} allowed, ${count(denied)} denied`);
		const column = (value: number, above: number, name: string) =>
			drawing('rect', {
				class: name,
				x: (index * step + 1).toFixed(1),
				y: (height - (value + above) * scale).toFixed(1),
				width: Math.max(1, step - 2).toFixed(1),
				height: (value * scale).toFixed(1),
			});
		return [drawing('g', {}, title, column(allowed, 0, 'allowed'), column(denied, allowed, 'denied'))];
	});
	const sum = (name: 'allowed' | 'denied') => count(slices.reduce((all, slice) => all + slice[name], 0));
	const denied = observing ? 'would be denied' : 'denied';
	const label = `${sum('allowed')} requests allowed, ${sum('denied')} ${denied}; at most ${count(most)} in one column`;
	const image = drawing(
		'svg',
		{ viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
		...columns,
	);
	return [
		element('div', { class: 'chart' }, element('span', { class: 'top-mark' }, count(most)), image),
		element(
			'div',
			{ class: 'axis' },
			element('span', {}, moment(slices[0]!.at)),
			element('span', { class: 'legend' }, mark('allowed'), 'allowed ', mark('denied'), denied),
			element('span', {}, 'now'),
		),
	];
}

function mark(name: string): HTMLElement {
	return element('span', { class: `mark ${name}`, 'aria-hidden': 'true' });
}
