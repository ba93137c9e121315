import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestPath } from '@wayleave/protocols/pagedigest';
import { fileVocabularies } from '@wayleave/protocols/policy';
import type { Config } from '../config/schema.ts';
import { formatLlmsTxt, type LlmsPage } from '../terms/llms.ts';
import { type PublishProblem, publishProblem } from '../terms/problems.ts';
import { ownership } from '../terms/robots2.ts';
import type { Terms } from '../terms/terms.ts';
import { mergeHeaders } from './headers-file.ts';
import { type OwnFiles, replaceFile } from './own-files.ts';
import type { DonePage } from './pages.ts';
import type { Site } from './site.ts';

/** Files that we write as a whole, or write into: none of them is a page or an asset. */
export const policyFiles: ReadonlySet<string> = new Set([
	'robots.txt',
	'robots2.txt',
	'llms.txt',
	'_headers',
	...fileVocabularies.map(({ file }) => file.path.slice(1)),
	'.well-known/aiwebindex-verify.txt',
	manifestPath.slice(1),
]);

export interface PolicyFilesTask {
	readonly config: Config;
	readonly terms: Terms;
	readonly site: Site;
	readonly own: OwnFiles;
	/** The folder of the site, with files of its own. */
	readonly folder: string;
	/** Pages that are listed. */
	readonly open: readonly DonePage[];
	readonly manifest: boolean;
	/** Files of the site under our names are written over. */
	readonly replace: boolean;
}

/** Writes the policy in all vocabularies. Files of the site itself are written into, or left alone and reported. */
export function writePolicyFiles(task: PolicyFilesTask): { file: string; problem: PublishProblem }[] {
	const { config, terms, site, own, folder, open, manifest } = task;
	const problems: { file: string; problem: PublishProblem }[] = [];
	const whole = (file: string, text: string | undefined, ours?: (text: string) => boolean, code: Foreign = 'file') => {
		const result =
			text === undefined ? own.remove(file) : takeFromSite(task, file) ? 'foreign' : own.write(file, text, ours);
		if (result !== 'foreign' || text === undefined) return;
		problems.push({ file, problem: publishProblem(`publish-foreign-${code}`, { file }) });
	};
	const headers = existsSync(join(folder, '_headers')) ? readFileSync(join(folder, '_headers'), 'utf8') : '';
	const pages = open.map(({ file, key }) => ({ key, terms: site.pageTerms(file, true) }));
	const everywhere = { signals: terms.signals, manifest };
	const robots2 = terms.silent ? undefined : terms.robots2;
	writeInto(own, 'robots.txt', terms.robots);
	whole('robots2.txt', robots2, (text) => text.startsWith(ownership));
	for (const { name, file } of fileVocabularies)
		whole(file.path.slice(1), terms.signals.files.find(({ vocabulary }) => vocabulary.name === name)?.text);
	whole('.well-known/aiwebindex-verify.txt', terms.verification);
	writeInto(own, '_headers', mergeHeaders(headers, { everywhere, pages, origin: config.origin }));
	whole('llms.txt', config.publish.llmsTxt ? llmsTxt(task) : undefined, undefined, 'companion');
	return problems;
}

/** Where another folder is filled, a file of the site comes along and stands, unless it is to be replaced. */
function takeFromSite({ folder, own, replace }: PolicyFilesTask, file: string): boolean {
	const path = join(folder, file);
	if (folder === own.folder || replace || !existsSync(path)) return false;
	const bytes = readFileSync(path);
	if (!existsSync(join(own.folder, file)) || !readFileSync(join(own.folder, file)).equals(bytes)) {
		replaceFile(join(own.folder, file), bytes);
		own.written.push(file);
	}
	return true;
}

type Foreign = 'file' | 'companion';

/** A file of the site that holds lines of ours. */
function writeInto(own: OwnFiles, file: string, text: string): void {
	const path = join(own.folder, file);
	if (existsSync(path) ? readFileSync(path).equals(Buffer.from(text)) : text === '') return;
	replaceFile(path, text);
	own.written.push(file);
}

/** More would be a sitemap, and there is a format for that already. */
const maxLlmsPages = 200;

function llmsTxt({ config, open, manifest, terms }: PolicyFilesTask): string {
	const home = open.find(({ key }) => key === '/')?.llms;
	const depth = ({ key }: DonePage) => key.split('/').length;
	const pages = [...open].sort((a, b) => depth(a) - depth(b) || (a.key < b.key ? -1 : 1));
	const file = (path: string, title: string): LlmsPage => ({ url: `${config.origin}${path}`, title });
	return formatLlmsTxt({
		title: home?.title ?? new URL(config.origin).host,
		...(home?.description !== undefined && { summary: home.description }),
		pages: pages.slice(0, maxLlmsPages).map(({ llms }) => llms),
		files: [
			...(terms.silent ? [] : [file('/robots2.txt', 'Terms of use')]),
			...(manifest ? [file(manifestPath, 'What changed')] : []),
		],
	});
}
