/** Whether the edit is noise, the kind of site, the part of the page before, and after. */
export type PagePair = readonly [verdict: 'noise' | 'change', site: string, before: string, after: string];

const around = [
	'# The harbour of Lunde',
	'Boats have used the harbour since the ferry stopped in 1962. The pier was rebuilt in stone.',
	'## Berths',
	'- 40 berths for visitors\n- Water and power at every berth',
	'| Boat | Fee |\n| --- | --- |\n| up to 8 m | 12 EUR |\n| up to 12 m | 18 EUR |',
];
const behind = [
	'## Weather',
	'Westerly winds bring swell into the outer basin in autumn.',
	'The harbour master answers on channel 12.',
];

/** Two versions of a page with the part in its middle. */
export const pageOf = (part: string): string => [...around, part, ...behind].join('\n\n');
