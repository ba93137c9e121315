import { type Html, html } from '@wayleave/io/listen';
import type { Slice } from '../overview.ts';
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
): Html {
	const totals = slices.map((slice) => series.reduce((sum, { value }) => sum + Math.max(0, value(slice)), 0));
	const most = Math.max(0, ...totals);
	if (most === 0) return chart(title, html`<p class="none">None in this period.</p>`, html``);
	const step = width / slices.length;
	const columns = slices.map((slice, index) => {
		let top = height;
		return series.map(({ value, kind }) => {
			const part = (Math.max(0, value(slice)) / most) * height;
			top -= part;
			const x = (index * step + step * 0.1).toFixed(1);
			return html`<rect class="${kind}" x="${x}" y="${top.toFixed(1)}" width="${(step * 0.8).toFixed(1)}" height="${part.toFixed(1)}"/>`;
		});
	});
	const heads = series.map(({ name, kind }) => html`<span class="key ${kind}"></span>${name} `);
	const [first, last] = [slices[0], slices.at(-1)];
	const image = html`<p class="scale">${text(most)}</p>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${columns}</svg>
<p class="axis"><span>${first === undefined ? '' : dayOf(first.at)}</span><span>${series.length > 1 ? heads : ''}</span><span>${last === undefined ? '' : dayOf(last.at)}</span></p>`;
	const rows = slices.map(
		(slice) =>
			html`<tr><th scope="row">${dateOf(slice.at)}</th>${series.map(({ value }) => html`<td>${text(value(slice))}</td>`)}</tr>`,
	);
	const table = html`<details><summary>The figures</summary><table>
<thead><tr><th scope="col">From</th>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></details>`;
	return chart(title, image, table);
}

/** Bars with their names and figures as text. */
export function barChart(title: string, bars: readonly Bar[]): Html {
	const most = Math.max(0, ...bars.map(({ value }) => value));
	if (most === 0) return chart(title, html`<p class="none">None in this period.</p>`, html``);
	const rows = bars.map(
		({ name, value, text, kind }) =>
			html`<li><span>${name}</span><b>${text}</b><svg aria-hidden="true"><rect class="${kind}" width="${((100 * value) / most).toFixed(1)}%" height="100%"/></svg></li>`,
	);
	return chart(title, html`<ul class="bars">${rows}</ul>`, html``);
}

function chart(title: string, image: Html, table: Html): Html {
	return html`<section class="chart"><h3>${title}</h3>${image}${table}</section>
`;
}
