import { CrawlError, type Forgotten, openStoreView, type StoreView } from '@wayleave/crawler';
import type { SchemaReader } from '@wayleave/extract/fields';
import { DatabaseError } from '@wayleave/io/sql';
import { hasScheme } from '@wayleave/io/typed-address';
import { present } from '@wayleave/protocols';
import { bytes, oneLine, placeOf, quantity } from '@wayleave/protocols/text';
import { listenForInterruption } from '../../shared/interruption.ts';
import { tellMisspelt } from '../../shared/options/category.ts';
import { chunkOptions, refuseLostChunks } from '../../shared/options/chunks.ts';
import { usesOf } from '../../shared/options/client.ts';
import { fieldOptions } from '../../shared/options/fields.ts';
import { hostFileName, readAddress, readHost } from '../../shared/options/seeds.ts';
import { onlyStore, storeUrl } from '../../shared/options/store.ts';
import { distinctOuts, isArchive, sinkFor } from '../../shared/output/destination.ts';
import { learnedText } from '../../shared/output/learned-text.ts';
import { countNotStored } from '../../shared/output/not-stored.ts';
import { tellFailure } from '../../shared/output/tell-failure.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import { showDiff, showNotices, storeOfUrl, writeFeed } from './changes.ts';
import { type Exported, exportStore } from './export.ts';
import type {
	DiffFlags,
	ExportFlags,
	FeedFlags,
	ForgetFlags,
	NoticeFlags,
	PruneFlags,
	StoreFlags,
	StoreUiFlags,
} from './flags.ts';
import { historyText } from './history-text.ts';
import { statusText } from './status-text.ts';

async function withView(
	flags: StoreFlags,
	terminal: Terminal,
	work: (view: StoreView) => Promise<number>,
	named = flags.store ?? onlyStore(terminal.cwd),
): Promise<number> {
	const view = await openStoreView(storeUrl(named, terminal.cwd)).catch((error: unknown) => {
		// A store that exists but cannot be used is not wrong usage.
		const isThere = !(error instanceof CrawlError) || error.cause instanceof DatabaseError;
		throw isThere ? error : new UsageError(error.message);
	});
	try {
		return await work(view);
	} finally {
		await view.close();
	}
}

/** Prints what a view of the store gives. */
const show =
	<Found>(read: (view: StoreView) => Promise<Found>, textOf: (found: Found) => string) =>
	(flags: StoreFlags, terminal: Terminal): Promise<number> =>
		withView(flags, terminal, async (view) => {
			const found = await read(view);
			terminal.out(flags.json ? `${JSON.stringify(found)}\n` : textOf(found));
			return exitCodes.ok;
		});

export const status = show((view) => view.status(), statusText);
export const aliases = show((view) => view.learned(), learnedText);

export async function explain(text: string, flags: StoreFlags, terminal: Terminal): Promise<number> {
	const url = readAddress(text);
	const named = flags.store ?? `sqlite:./${hostFileName(url)}.db`;
	const work = async (view: StoreView) => {
		const history = await view.explain(url);
		const file = history === undefined ? await view.policyFile(url) : undefined;
		if (file !== undefined) {
			const at = new Date(file.fetchedAt).toISOString();
			const message = `${url} is a policy file of its host, not a page: status ${file.status}, ${at}`;
			tellFailure(terminal, flags, { code: 'policy-file', message, url });
		} else if (history === undefined)
			tellFailure(terminal, flags, { code: 'url-unknown', message: `${url} is not in the store`, url });
		else terminal.out(flags.json ? `${JSON.stringify(history)}\n` : historyText(history));
		return history === undefined ? exitCodes.found : exitCodes.ok;
	};
	return withView(flags, terminal, work, named);
}

export const diff = (url: string, flags: DiffFlags, terminal: Terminal): Promise<number> =>
	withView(flags, terminal, (view) => showDiff(view, url, flags, terminal), storeOfUrl(url, flags));

export const feed = (flags: FeedFlags, terminal: Terminal): Promise<number> =>
	withView(flags, terminal, (view) => writeFeed(view, flags, terminal));

export const notices = (flags: NoticeFlags, terminal: Terminal): Promise<number> =>
	withView(flags, terminal, (view) => showNotices(view, flags, terminal));

export function runExport(flags: ExportFlags, terminal: Terminal): Promise<number> {
	return withView(flags, terminal, (view) => exportDocuments(view, flags, terminal));
}

async function exportDocuments(view: StoreView, flags: ExportFlags, terminal: Terminal): Promise<number> {
	const outs = distinctOuts(flags.out ?? ['-'], terminal.cwd);
	if (flags.json && outs.includes('-')) throw new UsageError('--json and --out - both write to stdout: choose one');
	refuseLostChunks(flags, outs);
	const fields = await fieldOptions(flags, terminal);
	if (outs.some(isArchive))
		throw new UsageError(
			'the store holds documents, not the HTTP responses that an archive needs: choose another format',
		);
	const outcomes = flags.outcomes === true;
	tellMisspelt(flags.category === undefined ? [] : [flags.category], terminal);
	const lines = { outcomes, ...(await chunkOptions(flags)), ...fields };
	const sinks = await Promise.all(outs.map((out) => sinkFor(out, terminal, lines, { roll: flags.roll })));
	const exported = await exportStore(view, sinks, {
		outcomes,
		...fields,
		...(flags.use && { uses: usesOf(flags.use) }),
		...(flags.category && { category: flags.category }),
		...(flags.operatorMarket && { operatorMarket: flags.operatorMarket }),
	});
	if (flags.json) terminal.out(`${JSON.stringify(exported)}\n`);
	else terminal.note(exportText(exported));
	if (exported.withoutHtml > 0) terminal.err(`${withoutHtmlText(exported, fields.fields)}\n`);
	if (exported.documents === 0 && !flags.json) {
		const pages = countNotStored((await view.status()).rows);
		if (pages > 0)
			terminal.err(
				`${quantity(pages, 'page')} not stored, because the site does not allow it: crawl with --out - to pipe such pages on\n`,
			);
	}
	return exported.documents > 0 ? exitCodes.ok : exitCodes.found;
}

