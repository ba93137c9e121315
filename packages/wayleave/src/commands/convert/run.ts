import { availableParallelism } from 'node:os';
import {
	chunkLines,
	createReader,
	type LineOptions,
	type Reader,
	type Result,
	threadsOr,
	warcProblems,
	writeToSinks,
} from '@wayleave/crawler';
import { outputFormats } from '@wayleave/crawler/formats';
import { decodeHtml, toSom } from '@wayleave/extract';
import { sha256 } from '@wayleave/io/hash';
import { oneLine, quantity } from '@wayleave/protocols/text';
import { chunkOptions, refuseLostChunks } from '../../shared/options/chunks.ts';
import { favored } from '../../shared/options/favor.ts';
import { distinctOuts, isArchive, sinkFor } from '../../shared/output/destination.ts';
import { isNoArchive, outFormatsText } from '../../shared/output/formats.ts';
import { tellFailure } from '../../shared/output/tell-failure.ts';
import { type Input, isArchiveInput, listInputs } from '../../shared/page-files.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import type { ConvertFlags } from './flags.ts';
import { inOrder } from './in-order.ts';
import { type SavedItem, type SavedPage, savedPages } from './pages.ts';

/** Counts of all items so far. */
interface Counts {
	written: number;
	failed: number;
	/** Of those, files that were named and could not be read. */
	unread: number;
	/** Records of archives that are no pages. */
	passedOver: number;
	/** Pages without an address, which have failed. */
	readonly nameless: string[];
}

/** So many are read before a thread has started. */
const fewPages = 8;

/** The result for one item: text to print, a result to write, or a fault. */
type Converted = { readonly text: string } | { readonly result: Result } | Exclude<SavedItem, { page: SavedPage }>;

export async function runConvert(files: readonly string[], flags: ConvertFlags, terminal: Terminal): Promise<number> {
	const outs = distinctOuts(flags.out ?? [], terminal.cwd);
	if (outs.length > 0 && flags.format !== undefined) {
		throw new UsageError(
			`--format applies to stdout only; with --out the file name sets the format: ${outFormatsText((format) => isNoArchive(format) && format !== outputFormats.stdout)}`,
		);
	}
	if (outs.length > 0) refuseLostChunks(flags, outs);
	else if (flags.chunks !== undefined && flags.format !== undefined && flags.format !== 'json')
		throw new UsageError(`--chunks and --format ${flags.format} cannot be combined: omit --format`);
	if (flags.json && outs.includes('-')) throw new UsageError('--json and --out - both write to stdout: choose one');
	if (flags.json && flags.format === 'markdown')
		throw new UsageError('--json and --format markdown cannot be combined: choose one');
	if (outs.some(isArchive))
		throw new UsageError('convert writes documents, and an archive holds HTTP responses: choose another format');
	const inputs = listInputs(files, flags, terminal);
	const lines = { outcomes: false, ...(await chunkOptions(flags)) };
	const sinks = await Promise.all(outs.map((out) => sinkFor(out, terminal, lines)));
	const threads = threadsOr(availableParallelism());
	const fault = (code: string, message: string, file: string) =>
		tellFailure(terminal, flags, { code, message: oneLine(message), file });
	const reader = createReader({ threads, few: fewPages, onFull: () => {}, emit: () => {} });
	const counts: Counts = { written: 0, failed: 0, unread: 0, passedOver: 0, nameless: [] };
	try {
		const work = (item: SavedItem) => convert(item, reader, flags.format === 'som');
		await writeToSinks(sinks, async (write) => {
			const output = { fault, terminal, flags, single: isSingle(inputs), lines, ...(sinks.length > 0 && { write }) };
			for await (const converted of inOrder(itemsOf(inputs, flags), Math.max(1, threads) * 4, work))
				await take(converted, counts, output);
		});
	} finally {
		await reader.close();
	}
	if (counts.nameless[0] !== undefined) fault('no-address', namelessText(counts.nameless), counts.nameless[0]);
	if (sinks.length > 0 && flags.json) terminal.out(`${JSON.stringify(countsOf(counts))}\n`);
	if (sinks.length > 0 || counts.failed > 0 || counts.written === 0) terminal.note(`${oneLine(countsText(counts))}\n`);
	if (counts.unread > 0) return exitCodes.failed;
	return counts.failed > 0 ? exitCodes.found : exitCodes.ok;
}

async function* itemsOf(inputs: readonly Input[], flags: ConvertFlags): AsyncGenerator<SavedItem> {
	for (const input of inputs) yield* savedPages(input, { economics: flags.economics === true, ...favored(flags) });
}

/** One document, printed for people to read. */
const isSingle = ([first, ...others]: readonly Input[]): boolean =>
	first !== undefined && others.length === 0 && !isArchiveInput(first);

async function convert(item: SavedItem, reader: Reader, som: boolean): Promise<Converted> {
	if (!('page' in item)) return item;
	const { where, source, result } = item.page;
	try {
		if (som) {
			if (source.kind !== 'html') return { passedOver: where };
			const { text } = decodeHtml(source.body, source.contentType);
			return { text: `${JSON.stringify(toSom(text, source.fetched.url, { sha256 }).som)}\n` };
		}
		const { document, page } = await reader.read(source);
		return { result: { ...result, document, page } };
	} catch (error) {
		return { fault: `${where}: ${(error as Error).message}`, code: 'not-converted', file: where };
	}
}

interface Output {
	readonly fault: (code: string, message: string, file: string) => void;
	/** Absent where documents are printed. */
	readonly write?: (results: readonly Result[]) => Promise<void>;
	readonly terminal: Terminal;
	readonly flags: ConvertFlags;
	readonly lines: LineOptions;
	readonly single: boolean;
}

async function take(
	converted: Converted,
	counts: Counts,
	{ fault, write, terminal, flags, lines, single }: Output,
): Promise<void> {
	if ('fault' in converted) {
		counts.failed++;
		if (converted.code !== 'not-converted' && !(converted.code in warcProblems)) counts.unread++;
		fault(converted.code, converted.fault, converted.file);
	} else if ('nameless' in converted) {
		counts.failed++;
		counts.nameless.push(converted.nameless);
	} else if ('warning' in converted) terminal.note(`${oneLine(converted.warning)}\n`);
	else if ('passedOver' in converted) counts.passedOver++;
	else {
		counts.written++;
		if ('text' in converted) terminal.out(converted.text);
		else if (write !== undefined) await write([converted.result]);
		else if (lines.chunks !== undefined) terminal.out(chunkLines(converted.result, lines));
		else terminal.out(printed(converted.result, flags, single));
	}
}

function printed({ document }: Result, { format, json }: ConvertFlags, single: boolean): string {
	if (format === 'markdown') return `${document?.content.markdown ?? ''}\n${single ? '' : '\n'}`;
	return `${JSON.stringify(document, null, single && !json ? 2 : undefined)}\n`;
}

/** Once for all of a folder: what is to be done is the same. */
function namelessText([first, ...others]: readonly string[]): string {
	if (others.length === 0) return `${first}: the page does not state its URL: pass it with --url or --manifest`;
	const pages = quantity(others.length + 1, 'page');
	return `${pages} do not state their URL, such as ${first}: pass the URLs with --manifest, a file of lines "FILE URL"`;
}

const countsOf = ({ written, failed, passedOver }: Counts) => ({ written, failed, passed_over: passedOver });

function countsText({ written, failed, passedOver }: Counts): string {
	const rest = passedOver > 0 ? `, ${quantity(passedOver, 'record')} without a page` : '';
	return `${quantity(written, 'document')} written, ${failed} failed${rest}`;
}
