import type { Evidence } from '@wayleave/protocols';
import {
	limitTexts,
	type Obligations,
	obligationTexts,
	type PreparedPolicies,
	type Verdict,
} from '@wayleave/protocols/policy';
import { oneLine, placeOf } from '@wayleave/protocols/text';
import type { Colours } from './colours.ts';
import type { ReadNote, SiteTerms } from './read-site.ts';

export interface Explanation {
	readonly url: string;
	/** As it was asked for. */
	readonly agent: string;
	/** The agent and its category. */
	readonly about: string;
	readonly verdicts: readonly Verdict[];
	readonly terms: PreparedPolicies;
	readonly read: SiteTerms['read'];
}

/** The answer for a person: a row for each use with the line that decides, what is owed, what contradicts, what was read. */
export function explain({ url, agent, about, verdicts, terms, read }: Explanation, colours: Colours): string {
	const place = placeNames(url);
	const blocks = [
		[`${colours.bold(url)}`, `for ${colours.bold(agent)} ${about}`],
		verdictRows(verdicts, place, colours),
		owedRows(agent, terms, place, colours),
		contradictionRows(verdicts, place, colours),
		readRows(read, colours),
	];
	return `${blocks
		.filter((block) => block.length > 0)
		.map((block) => block.join('\n'))
		.join('\n\n')}\n`;
}

type Place = (at: { readonly source: string; readonly line: number }) => string;

/** `robots.txt:12` for files of the site itself, the whole address for others. */
function placeNames(url: string): Place {
	const home = `${new URL(url).origin}/`;
	return ({ source, line }) => {
		const name = source === url ? 'the page' : source.startsWith(home) ? source.slice(home.length) : source;
		return placeOf({ source: name, line });
	};
}

function verdictRows(verdicts: readonly Verdict[], place: Place, colours: Colours): string[] {
	const rows = verdicts.flatMap((verdict) => rowsOf(verdict, place, colours));
	return table(rows);
}

/** One cell for each column; `paint` colours the whole row or its second cell. */
interface Row {
	readonly cells: readonly [string, string, string, string];
	readonly paint?: (text: string) => string;
	readonly column?: 1;
}

function rowsOf(verdict: Verdict, place: Place, colours: Colours): Row[] {
	const { because, also, limits, omitted } = verdict;
	const lines = because.length > 0 ? because : [undefined];
	const main = lines.map((line, index): Row => {
		const [where, text] = line ? [place(line), textOf(line)] : ['', 'no rule applies'];
		return index > 0
			? { cells: ['', '', where, text] }
			: { cells: [verdict.use, answerOf(verdict), where, text], paint: colourOf(verdict, colours), column: 1 };
	});
	const note = limits
		? limitTexts(limits).join('; ')
		: isNoCompetitor(verdict)
			? 'the agent serves a user, or another market'
			: '';
	const notes = note === '' ? [] : [{ cells: ['', '', '', `→ ${note}`] as const }];
	const others = also.map((line): Row => ({ cells: ['', 'also', place(line), textOf(line)], paint: colours.dim }));
	const more = omitted === undefined ? '' : `${omitted.toLocaleString('en')} more lines are not listed`;
	return [...main, ...notes, ...others, ...(more === '' ? [] : [{ cells: ['', '', '', more] as const }])];
}

/** A line, and the number of further lines with the same statement. */
function textOf({ text, repeated }: Evidence): string {
	return repeated === undefined ? text : `${text} (and ${repeated.toLocaleString('en')} more such lines)`;
}

const answers = { allow: 'yes', deny: 'no', ask: 'ask first', limited: 'limited' } as const;

function answerOf({ effect, permitted }: Verdict): string {
	return effect === 'unspecified' ? `not stated: ${permitted ? 'yes' : 'no'}` : answers[effect];
}

function colourOf({ effect, permitted }: Verdict, colours: Colours): (text: string) => string {
	if (effect === 'unspecified') return colours.dim;
	if (!permitted) return effect === 'ask' ? colours.yellow : colours.red;
	return effect === 'limited' ? colours.yellow : colours.green;
}

/** `compete: no` that lets an agent through needs a word of explanation. */
function isNoCompetitor({ use, permitted, because }: Verdict): boolean {
	return use === 'compete' && permitted && because.some(({ text }) => /^compete\s*:\s*no\b/i.test(text));
}

/** The setting of robots2.txt that each obligation comes from. */
const settingOf = {
	attribution: 'attribution',
	linkBack: 'link-back',
	announce: 'announce',
	ratePerMinute: 'rate',
} as const satisfies Record<keyof Obligations, keyof PreparedPolicies['effective']>;

function owedRows(
	agent: string,
	{ effective, obligations, crawlDelay, crawlDelayLine }: PreparedPolicies,
	place: Place,
	colours: Colours,
): string[] {
	const rows = Object.entries(settingOf).flatMap(([name, key]): Row[] => {
		const setting = effective[key];
		if (setting === undefined) return [];
		const texts = obligationTexts({ [name]: obligations[name as keyof Obligations] });
		return texts.map((text) => ({ cells: ['', text, place(setting), setting.text] }));
	});
	if (crawlDelay && crawlDelayLine)
		rows.push({
			cells: ['', `${crawlDelay} s between two requests`, place(crawlDelayLine), crawlDelayLine.text],
		});
	return rows.length > 0 ? [`${colours.bold(agent)} owes`, ...table(rows)] : [];
}

function contradictionRows(verdicts: readonly Verdict[], place: Place, colours: Colours): string[] {
	const quote = (line: Evidence) => oneLine(`${place(line)}  ${line.text}`);
	const lines = verdicts.flatMap(({ use, contradicts }) =>
		contradicts.map((pair) => `  ${use}: ${pair.map(quote).join(`\n${' '.repeat(use.length + 4)}`)}`),
	);
	return lines.length > 0 ? [colours.bold('Contradictions: the stricter line applies'), ...lines] : [];
}

function readRows(read: readonly ReadNote[], colours: Colours): string[] {
	const width = Math.max(0, ...read.map(({ source }) => source.length));
	const lines = read.flatMap(({ source, note, problems }) => {
		const line = colours.dim(oneLine(`  ${source.padEnd(width)}  ${note}`));
		const file = source.replace(/^.* → /, '');
		const remark = `  ${' '.repeat(width)}  ${problems} ${problems === 1 ? 'problem' : 'problems'}: wayleave lint ${file}`;
		return problems > 0 ? [line, colours.yellow(remark)] : [line];
	});
	return lines.length > 0 ? [colours.bold('Read'), ...lines] : [];
}

/** Rows with their first three columns as wide as their longest cell; a first column without any text takes no room. */
function table(rows: readonly Row[]): string[] {
	const widths = [0, 1, 2].map((column) =>
		Math.max(0, ...rows.map(({ cells }) => oneLine(cells[column] ?? '').length)),
	);
	return rows.map(({ cells, paint = (text) => text, column }) => {
		const padded = cells.map((cell, at) => oneLine(cell).padEnd(widths[at] ?? 0)).filter((_, at) => widths[at] !== 0);
		const painted = column === undefined ? padded : padded.map((cell, at) => (at === column ? paint(cell) : cell));
		const line = `  ${painted.join('  ')}`.trimEnd();
		return column === undefined ? paint(line) : line;
	});
}
