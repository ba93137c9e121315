import { resolve } from 'node:path';
import type { PoliteFetch } from '@wayleave/crawler/check';
import { quantity } from '@wayleave/protocols/text';
import type { LiveDifference } from '../../shared/live-problems.ts';
import { readPolicyFile } from '../../shared/options/policy-file.ts';
import { tellFailure } from '../../shared/output/tell-failure.ts';
import { problemLine } from '../../shared/problem-line.ts';
import { visitSite } from '../../shared/visit-site.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import { checkLive } from './check-live.ts';
import { expectedPolicyOf } from './expected-policy.ts';
import type { CheckLiveFlags } from './flags.ts';
import type { LiveFile } from './observe.ts';
import { auditSom } from './som-audit.ts';

export async function runCheckLive(url: string, flags: CheckLiveFlags, terminal: Terminal): Promise<number> {
	const { origin } = new URL(url);
	const { config: written, name } = await readPolicyFile(flags, terminal);
	if (name === undefined) throw new UsageError('no policy file given: name one with --config');
	if (flags.somAudit && written.som === undefined) throw new UsageError(`${name} has no som section: nothing to audit`);
	const gateway = flags.gateway === true;
	const folder = flags.dir === undefined ? undefined : resolve(terminal.cwd, flags.dir);
	const expectedFor = (served: LiveFile) =>
		expectedPolicyOf(written, { folder, gateway, served: served.state === 'present' ? served.body : undefined });
	// A gateway serves a manifest where its policy file has the key; `publish` always writes one.
	const isManifestExpected = !gateway || written.pagedigest !== undefined;
	// A copy of the site elsewhere is looked at where it is.
	const here = { ...written, origin };
	const look = async (given: PoliteFetch) => {
		let answered = false;
		const fetch: PoliteFetch = {
			...given,
			async get(from, redirects) {
				const response = await given.get(from, redirects);
				answered ||= response.ok;
				return response;
			},
		};
		const options = { page: url, agents: flags.agent ?? [], manifest: flags.manifest && isManifestExpected };
		const { differences, notes, policies, manifest, expected } = await checkLive(here, expectedFor, fetch, options);
		// Without a response there is nothing to compare.
		if (!answered) return tellSilence(origin, notes, flags, terminal);
		for (const note of notes) terminal.note(`${note}\n`);
		const task = { config: here, expected: expected.policies, live: policies, manifest, pages: flags.page ?? [] };
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