/** The store has documents, not the HTML that selectors need. */
function withoutHtmlText({ withoutHtml }: Exported, reader: SchemaReader | undefined): string {
	const missed = reader?.selectAt === undefined ? 'meta tags' : `meta tags and selectors (${reader.selectAt})`;
	return `the fields of ${quantity(withoutHtml, 'page')} are read from the stored document, without ${missed}: crawl with --fields to read them from the HTML`;
}

function exportText({ documents, outcomes, leftOut }: Exported): string {
	const written = [quantity(documents, 'document'), ...(outcomes > 0 ? [quantity(outcomes, 'other outcome')] : [])];
	const lines = leftOut.flatMap(({ use, why, evidence, count, example }) => [
		`${quantity(count, 'page')} left out, such as ${example}:`,
		...(why === 'not-asked'
			? [`  the crawl did not check ${use}: crawl again with --use ${use}`]
			: why === 'spent'
				? ['  the site allowed a single use, and the visit used it: crawl with --out to save pages as they arrive']
				: evidence.slice(0, 1).map((line) => `  ${placeOf(line)}  ${line.text.trim()}`)),
	]);
	return `${[`${written.join(' and ')} written`, ...lines].map(oneLine).join('\n')}\n`;
}

export async function runStoreUi(flags: StoreUiFlags, terminal: Terminal): Promise<number> {
	const named = flags.store ?? onlyStore(terminal.cwd);
	// Reports a store that cannot be read before there is a page.
	await withView(flags, terminal, async () => exitCodes.ok, named);
	const { openCrawlPage } = await import('../../shared/crawl-page.ts');
	const page = await openCrawlPage(present({ store: named, cwd: terminal.cwd, port: flags.port }));
	const interruption = listenForInterruption(terminal);
	terminal.note(`the store is shown at ${page.url} until Ctrl-C\n`);
	await interruption.reached;
	await page.close();
	return exitCodes.ok;
}

export function prune(flags: PruneFlags, terminal: Terminal): Promise<number> {
	return withView(flags, terminal, (view) => pruneDocuments(view, flags, terminal));
}

async function pruneDocuments(view: StoreView, flags: PruneFlags, terminal: Terminal): Promise<number> {
	if (flags.olderThan === undefined && !flags.gone && !flags.objects)
		throw new UsageError('nothing to prune: pass --older-than DAYS, --gone or --objects');
	const dryRun = flags.dryRun === true;
	const pruned = await view.prune({
		dryRun,
		gone: flags.gone === true,
		...(flags.olderThan !== undefined && { before: Date.now() - flags.olderThan }),
		...(flags.grace !== undefined && { grace: flags.grace }),
	});
	const { versions = 0, changes = 0 } = pruned;
	const counts = [
		`${quantity(pruned.documents, 'document')} (${bytes(pruned.bytes)})`,
		...(versions > 0 ? [quantity(versions, 'earlier version')] : []),
		...(changes > 0 ? [quantity(changes, 'logged change')] : []),
		quantity(pruned.gone, 'URL'),
	];
	const what = `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}`;
	const unnamed = pruned.objects;
	if (flags.objects && unnamed === undefined)
		throw new UsageError('--objects: this store keeps its documents in the database');
	const objects =
		unnamed === undefined
			? ''
			: `, and ${quantity(unnamed.count, 'object')} (${bytes(unnamed.bytes)}) that no page names,`;
	terminal.out(
		flags.json ? `${JSON.stringify(pruned)}\n` : `${what}${objects} ${dryRun ? 'would be deleted' : 'deleted'}\n`,
	);
	return exitCodes.ok;
}

export function forget(what: string, flags: ForgetFlags, terminal: Terminal): Promise<number> {
	const target = hasScheme(what) ? { url: readAddress(what) } : { host: readHost(what) };
	return withView(flags, terminal, async (view) => {
		if (flags.undo === true) {
			const undone = await view.remember(target);
			terminal.out(
				flags.json
					? `${JSON.stringify({ undone })}\n`
					: `${what} ${undone ? 'may be fetched again' : 'was not forgotten'}\n`,
			);
			return undone ? exitCodes.ok : exitCodes.found;
		}
		const forgotten = await view.forget(target);
		terminal.out(flags.json ? `${JSON.stringify(forgotten)}\n` : forgottenText(what, forgotten));
		return exitCodes.ok;
	});
}

function forgottenText(what: string, { documents, urls, archives }: Forgotten): string {
	const lines = [
		`${what}: ${quantity(documents, 'document')} of ${quantity(urls, 'address', 'addresses')} removed; it is not fetched again until --undo`,
		...archives.map((archive) => `${archive} was written before and still has its responses`),
	];
	return `${lines.map(oneLine).join('\n')}\n`;
}
