import { askedAgent, explain, readSite, type SiteInterest, self } from '@wayleave/crawler/check';
import { oneOf } from '@wayleave/io/messages';
import { misspeltToken } from '@wayleave/protocols/identity';
import { preparePolicies, type Use, uses } from '@wayleave/protocols/policy';
import { directiveNamed } from '@wayleave/protocols/robots2';
import { tellMisspelt } from '../../shared/options/category.ts';
import { coloursFor } from '../../shared/output/colours.ts';
import { visitSite } from '../../shared/visit-site.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import type { CheckFlags } from './flags.ts';
import { readFiles } from './read-files.ts';

export async function runCheck(url: string, flags: CheckFlags, terminal: Terminal): Promise<number> {
	const { agent, called, about } = askedAgent(flags);
	tellMisspelt(flags.category ?? [], terminal);
	const suggestion = flags.agent === undefined ? undefined : misspeltToken(flags.agent);
	if (suggestion !== undefined)
		terminal.note(`--agent ${flags.agent} is not in the catalogue of agents: did you mean ${suggestion}?\n`);
	const wanted = usesOf(flags.use);
	const offline = flags.robots !== undefined || flags.robots2 !== undefined;
	const { policies, page, read } = offline
		? readFiles(flags, terminal)
		: await visitSite(url, flags, terminal, (fetch) =>
				readSite(url, ourselves(flags), fetch, interestOf(wanted, flags)),
			);
	const terms = preparePolicies(policies, agent);
	const verdicts = (wanted ?? uses).map((use) => terms.decide(use, url, page ? { page } : {}));
	if (flags.json)
		for (const verdict of verdicts) terminal.out(`${JSON.stringify({ url, agent: called, ...verdict })}\n`);
	else terminal.out(explain({ url, agent: called, about, verdicts, terms, read }, coloursFor(terminal)));
	const judged = wanted ?? ['crawl'];
	const refused = verdicts.some(({ use, permitted }) => judged.includes(use) && !permitted);
	return refused ? exitCodes.found : exitCodes.ok;
}

const ourselves = ({ botName = self.name }: CheckFlags) => ({ ...self, name: botName });

const interestOf = (wanted: readonly Use[] | undefined, { page }: CheckFlags): SiteInterest => ({
	page,
	uses: wanted ?? uses,
});

/** The uses that were named; undefined for all. @throws UsageError */
function usesOf(names: readonly string[] | undefined): Use[] | undefined {
	if (names === undefined || names.includes('all')) return undefined;
	return names.map((name) => {
		const directive = directiveNamed(name);
		const use = uses.find((known) => known === directive);
		if (use === undefined) throw new UsageError(`--use ${name}: ${oneOf([...uses, 'all'], name)}`);
		return use;
	});
}
