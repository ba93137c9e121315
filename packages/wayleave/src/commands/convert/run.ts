import { availableParallelism } from 'node:os';
import {
	chunkLines,
	createReader,
	isFileSource,
	LandingPages,
	type LineOptions,
	type Reader,
	type Result,
	threadsOr,
	UnreadableFileError,
	writeToSinks,
} from '@wayleave/crawler';
import { decodeHtml, toSom } from '@wayleave/extract';
import { sha256 } from '@wayleave/io/hash';
import { oneLine, quantity } from '@wayleave/protocols/text';
import { listenForInterruption } from '../../shared/interruption.ts';
import { favored } from '../../shared/options/favor.ts';
import { withFields } from '../../shared/options/fields.ts';
import { sinkFor } from '../../shared/output/destination.ts';
import { tellFailure } from '../../shared/output/tell-failure.ts';
import { type Input, isArchiveInput } from '../../shared/page-files.ts';
import { exitCodes, type Terminal } from '../../terminal/command.ts';
import { addFinished, type Counts, countsSince, countsText, isUnread, noCounts } from './counts.ts';
import { fingerprint, finishedCounts, forgetFinished, recordFinished } from './finished.ts';
import type { ConvertFlags } from './flags.ts';
import { inOrder } from './in-order.ts';
import { type SavedItem, type SavedPage, savedPages } from './pages.ts';
import { type Plan, pathsOf, planConversion, type Step } from './plan.ts';
import { isIn } from './shard.ts';
import { writeSummaries } from './summary.ts';
import { isTolerated } from './tolerance.ts';

/** So many are read before a thread has started. */
const fewPages = 8;

/** The result for one item: text to print, a result to write, a sentence that is said once, or a fault. */
type Converted =
	| { readonly text: string }
	| { readonly result: Result }
	| { readonly passedOver: string; readonly because: string }
	| Exclude<SavedItem, { page: SavedPage }>;

/** A run of the command. */
interface Conversion {
	readonly plan: Plan;
	readonly flags: ConvertFlags;
	readonly terminal: Terminal;
	readonly counts: Counts;
	readonly reader: Reader;
	readonly threads: number;
	readonly stop: AbortSignal;
	readonly fault: (code: string, message: string, file: string) => void;
	/** Sentences that were printed once for all. */
	readonly said: Set<string>;
	readonly landingPages: LandingPages;
}

export async function runConvert(files: readonly string[], flags: ConvertFlags, terminal: Terminal): Promise<number> {
	const startedAt = Date.now();
	const plan = await planConversion(files, flags, terminal);
	const counts = noCounts();
	const summarise = (exitCode: number, error?: string) => {
		const { shard, summary = [] } = flags;
		const times = { startedAt, endedAt: Date.now() };
		const more = error !== undefined && { error };
		writeSummaries(summary, { exitCode, counts, inputs: plan.inputs.length, shard, ...times, ...more }, terminal);
	};
	try {
		const exitCode = await convertAll(plan, counts, flags, terminal);
		summarise(exitCode);
		return exitCode;
	} catch (error) {
		if (!(error instanceof Interrupted)) {
			summarise(exitCodes.failed, (error as Error).message);
			throw error;
		}
		summarise(exitCodes.interrupted);
		const kept = plan.steps.some(({ isOwn }) => isOwn) ? 'go on with the inputs that are not done' : 'start over';
		terminal.note(`${countsText(counts)}\ninterrupted: run the same command again to ${kept}\n`);
		return exitCodes.interrupted;
	}
}

