import { resolve } from 'node:path';
import { createFetcher } from '@wayleave/io';
import { buildAgentIdentity, buildUserAgent } from '@wayleave/protocols/identity';
import { self } from '../check/agent.ts';
import { politeFetch } from '../check/fetch-file.ts';
import { exitCodes, type Terminal, UsageError } from '../command.ts';
import type { CheckLiveFlags } from '../commands/check-live.ts';
import { checkLive } from '../live/check-live.ts';
import { problemLine } from '../live/explain.ts';
import { meantBy } from '../live/meant.ts';
import type { LiveDifference } from '../live/problems.ts';
import { auditSom } from '../live/som-audit.ts';
import { readPolicyFile } from '../options/policy-file.ts';
import { quantity } from '../output/quantities.ts';
import { version } from '../version.ts';

const botUrl = 'https://wayleave.example/bot';

export async function runCheckLive(url: string, flags: CheckLiveFlags, terminal: Terminal): Promise<number> {
	const { origin, hostname } = new URL(url);
	const { config: written, name } = await readPolicyFile(flags, terminal);
	if (name === undefined) throw new UsageError('which policy file is meant? Say --config');
	if (flags.somAudit && written.som === undefined)
		throw new UsageError(`${name} has no som: there is nothing to audit`);
	const meant = meantBy(
		written,
		flags.dir === undefined ? undefined : resolve(terminal.cwd, flags.dir),
		flags.gateway === true,
	);
	// A copy of the site elsewhere is looked at where it is.
	const here = { ...written, origin };
	const identity = { name: self.name, version, category: self.categories[0] };
	const fetcher = createFetcher({
		userAgent: buildUserAgent({ botUrl, botName: identity.name }),
		headers: { 'X-Agent-Identity': buildAgentIdentity(identity) },
		// The one host that the user named may be a machine of their own.
		allowPrivate: (host) => host === hostname,
	});
	try {
		const fetch = politeFetch(fetcher, (text) => terminal.err(text));
		const options = { page: url, agents: flags.agent ?? [], manifest: flags.manifest };
		const { differences, notes, policies, manifest } = await checkLive(here, meant, fetch, options);
		for (const note of notes) terminal.err(`${note}\n`);
		const task = { config: here, meant: meant.policies, live: policies, manifest, pages: flags.page ?? [] };
		const audit = flags.somAudit ? await auditSom(task, fetch) : undefined;
		if (audit) terminal.err(`${quantity(audit.asked, 'restricted page')} asked for at the SOM endpoint\n`);
		return report([...differences, ...(audit?.leaks ?? [])], flags, terminal);
	} finally {
		await fetcher.close();
	}
}

function report(differences: readonly LiveDifference[], { json }: CheckLiveFlags, terminal: Terminal): number {
	for (const { file, problem, consequences } of differences) {
		if (json) terminal.out(`${JSON.stringify({ file, ...problem, consequences })}\n`);
		else terminal.out(problemLine(file, problem) + consequences.map((each) => `  → ${each}\n`).join(''));
	}
	const errors = differences.filter(({ problem }) => problem.severity === 'error').length;
	terminal.err(
		differences.length === 0
			? 'the world sees what is meant\n'
			: `${quantity(differences.length, 'difference')}, ${errors} of weight\n`,
	);
	return errors > 0 ? exitCodes.found : exitCodes.ok;
}
