import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { decodeHtml, extract } from '@wayleave/extract';
import { fingerprintOf } from '@wayleave/gateway';
import { explain } from '@wayleave/gateway/lint/problems';
import { sha256 } from '@wayleave/io/hash';
import { present } from '@wayleave/protocols';
import {
	buildManifest,
	type Coverage,
	checkSuccession,
	compareManifests,
	digestOf,
	formatManifest,
	formatRevisions,
	type Manifest,
	manifestPath,
	type PlannedFetch,
	type PublishedPage,
} from '@wayleave/protocols/pagedigest';
import { quantity } from '@wayleave/protocols/text';
import { readableFolder, readFrom } from '../../shared/options/read-named.ts';
import { refuseTwoOnStdout, replaceFile } from '../../shared/output/write-file.ts';
import { problemLines } from '../../shared/problem-lines.ts';
import { buildTime } from '../../terminal/build-time.ts';
import { exitCodes, type Terminal } from '../../terminal/command.ts';
import { auditFile, verdictLine } from './audit.ts';
import { readManifest, readRevisions } from './files.ts';
import type { BuildFlags } from './flags.ts';
import { listPages } from './folder.ts';

export function build(name: string, flags: BuildFlags, terminal: Terminal): number {
	const folder = readableFolder(name, terminal.cwd);
	refuseTwoOnStdout(flags.out, flags);
	const usual = join(folder, ...manifestPath.split('/'));
	const out = flags.out === undefined || flags.out === '-' ? usual : resolve(terminal.cwd, flags.out);
	const statePath = resolve(terminal.cwd, flags.state);
	const state = readRevisions(flags.state, statePath, terminal);
	const published = readPublished(flags.published, out, terminal);
	if (state === undefined || published === undefined) return exitCodes.found;
	const pages = listPages(folder, { cleanUrls: flags.cleanUrls === true });
	if (pages.length === 0) throw new Error(`${name} contains no page: its manifest would report all pages as gone`);
	const built = buildManifest(
		state === 'fresh' ? undefined : state,
		pages.map(({ key, path, isHtml }) => publishedPage(key, path, isHtml, flags.origin)),
		{ time: buildTime(terminal), coverage: coverageOf(flags), ...(published !== 'none' && { published }) },
	);
	terminal.err(problemLines(name, built.problems));
	if (built.manifest === undefined) return exitCodes.found;
	// The state goes first: a crash between the two must not leave a manifest ahead of it.
	replaceFile(statePath, formatRevisions(built.state), flags.state);
	if (flags.out === '-') terminal.out(formatManifest(built.manifest));
	else replaceFile(out, formatManifest(built.manifest), flags.out);
	report(published === 'none' ? undefined : published, built.manifest, flags, terminal);
	return exitCodes.ok;
}

/** The manifest that is served now; `none` before the first one, undefined if it cannot be read. */
function readPublished(name: string | undefined, out: string, terminal: Terminal): Manifest | 'none' | undefined {
	if (name !== undefined) return readManifest(name, terminal);
	return existsSync(out) ? readManifest(out, terminal) : 'none';
}

function coverageOf({ prefix: prefixes }: BuildFlags): Coverage {
	return prefixes === undefined ? { mode: 'complete' } : { mode: 'prefixes', prefixes };
}

function publishedPage(key: string, path: string, isHtml: boolean, site: string): PublishedPage {
	const bytes = readFrom(path, path);
	const digest = digestOf(bytes, sha256);
	return { key, fingerprint: isHtml ? pageFingerprint(bytes, `${site}${key}`) : digest, digest };
}

/** The same as `publish` and the gateway use, so that a page has the same revision in all of them. */
function pageFingerprint(bytes: Uint8Array, url: string): string {
	const html = decodeHtml(bytes).text;
	return fingerprintOf(extract(html, url), html);
}

function report(previous: Manifest | undefined, next: Manifest, flags: BuildFlags, terminal: Terminal): void {
	const { fetch, gone } = compareManifests(previous, next);
	const count = (reason: PlannedFetch['reason']) => fetch.filter((planned) => planned.reason === reason).length;
	const counts = { pages: next.entries.size, new: count('new'), changed: count('changed'), gone: gone.length };
	if (flags.json) terminal.out(`${JSON.stringify({ site_rev: next.siteRev, ...counts })}\n`);
	else if (!terminal.quiet) {
		const parts = [
			quantity(counts.pages, 'page'),
			`${counts.new} new`,
			`${counts.changed} changed`,
			`${counts.gone} gone`,
		];
		const line = `site_rev ${next.siteRev}: ${parts.join(', ')}\n`;
		if (flags.out === '-') terminal.note(line);
		else terminal.out(line);
	}
}

const signs = { new: '+', changed: '~', decreased: '!' } as const;

/** Ends with 1 when a manifest cannot be read, or when the second breaks what the first promised. */
export function diff(oldName: string, newName: string, { json }: { json?: boolean }, terminal: Terminal): number {
	const [before, after] = [readManifest(oldName, terminal), readManifest(newName, terminal)];
	if (before === undefined || after === undefined) return exitCodes.found;
	const plan = compareManifests(before, after);
	const problems = checkSuccession(before, after);
	const print = (line: string, object: object) => terminal.out(json ? `${JSON.stringify(object)}\n` : `${line}\n`);
	for (const { key, reason, rev, knownRev } of plan.fetch) {
		const revs = knownRev === undefined ? `rev ${rev}` : `rev ${knownRev} -> ${rev}`;
		print(`${signs[reason]} ${key} ${revs}`, present({ change: reason, key, rev, before: knownRev }));
	}
	for (const key of plan.gone) print(`- ${key}`, { change: 'gone', key });
	for (const key of plan.undescribed) print(`? ${key} is no longer listed`, { change: 'undescribed', key });
	if (json) for (const problem of problems) print('', { file: newName, ...problem, message: explain(problem) });
	else terminal.out(problemLines(newName, problems));
	const whole = plan.fallback === 'site' ? '; consumers ignore the manifest and crawl as usual' : '';
	terminal.note(
		`site_rev ${before.siteRev} -> ${after.siteRev}: ${quantity(plan.fetch.length, 'page')} to fetch${whole}\n`,
	);
	return problems.some(({ severity }) => severity === 'error') ? exitCodes.found : exitCodes.ok;
}

/** Ends with 1 on a mismatch or a listed page that is not there. */
export function audit(name: string, folder: string, { json }: { json?: boolean }, terminal: Terminal): number {
	const root = readableFolder(folder, terminal.cwd);
	const manifest = readManifest(name, terminal);
	if (manifest === undefined) return exitCodes.found;
	const counts = { match: 0, mismatch: 0, missing: 0, inconclusive: 0 };
	for (const [key, entry] of manifest.entries) {
		const result = auditFile(root, key, entry);
		counts[result.verdict]++;
		terminal.out(json ? `${JSON.stringify({ key, ...result })}\n` : verdictLine(key, result));
	}
	const parts = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
	terminal.note(`${quantity(manifest.entries.size, 'page')}: ${parts.join(', ')}\n`);
	return counts.mismatch + counts.missing > 0 ? exitCodes.found : exitCodes.ok;
}