async function convertAll(plan: Plan, counts: Counts, flags: ConvertFlags, terminal: Terminal): Promise<number> {
	const threads = threadsOr(availableParallelism());
	const fault = (code: string, message: string, file: string) =>
		tellFailure(terminal, flags, { code, message: oneLine(message), file });
	const reader = createReader({ threads, few: fewPages, onFull: () => {}, emit: () => {} });
	const interruption = listenForInterruption(terminal);
	const stop = new AbortController();
	void interruption.reached.then(() => stop.abort());
	const conversion = {
		plan,
		flags,
		terminal,
		counts,
		reader,
		threads,
		stop: stop.signal,
		fault,
		said: new Set<string>(),
		landingPages: new LandingPages(),
	};
	try {
		for (const step of plan.steps) await (step.isOwn ? takeOwnStep(step, conversion) : takeStep(step, conversion));
	} finally {
		interruption.ignore();
		await reader.close();
	}
	if (counts.nameless[0] !== undefined) fault('no-address', namelessText(counts.nameless), counts.nameless[0]);
	if (plan.writes && flags.json) terminal.out(`${JSON.stringify(countsOf(counts))}\n`);
	if (plan.writes || counts.failed > 0 || counts.written === 0) terminal.note(`${oneLine(countsText(counts))}\n`);
	if (counts.unread > 0) return exitCodes.failed;
	return isTolerated(flags.tolerate, counts.failed, counts.written + counts.failed) ? exitCodes.ok : exitCodes.found;
}

/** One input with outputs of its own, unless an earlier run has made them. */
async function takeOwnStep(step: Step, conversion: Conversion): Promise<void> {
	const { counts, terminal } = conversion;
	const before = { ...counts };
	const made = step.inputs.map((input) => fingerprintOf(input, step, conversion)).find((text) => text !== undefined);
	// Without it the input cannot be read: the reader of pages says why, and nothing is written.
	const paths = pathsOf(step, terminal);
	const finished = made === undefined ? undefined : finishedCounts(paths, made);
	if (finished !== undefined) return addFinished(counts, finished);
	forgetFinished(paths);
	try {
		await takeStep(step, conversion);
	} catch (error) {
		if (error instanceof UnreadInput) return;
		throw error;
	}
	if (made !== undefined) recordFinished(paths, made, countsSince(counts, before));
}

/** Identifies an input and what shapes its outputs; undefined for stdin, and where the input cannot be read. */
function fingerprintOf({ path, url, bytes }: Input, { outs }: Step, { flags, plan }: Conversion): string | undefined {
	const { chunks, economics, favor, shard, shardBy } = flags;
	const formats = outs.map((out) => out.slice(out.lastIndexOf('.')));
	const pages = shardBy === 'page' ? shard : undefined;
	return bytes === undefined
		? fingerprint(path, { formats, url, chunks, economics, favor, pages, fields: plan.fields?.schema })
		: undefined;
}

type Write = (results: readonly Result[]) => Promise<void>;

async function takeStep({ inputs, outs, isOwn }: Step, conversion: Conversion): Promise<void> {
	const { plan, flags, terminal, reader, threads, counts, stop } = conversion;
	const { written, unread } = counts;
	const sinks = await Promise.all(outs.map((out) => sinkFor(out, terminal, plan.lines)));
	const work = (item: SavedItem) => convert(item, reader, flags.format === 'som');
	try {
		await writeToSinks(sinks, async (sinkWrite) => {
			const write = sinks.length > 0 ? sinkWrite : undefined;
			for await (const converted of inOrder(itemsOf(inputs, conversion), Math.max(1, threads) * 4, work)) {
				if (stop.aborted) break;
				await take(converted, conversion, isSingle(inputs), write);
				// Half of an archive under its final name would look like all of it.
				if (isOwn && counts.unread > unread) throw new UnreadInput();
			}
			if (stop.aborted) throw new Interrupted();
		});
	} catch (error) {
		if (sinks.length > 0) counts.written = written;
		throw error;
	}
	counts.inputs += inputs.length - (counts.unread - unread);
}

/** Ctrl-C or SIGTERM. Outputs that are not complete are removed. */
class Interrupted extends Error {}

/** The input of an output of its own could not be read to its end. */
class UnreadInput extends Error {}

