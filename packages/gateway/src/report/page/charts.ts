import type { Slice } from '../overview.ts';
import { type Markup, markup } from './markup.ts';
import { dateOf, dayOf } from './numbers.ts';

/** One bar: a name, a number, and the number as people read it. */
export interface Bar {
	readonly name: string;
	readonly value: number;
	readonly text: string;
	/** A class of the style sheet. */
	readonly kind: string;
}

const width = 600;
const height = 120;

/** Figures of one day, stacked upwards. */
export interface Series {
	readonly name: string;
	readonly kind: string;
	value(slice: Slice): number;
}

/** Columns by day, with the same figures as a table beneath. */
export function columnChart(
	title: string,
	slices: readonly Slice[],
	series: readonly Series[],
	text: (value: number) => string,
): Markup {
	const totals = slices.map((slice) => series.reduce((sum, { value }) => sum + Math.max(0, value(slice)), 0));
	const most = Math.max(0, ...totals);
	if (most === 0) return chart(title, markup`<p class="none">None in this period.</p>`, markup``);
	const step = width / slices.length;
	const columns = slices.map((slice, index) => {
		let top = height;
		return series.map(({ value, kind }) => {
			const part = (Math.max(0, value(slice)) / most) * height;
			top -= part;
			const x = (index * step + step * 0.1).toFixed(1);
			return markup`<rect class="${kind}" x="${x}" y="${top.toFixed(1)}" width="${(step * 0.8).toFixed(1)}" height="${part.toFixed(1)}"/>`;
		});
	});
	const heads = series.map(({ name, kind }) => markup`<span class="key ${kind}"></span>${name} `);
	const [first, last] = [slices[0], slices.at(-1)];
	const image = markup`<p class="scale">${text(most)}</p>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${columns}</svg>
<p class="axis"><span>${first === undefined ? '' : dayOf(first.at)}</span><span>${series.length > 1 ? heads : ''}</span><span>${last === undefined ? '' : dayOf(last.at)}</span></p>`;
	const rows = slices.map(
		(slice) =>
			markup`<tr><th scope="row">${dateOf(slice.at)}</th>${series.map(({ value }) => markup`<td>${text(value(slice))}</td>`)}</tr>`,
	);
	const table = markup`<details><summary>The figures</summary><table>
<thead><tr><th scope="col">From</th>${series.map(({ name }) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></details>`;
	return chart(title, image, table);
}

/** Bars with their names and figures as text. */
export function barChart(title: string, bars: readonly Bar[]): Markup {
	const most = Math.max(0, ...bars.map(({ value }) => value));
	if (most === 0) return chart(title, markup`<p class="none">None in this period.</p>`, markup``);
	const rows = bars.map(
		({ name, value, text, kind }) =>
			markup`<li><span>${name}</span><b>${text}</b><svg aria-hidden="true"><rect class="${kind}" width="${((100 * value) / most).toFixed(1)}%" height="100%"/></svg></li>`,
	);
	return chart(title, markup`<ul class="bars">${rows}</ul>`, markup``);
}

function chart(title: string, image: Markup, table: Markup): Markup {
	return markup`<section class="chart"><h3>${title}</h3>${image}${table}</section>
`;
}
