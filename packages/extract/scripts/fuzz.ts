// Mutated real pages through the whole of extract(): nothing may throw, and no page may take over 2 CPU seconds a MB.
//
//   node --conditions=wayleave-source --import tsx packages/extract/scripts/fuzz.ts [--minutes 10] [--seed 1]
//
// The pages lie beside a checkout (pages.ts). What fails is printed with its seed and written to fuzz-N.html.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { extract, toSom } from '@wayleave/extract';
import { random } from './boost.ts';
import { loadPages } from './pages.ts';

const option = (name: string, otherwise: number): number => {
	const at = process.argv.indexOf(`--${name}`);
	return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const secondsPerMb = 2;
/** Starting up and collecting garbage are no fault of a small page. */
const leastSeconds = 1;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const pages = [...loadPages('article'), ...loadPages('mixed')];
const pieces = [
	'<',
	'>',
	'</',
	'"',
	"'",
	'&',
	'<!--',
	'-->',
	'<![CDATA[',
	'<table>',
	'</table>',
	'<p>',
	'<div hidden>',
].concat(
	[
		'<svg>',
		'</svg>',
		'<pre>',
		'<a href=x>',
		'<script>',
		'</script>',
		'<style>',
		'\0',
		'\uFFFD',
		'<template>',
		'<select>',
	],
	['<b>'.repeat(200), '<div>'.repeat(600), '<li>'.repeat(300), `<p class="${'x '.repeat(5000)}">`, '&amp;'.repeat(500)],
);

/** A page with a few random cuts, repetitions, insertions and flips. */
function mutate(html: string, rand: () => number): string {
	let text = html;
	const at = () => Math.floor(rand() * text.length);
	for (let n = 1 + Math.floor(rand() * 12); n > 0; n--) {
		const start = at();
		const end = Math.min(text.length, start + Math.floor(rand() ** 3 * 20_000));
		const kind = rand();
		if (kind < 0.3) text = text.slice(0, start) + text.slice(end);
		else if (kind < 0.5) text = text.slice(0, end) + text.slice(start, end) + text.slice(end);
		else if (kind < 0.9) text = text.slice(0, start) + pieces[Math.floor(rand() * pieces.length)] + text.slice(start);
		else text = text.slice(0, start) + text.slice(start, end).split('').reverse().join('') + text.slice(end);
	}
	return text;
}

if (pages.length === 0) throw new Error('no pages beside the checkout');
const seed = option('seed', 1);
const until = Date.now() + option('minutes', 10) * 60_000;
let runs = 0;
let failures = 0;
let slowest = 0;
while (Date.now() < until) {
	const rand = random(seed * 1_000_003 + runs);
	const page = pages[Math.floor(rand() * pages.length)]!;
	const html = mutate(page.html(), rand);
	const before = process.cpuUsage().user;
	let fault: string | undefined;
	try {
		extract(html, page.url);
		if (runs % 4 === 0) toSom(html, page.url, { sha256 });
	} catch (error) {
		fault = (error as Error).stack ?? String(error);
	}
	const seconds = (process.cpuUsage().user - before) / 1e6;
	const allowed = Math.max(leastSeconds, (html.length / 1e6) * secondsPerMb);
	slowest = Math.max(slowest, seconds / Math.max(html.length / 1e6, 0.5));
	if (seconds > allowed) fault ??= `${seconds.toFixed(1)} CPU seconds for ${html.length} characters`;
	if (fault !== undefined) {
		failures++;
		writeFileSync(`fuzz-${runs}.html`, html);
		console.log(`seed ${seed}, run ${runs}, ${page.url}: ${fault}`);
	}
	runs++;
}
console.log(`${runs} pages, ${failures} failures, slowest ${slowest.toFixed(2)} CPU seconds a MB`);
process.exitCode = failures === 0 ? 0 : 1;