async function* itemsOf(inputs: readonly Input[], { plan, flags, stop }: Conversion): AsyncGenerator<SavedItem> {
	const { shard, shardBy } = flags;
	const fields = plan.fields && { digest: plan.fields.schema, json: plan.fields.json };
	const reading = { economics: flags.economics === true, ...favored(flags), ...(fields && { fields }) };
	for (const input of inputs) {
		// Not from 0: of many archives with few pages the first shard would get the most.
		let place = plan.inputs.indexOf(input);
		for await (const item of savedPages(input, reading)) {
			if (stop.aborted) return;
			// A file that cannot be read concerns every shard.
			const isWanted = shard === undefined || shardBy === 'archive' || isIn(shard, place++) || isUnreadItem(item);
			if (isWanted) yield item;
		}
	}
}

const isUnreadItem = (item: SavedItem): boolean => 'fault' in item && isUnread(item.code);

/** One document, printed for people to read. */
const isSingle = ([first, ...others]: readonly Input[]): boolean =>
	first !== undefined && others.length === 0 && !isArchiveInput(first);

async function convert(item: SavedItem, reader: Reader, som: boolean): Promise<Converted> {
	if (!('page' in item)) return item;
	const { where, isArchived, source, result } = item.page;
	try {
		if (som) {
			if (source.kind !== 'html') return { passedOver: where };
			const { text } = decodeHtml(source.body, source.contentType);
			return { text: `${JSON.stringify(toSom(text, source.fetched.url, { sha256 }).som)}\n` };
		}
		const { document, page } = await (isFileSource(source) ? reader.readFile(source) : reader.read(source));
		return { result: { ...result, document, page } };
	} catch (error) {
		const { message } = error as Error;
		// Without the package that reads files, those of an archive are passed over.
		if (isArchived && error instanceof UnreadableFileError && error.reason === 'unsupported-type')
			return { passedOver: where, because: message };
		return { fault: `${where}: ${message}`, code: 'not-converted', file: where };
	}
}

/** @param write absent where documents are printed */
async function take(
	converted: Converted,
	{ fault, terminal, flags, counts, said, landingPages, plan: { lines } }: Conversion,
	single: boolean,
	write: Write | undefined,
): Promise<void> {
	if ('fault' in converted) {
		counts.failed++;
		if (isUnread(converted.code)) counts.unread++;
		fault(converted.code, converted.fault, converted.file);
	} else if ('nameless' in converted) {
		counts.failed++;
		counts.nameless.push(converted.nameless);
	} else if ('warning' in converted) terminal.note(`${oneLine(converted.warning)}\n`);
	else if ('passedOver' in converted) {
		counts.passedOver++;
		if (!('because' in converted) || said.has(converted.because)) return;
		said.add(converted.because);
		terminal.note(`${converted.passedOver}: ${converted.because}\n`);
	} else {
		if ('text' in converted) terminal.out(converted.text);
		else {
			const { url, page } = converted.result;
			const result = { ...converted.result, ...(page && { page: landingPages.add(url, page) }) };
			if (write !== undefined) await write([result]);
			else terminal.out(printed(result, flags, lines, single));
		}
		counts.written++;
	}
}

function printed(result: Result, { format, json }: ConvertFlags, lines: LineOptions, single: boolean): string {
	if (lines.chunks !== undefined) return chunkLines(result, lines);
	const { document } = result;
	const shown = lines.fields === undefined ? document : withFields(result);
	if (format === 'markdown') return `${document?.content.markdown ?? ''}\n${single ? '' : '\n'}`;
	return `${JSON.stringify(shown, null, single && !json ? 2 : undefined)}\n`;
}

/** Once for all of a folder: what is to be done is the same. */
function namelessText([first, ...others]: readonly string[]): string {
	if (others.length === 0) return `${first}: the page does not state its URL: pass it with --url or --manifest`;
	const pages = quantity(others.length + 1, 'page');
	return `${pages} do not state their URL, such as ${first}: pass the URLs with --manifest, a file of lines "FILE URL"`;
}

const countsOf = ({ written, failed, passedOver, alreadyDone }: Counts) => ({
	...{ written, failed, passed_over: passedOver },
	...(alreadyDone > 0 && { inputs_already_done: alreadyDone }),
});
