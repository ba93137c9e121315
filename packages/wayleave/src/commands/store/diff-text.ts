import type { PageDifference, PageVersion } from '@wayleave/crawler';
import { type DiffStep, diffLines, type MarkedLine } from '@wayleave/crawler/diff';
import { quantity } from '@wayleave/protocols/text';
import type { DiffFormat } from './flags.ts';

const writers: Readonly<Record<DiffFormat, (difference: PageDifference) => string>> = {
	text: (difference) => `${headOf(difference)}\n${stepLines(difference).join('\n')}\n`,
	json: ({ url, before, after, diff }) =>
		`${JSON.stringify({ url, before: withoutText(before), after: withoutText(after), diff })}\n`,
	markdown: markdownOf,
	html: htmlOf,
};

export const diffText = (difference: PageDifference, format: DiffFormat): string => writers[format](difference);

function withoutText({ version, fetchedAt, sha256, title }: PageVersion) {
	return { ...(version !== undefined && { version }), fetchedAt: new Date(fetchedAt).toISOString(), sha256, title };
}

function nameOf({ version, fetchedAt }: PageVersion): string {
	const at = new Date(fetchedAt).toISOString();
	return version === undefined ? at : `version ${version}, ${at}`;
}

const headOf = ({ url, before, after }: PageDifference): string =>
	[url, `from ${nameOf(before)}`, `to   ${nameOf(after)}`, ...titleLines(before, after)].join('\n');

const titleLines = (before: PageVersion, after: PageVersion): string[] =>
	before.title === after.title ? [] : [`- title: ${before.title}`, `+ title: ${after.title}`];

/** A change with the marks of `diff`; `>` is a section that has moved. */
function stepLines({ diff }: PageDifference): string[] {
	if (diff.end === undefined && diff.steps.every(({ op }) => op === 'keep')) return ['', 'the documents are equal'];
	return diff.steps.flatMap((step) => {
		if (step.op === 'keep') return ['', `  … ${quantity(step.count, 'block')} unchanged`];
		return ['', ...changedLines(step)];
	});
}

type Changed = Exclude<DiffStep, { readonly op: 'keep' }>;

function changedLines(step: Changed): string[] {
	if (step.op === 'move') return [`> ${movedText(step)}`];
	const old = 'old' in step ? linesOf(step.old) : [];
	const next = 'blocks' in step ? linesOf(step.blocks) : [];
	const lines = diffLines(old, next);
	const isNear = nearChanges(lines);
	const shown: string[] = [];
	let left = 0;
	const flush = () => {
		if (left > 0) shown.push(`  … ${quantity(left, 'line')} unchanged`);
		left = 0;
	};
	for (const [at, { mark, line }] of lines.entries()) {
		if (isNear[at] !== 1) left++;
		else {
			flush();
			shown.push(`${mark} ${line}`);
		}
	}
	flush();
	return shown;
}

/** Equal lines that are shown before and after each change, as by `diff -u`. */
const contextLines = 3;

/** By line: 1 if it has changed, or is at most `contextLines` away from one that has. */
function nearChanges(lines: readonly MarkedLine[]): Uint8Array {
	const isNear = new Uint8Array(lines.length);
	for (const [at, { mark }] of lines.entries())
		if (mark !== ' ') isNear.fill(1, Math.max(0, at - contextLines), at + contextLines + 1);
	return isNear;
}

/** Lines of blocks, with the empty lines between them. */
const linesOf = (blocks: readonly string[]): string[] => (blocks.length === 0 ? [] : blocks.join('\n\n').split('\n'));

const movedText = ({ heading, count }: Extract<DiffStep, { readonly op: 'move' }>): string =>
	`moved here: ${heading === undefined ? quantity(count, 'block') : `“${heading}” (${quantity(count, 'block')})`}`;

function markdownOf(difference: PageDifference): string {
	const { url, before, after, diff } = difference;
	const changes = diff.steps.flatMap((step) => {
		if (step.op === 'keep') return [];
		const lines = changedLines(step);
		// Longer than any fence in the text.
		const fence = '`'.repeat(
			Math.max(3, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length + 1))),
		);
		return [`${fence}diff\n${lines.join('\n')}\n${fence}`];
	});
	const shown = changes.length === 0 ? ['The documents are equal.'] : changes;
	return `${[`# Changes of <${url}>`, `From ${nameOf(before)}, to ${nameOf(after)}.`, ...shown].join('\n\n')}\n`;
}

function htmlOf(difference: PageDifference): string {
	const parts = difference.diff.steps.map((step) => {
		if (step.op === 'keep') return `<p class="kept">… ${quantity(step.count, 'block')} unchanged</p>`;
		const lines = changedLines(step).map((line) => {
			const tag = { '-': 'del', '+': 'ins', '>': 'em' }[line[0] ?? ''] ?? 'span';
			return `<${tag}>${escaped(line)}</${tag}>`;
		});
		return `<pre>${lines.join('\n')}</pre>`;
	});
	const { url } = difference;
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Changes of ${escaped(url)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
pre{white-space:pre-wrap;overflow-wrap:anywhere}del,ins{text-decoration:none}del{background:#f001}ins{background:#0c02}.kept{opacity:.7}</style>
<h1>Changes of <a href="${escaped(url)}" rel="noreferrer">${escaped(url)}</a></h1>
<pre>${escaped(headOf(difference).split('\n').slice(1).join('\n'))}</pre>
${parts.join('\n')}
</html>
`;
}

const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
