import { createFetcher } from '@wayleave/io';
import { buildAgentIdentity, buildUserAgent } from '@wayleave/protocols/identity';
import { preparePolicies, type Use, uses } from '@wayleave/protocols/policy';
import { directiveNamed } from '@wayleave/protocols/robots2';
import { askedAgent, self } from '../check/agent.ts';
import { explain } from '../check/explain.ts';
import { politeFetch } from '../check/fetch-file.ts';
import { readFiles } from '../check/read-files.ts';
import { readSite, type SiteTerms } from '../check/read-site.ts';
import { exitCodes, type Terminal, UsageError } from '../command.ts';
import type { CheckFlags } from '../commands/check.ts';
import { coloursFor } from '../output/colours.ts';
import { version } from '../version.ts';

const botUrl = 'https://wayleave.example/bot';

export async function runCheck(url: string, flags: CheckFlags, terminal: Terminal): Promise<number> {
	const { agent, called, about } = askedAgent(flags);
	const wanted = usesOf(flags.use);
	const offline = flags.robots !== undefined || flags.robots2 !== undefined;
	const { policies, page, read } = offline ? readFiles(flags, terminal.cwd) : await askSite(url, flags.page, terminal);
	const terms = preparePolicies(policies, agent);
	const verdicts = (wanted ?? uses).map((use) => terms.decide(use, url, page ? { page } : {}));
	if (flags.json)
		for (const verdict of verdicts) terminal.out(`${JSON.stringify({ url, agent: called, ...verdict })}\n`);
	else terminal.out(explain({ url, agent: called, about, verdicts, terms, read }, coloursFor(terminal)));
	const judged = wanted ?? ['crawl'];
	const refused = verdicts.some(({ use, permitted }) => judged.includes(use) && !permitted);
	return refused ? exitCodes.found : exitCodes.ok;
}

/** The uses that were named; undefined for all. @throws UsageError */
function usesOf(names: readonly string[] | undefined): Use[] | undefined {
	if (names === undefined || names.includes('all')) return undefined;
	return names.map((name) => {
		const directive = directiveNamed(name);
		const use = uses.find((known) => known === directive);
		if (use === undefined) throw new UsageError(`--use ${name}: known uses are ${uses.join(', ')} and all`);
		return use;
	});
}

async function askSite(url: string, wantPage: boolean, terminal: Terminal): Promise<SiteTerms> {
	const { hostname } = new URL(url);
	const identity = { name: self.name, version, category: self.categories[0] };
	const fetcher = createFetcher({
		userAgent: buildUserAgent({ botUrl, botName: identity.name }),
		headers: { 'X-Agent-Identity': buildAgentIdentity(identity) },
		// The one host that the user named may be a machine of their own.
		allowPrivate: (host) => host === hostname,
	});
	try {
		return await readSite(
			url,
			self,
			politeFetch(fetcher, (text) => terminal.err(text)),
			wantPage,
		);
	} finally {
		await fetcher.close();
	}
}
