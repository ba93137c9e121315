import { resolve } from 'node:path';
import { type PublishOptions, type PublishReport, publish } from '@wayleave/gateway';
import { type Manifest, parseManifest } from '@wayleave/protocols/pagedigest';
import { quantity } from '@wayleave/protocols/text';
import { isObjectPlace } from '../../shared/objects.ts';
import { readPolicyFile } from '../../shared/options/policy-file.ts';
import { readableFolder, readNamed } from '../../shared/options/read-named.ts';
import { refuseStdout } from '../../shared/output/write-file.ts';
import { problemLine } from '../../shared/problem-line.ts';
import { buildTime } from '../../terminal/build-time.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import { type Sent, SiteBucket, sentence } from './bucket.ts';
import type { PublishFlags } from './flags.ts';

export async function runPublish(name: string, flags: PublishFlags, terminal: Terminal): Promise<number> {
	refuseStdout(flags.out);
	const folder = readableFolder(name, terminal.cwd);
	const { config, base } = await readPolicyFile(flags, terminal);
	const { report, sent } = await publishTo(flags.out, base, terminal, (out) =>
		publish(folder, config, publishOptions(flags, out, base, terminal)),
	);
	for (const { file, problem } of report.problems) terminal.err(problemLine(file, problem));
	if (flags.json) terminal.out(`${JSON.stringify({ ...report, ...sent, problems: report.problems.length })}\n`);
	else if (!terminal.quiet) terminal.out(`${summary(report, flags.out ?? name)}${sent ? sentence(sent) : ''}`);
	return report.problems.some(({ problem }) => problem.severity === 'error') ? exitCodes.found : exitCodes.ok;
}

/** Publishes into a folder, or by one into a bucket. */
async function publishTo(
	out: string | undefined,
	base: string,
	terminal: Terminal,
	work: (out: string | undefined) => Promise<PublishReport>,
): Promise<{ report: PublishReport; sent?: Sent }> {
	if (out === undefined || !isObjectPlace(out)) return { report: await work(out) };
	const bucket = await SiteBucket.open(out, base, terminal);
	try {
		await bucket.prepare();
		const report = await work(bucket.folder);
		const onSend = terminal.interactive ? progress(terminal, 'object') : () => {};
		return { report, sent: await bucket.send(onSend) };
	} finally {
		bucket.close();
	}
}

function publishOptions(
	flags: PublishFlags,
	out: string | undefined,
	base: string,
	terminal: Terminal,
): PublishOptions {
	const published = flags.published === undefined ? undefined : readManifest(flags.published, terminal);
	return {
		base,
		time: buildTime(terminal),
		tags: flags.tags === true,
		som: flags.som,
		markdown: flags.markdown,
		manifest: flags.manifest,
		cleanUrls: flags.cleanUrls === true,
		gateway: flags.gateway === true,
		replace: flags.replace === true,
		readAll: flags.readAll === true,
		...(out === undefined ? {} : { out: resolve(terminal.cwd, out) }),
		...(published && { published }),
		...(terminal.interactive && { onPage: progress(terminal) }),
	};
}

/** @throws UsageError if it is not one */
function readManifest(name: string, terminal: Terminal): Manifest {
	const { value } = parseManifest(readNamed(name, terminal));
	if (value === undefined) throw new UsageError(`${name} is not a valid manifest: see wayleave lint ${name}`);
	return value;
}

/** A line now and then: the first run over a large site takes minutes. */
function progress(terminal: Terminal, what = 'page'): (done: number, total: number) => void {
	let last = Date.now();
	return (done, total) => {
		if (Date.now() - last < 5000) return;
		last = Date.now();
		terminal.note(`${done.toLocaleString('en')} of ${quantity(total, what)}\n`);
	};
}

function summary(report: PublishReport, where: string): string {
	const { pages, read, withheld, siteRev, listed, added, changed, gone, files, pageFiles } = report;
	const revisions =
		siteRev === undefined
			? []
			: [`site_rev ${siteRev}: ${quantity(listed, 'URL')}, ${added} new, ${changed} changed, ${gone} gone`];
	const lines = [
		`${quantity(pages, 'page')}: ${read.toLocaleString('en')} read, ${withheld.toLocaleString('en')} withheld`,
		...revisions,
		`wrote ${quantity(pageFiles, 'page file')}${files.length === 0 ? '' : ` and ${files.join(', ')}`} in ${where}`,
	];
	return `${lines.join('\n')}\n`;
}
