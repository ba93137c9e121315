import { resolve } from 'node:path';
import type { PoliteFetch } from '../check/fetch-file.ts';
import { visitSite } from '../check/visit-site.ts';
import { exitCodes, type Terminal, UsageError } from '../command.ts';
import type { CheckLiveFlags } from '../commands/check-live.ts';
import { checkLive } from '../live/check-live.ts';
import { problemLine } from '../live/explain.ts';
import { meantBy } from '../live/meant.ts';
import type { LiveFile } from '../live/observe.ts';
import type { LiveDifference } from '../live/problems.ts';
import { auditSom } from '../live/som-audit.ts';
import { readPolicyFile } from '../options/policy-file.ts';
import { quantity } from '../output/quantities.ts';
import { tellFailure } from '../output/tell-failure.ts';

export async function runCheckLive(url: string, flags: CheckLiveFlags, terminal: Terminal): Promise<number> {
	const { origin } = new URL(url);
	const { config: written, name } = await readPolicyFile(flags, terminal);
	if (name === undefined) throw new UsageError('no policy file given: name one with --config');
	if (flags.somAudit && written.som === undefined) throw new UsageError(`${name} has no som section: nothing to audit`);
	const gateway = flags.gateway === true;
	const folder = flags.dir === undefined ? undefined : resolve(terminal.cwd, flags.dir);
	const meantFor = (served: LiveFile) =>
		meantBy(written, { folder, gateway, served: served.state === 'present' ? served.body : undefined });
	// A gateway serves a manifest where its policy file has the key; `publish` always writes one.
	const isManifestMeant = !gateway || written.pagedigest !== undefined;
	// A copy of the site elsewhere is looked at where it is.
	const here = { ...written, origin };
	const look = async (given: PoliteFetch) => {
		let answered = false;
		const fetch: PoliteFetch = {
			...given,
			async get(from, redirects) {
				const answer = await given.get(from, redirects);
				answered ||= answer.ok;
				return answer;
			},
		};
		const options = { page: url, agents: flags.agent ?? [], manifest: flags.manifest && isManifestMeant };
		const { differences, notes, policies, manifest, meant } = await checkLive(here, meantFor, fetch, options);
		// What silence would differ in is not known.
		if (!answered) return tellSilence(origin, notes, flags, terminal);
		for (const note of notes) terminal.note(`${note}\n`);
		const task = { config: here, meant: meant.policies, live: policies, manifest, pages: flags.page ?? [] };
		const audit = flags.somAudit ? await auditSom(task, fetch) : undefined;
		if (audit) {
			const spelled = audit.spellings > 0 ? `, and ${quantity(audit.spellings, 'other spelling')} of them` : '';
			terminal.note(`${quantity(audit.asked, 'restricted page')} requested from the SOM endpoint${spelled}\n`);
			if (audit.note !== undefined) terminal.note(`${audit.note}\n`);
		}
		return report([...differences, ...(audit?.leaks ?? [])], flags, terminal);
	};
	// One's own site, tried on one's own machine before the world sees it.
	return visitSite(url, flags, terminal, look, { loopbackDelay: 0 });
}

function tellSilence(origin: string, notes: readonly string[], flags: CheckLiveFlags, terminal: Terminal): number {
	const message = [...notes, `${origin} does not respond: nothing could be compared`].join('\n');
	return tellFailure(terminal, flags, { code: 'no-answer', message }, exitCodes.failed);
}

function report(differences: readonly LiveDifference[], { json }: CheckLiveFlags, terminal: Terminal): number {
	for (const { file, problem, consequences } of differences) {
		if (json) terminal.out(`${JSON.stringify({ file, ...problem, consequences })}\n`);
		else terminal.out(problemLine(file, problem) + consequences.map((each) => `  → ${each}\n`).join(''));
	}
	const errors = differences.filter(({ problem }) => problem.severity === 'error').length;
	terminal.note(
		differences.length === 0
			? 'the site matches the policy file\n'
			: `${quantity(differences.length, 'difference')}, ${quantity(errors, 'error')} among them\n`,
	);
	return errors > 0 ? exitCodes.found : exitCodes.ok;
}
