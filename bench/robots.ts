// robots.txt: @wayleave/protocols/robots beside robots-parser, in one run.
// Usage: npm run robots (in this folder, after npm install)
import { readdirSync, readFileSync } from 'node:fs';
import { matchRobots, parseRobots, prepareRobots } from '@wayleave/protocols/robots';
import robotsParser from 'robots-parser';
import { sharedPath } from '../scripts/shared.ts';
import { quantile, race, showTable, showTime } from './measure.ts';
import { largeRobots } from './robots-file.ts';

const origin = 'https://example.com';
const agent = 'ExampleBot';
const maxBytes = 64 * 1024 * 1024;

interface Input {
	readonly name: string;
	readonly text: string;
	readonly urls: readonly string[];
}

const real = realInputs();

function inputs(): Input[] {
	const generated = [
		{ name: 'generated: 30,000 rules', shape: { rules: 30_000 } },
		{ name: 'generated: 30,000 rules, all starred', shape: { rules: 30_000, starred: 100, anchored: 0 } },
		{ name: 'generated: 1,000 rules', shape: { rules: 1_000 } },
		{ name: 'generated: 10 rules', shape: { rules: 10 } },
	].map(({ name, shape }) => ({ name, ...largeRobots(shape) }));
	return [...generated, ...real.slice(0, 10)];
}

/** Real files, the largest first, where the shared data lies beside the checkout. */
function realInputs(): Input[] {
	const folder = sharedPath('data/robots');
	if (folder === undefined) return [];
	return readdirSync(folder)
		.filter((file) => file.endsWith('.txt'))
		.map((file) => ({ name: file.replace(/^.*?__|\.txt$/g, ''), text: readFileSync(`${folder}/${file}`, 'utf8') }))
		.sort((a, b) => b.text.length - a.text.length)
		.map((input) => ({ ...input, urls: urlsFor(input.text) }));
}

/** How many times faster ours is at parsing a file, selecting the group of an agent and answering about one URL. */
function firstAnswer({ text, urls }: Input, effort?: Parameters<typeof race>[1]): number {
	const { peer, ours } = race(
		{
			peer: () => robotsParser(`${origin}/robots.txt`, text).isAllowed(urls[0]!, agent),
			ours: () => prepareRobots(parseRobots(text, { maxBytes }).value, agent).match(urls[0]!),
		},
		effort,
	);
	return peer.median / ours.median;
}

/** URLs that the file has something to say about, and some that it has not. */
function urlsFor(text: string): string[] {
	const paths = [...text.matchAll(/^\s*(?:dis)?allow\s*:\s*(\/[^\s#$]*)/gim)].map(([, path]) =>
		path!.replaceAll('*', 'x'),
	);
	const step = Math.max(1, Math.floor(paths.length / 50));
	const some = paths.filter((_, at) => at % step === 0);
	return [...some, '/', '/about', '/a/b/c?d=e', ...some.map((path) => `/zz${path}`)].map((path) => origin + path);
}

const times = (peer: number, ours: number): string => `${(peer / ours).toFixed(1)}×`;
const parseRows = [['parse', 'bytes', 'robots-parser', 'wayleave', 'faster', 'from bytes', 'and one question']];
const matchRows = [['match (one URL)', 'rules', 'robots-parser', 'prepared', 'faster', 'matchRobots', 'faster']];

for (const { name, text, urls } of inputs()) {
	const bytes = new TextEncoder().encode(text);
	const parse = race({
		peer: () => robotsParser(`${origin}/robots.txt`, text),
		ours: () => parseRobots(text, { maxBytes }),
		bytes: () => parseRobots(bytes, { maxBytes }),
	});
	const size = String(bytes.length);
	parseRows.push([
		name,
		size,
		showTime(parse.peer.median),
		showTime(parse.ours.median),
		times(parse.peer.median, parse.ours.median),
		times(parse.peer.median, parse.bytes.median),
		`${firstAnswer({ name, text, urls }).toFixed(1)}×`,
	]);

	const peer = robotsParser(`${origin}/robots.txt`, text);
	const file = parseRobots(bytes, { maxBytes }).value;
	const prepared = prepareRobots(file, agent);
	let turn = 0;
	const nextUrl = (): string => urls[turn++ % urls.length]!;
	const match = race({
		peer: () => peer.isAllowed(nextUrl(), agent),
		ours: () => prepared.match(nextUrl()),
		unprepared: () => matchRobots(file, agent, nextUrl()),
	});
	matchRows.push([
		name,
		String(prepared.rules.length),
		showTime(match.peer.median),
		showTime(match.ours.median),
		times(match.peer.median, match.ours.median),
		showTime(match.unprepared.median),
		times(match.peer.median, match.unprepared.median),
	]);
}

console.log(`Node ${process.version}; medians of 15 alternating rounds\n`);
console.log(`${showTable(parseRows)}\n\n${showTable(matchRows)}`);

if (real.length > 0) {
	// Short rounds for all files, long ones for those near or below the peer: of so many files, chance alone puts some there.
	const answers = real
		.map((input) => ({ name: input.name, ratio: firstAnswer(input, { rounds: 7, roundMs: 3 }), input }))
		.map((each) => (each.ratio > 1.15 ? each : { ...each, ratio: firstAnswer(each.input) }))
		.sort((a, b) => a.ratio - b.ratio);
	const ratios = answers.map(({ ratio }) => ratio);
	const shown = (ratio: number) => `${ratio.toFixed(2)}×`;
	const rows = [
		['parse and one question', 'files', 'slower', 'slowest', '5 %', 'median', '95 %'],
		[
			'every real file',
			String(real.length),
			String(ratios.filter((ratio) => ratio < 1).length),
			...[0, 0.05, 0.5, 0.95].map((share) => shown(quantile(ratios, share))),
		],
	];
	console.log(`\n${showTable(rows)}\n`);
	console.log(showTable([['the slowest', ''], ...answers.slice(0, 5).map(({ name, ratio }) => [name, shown(ratio)])]));
}
