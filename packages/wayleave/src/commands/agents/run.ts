import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
	agentIndexOf,
	type CheckedIdentity,
	type Claim,
	ClaimReader,
	type Config,
	checkConfig,
	createGateway,
	type DecidedRequest,
	IdentityChecker,
	identityOptions,
	identityReasons,
	type Visit,
} from '@wayleave/gateway';
import { createResolver, ReverseDns } from '@wayleave/io/dns';
import { createFetcher } from '@wayleave/io/http';
import { fileRangeStore, RangeLists } from '@wayleave/io/ranges';
import { buildUserAgent, findAgentByToken, type KnownAgent, knownAgents } from '@wayleave/protocols/identity';
import { canonicalAddress } from '@wayleave/protocols/jafar';
import { oneLine, quantity } from '@wayleave/protocols/text';
import { defaultPolicyFile } from '../../shared/options/defaults.ts';
import { type PolicyFile, readPolicyFile } from '../../shared/options/policy-file.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import type { AgentsFlags, ExplainFlags } from './flags.ts';

/** Lists the catalogue, or searches it: ends with 1 when nothing is found. */
export function listAgents(word: string | undefined, { category, json }: AgentsFlags, terminal: Terminal): number {
	const wanted = word?.toLowerCase();
	const byName = word === undefined ? undefined : findAgentByToken(word);
	const found = knownAgents.filter((agent) => {
		const { token, name = token, operator = '' } = agent;
		const said = [name, token, operator, agent.category ?? ''];
		const matches =
			wanted === undefined || agent === byName || said.some((text) => text.toLowerCase().includes(wanted));
		return matches && (category === undefined || agent.category === category);
	});
	if (json) for (const agent of found) terminal.out(`${JSON.stringify(agent)}\n`);
	else terminal.out(table(found));
	terminal.note(`${quantity(found.length, 'agent')}${word === undefined ? '' : ` for ${oneLine(word)}`}\n`);
	return found.length > 0 ? exitCodes.ok : exitCodes.found;
}

function table(agents: readonly KnownAgent[]): string {
	const rows = agents.map((agent) => [
		agent.name ?? agent.token,
		agent.operator ?? '–',
		agent.category ?? '–',
		howVerified(agent).join(', ') || (agent.signalOnly ? 'in robots.txt only' : '–'),
	]);
	const head = ['agent', 'operator', 'category', 'verified by'];
	const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
	const write = (row: readonly string[]) =>
		`${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
	return rows.length === 0 ? '' : `${[head, ...rows].map(write).join('\n')}\n`;
}

function howVerified({ ranges, reverseDns }: KnownAgent): string[] {
	return [...(ranges === undefined ? [] : ['addresses']), ...(reverseDns === undefined ? [] : ['host names'])];
}

interface Explained {
	readonly claim: Claim;
	readonly identity: CheckedIdentity;
	readonly policy: PolicyFile | undefined;
	readonly decided: DecidedRequest | undefined;
}

/** Prints the agent that a request names, and its consequences; exits with 1 if it names none. */
export async function explainAgent(userAgent: string, flags: ExplainFlags, terminal: Terminal): Promise<number> {
	if (flags.ip !== undefined && canonicalAddress(flags.ip) === undefined) {
		throw new UsageError(`--ip ${flags.ip}: expected an IPv4 or IPv6 address`);
	}
	const named = flags.config !== undefined || existsSync(resolve(terminal.cwd, defaultPolicyFile));
	const policy = named ? await readPolicyFile(flags, terminal) : undefined;
	const config = policy?.config ?? checkConfig({ origin: 'https://example.com' });
	const visit = visitFor(userAgent, flags, config);
	const claim = new ClaimReader(agentIndexOf(config, undefined)).read(userAgent, flags.identity);
	const identity = await identify(config, policy?.base ?? terminal.cwd, visit, claim, flags.ip !== undefined);
	const gateway = createGateway(config, { identifier: { now: () => identity, ask: async () => identity } });
	const decided = policy === undefined ? undefined : await gateway.decide(visit);
	const explained: Explained = { claim, identity, policy, decided };
	terminal.out(flags.json ? `${JSON.stringify(asObject(userAgent, flags, explained))}\n` : asText(flags, explained));
	return claim.name === undefined ? exitCodes.found : exitCodes.ok;
}

/** A documentation address (RFC 5737): without --ip nothing is verified. */
const nobody = '192.0.2.1';

function visitFor(userAgent: string, { ip = nobody, identity, path }: ExplainFlags, config: Config): Visit {
	const headers: Record<string, string | undefined> = {
		host: new URL(config.origin).host,
		'user-agent': userAgent || undefined,
		'x-agent-identity': identity,
	};
	return { method: 'GET', target: path, address: ip, header: (name) => headers[name] };
}

/** Identifies an agent by its claim alone, or by the addresses that its operator publishes. */
async function identify(
	config: Config,
	base: string,
	visit: Visit,
	claim: Claim,
	verify: boolean,
): Promise<CheckedIdentity> {
	const { origin, identity } = config;
	if (!verify) return new IdentityChecker(identityOptions(identity)).identifyNow(visit, claim);
	const fetcher = createFetcher({ userAgent: buildUserAgent({ botUrl: `${origin}/`, botName: 'Wayleave-Agents' }) });
	const lists = new RangeLists({ fetcher, store: fileRangeStore(resolve(base, '.wayleave/ranges')) });
	try {
		const checker = new IdentityChecker({
			...identityOptions(identity),
			...(identity.verify.ranges && { lists }),
			...(identity.verify.reverseDns && {
				reverseDns: new ReverseDns({ resolver: createResolver({ timeout: 2000 }) }),
			}),
		});
		if (identity.verify.ranges && claim.agent?.ranges !== undefined) await lists.refresh(claim.agent.ranges);
		return await checker.identify(visit, { dns: 5000, signatures: 0 }, claim);
	} finally {
		lists.close();
		await fetcher.close();
	}
}

function asText({ ip, path }: ExplainFlags, { claim, identity, policy, decided }: Explained): string {
	const { agent, name, version, otherNames, categories } = claim;
	const lines: string[] = [];
	if (name === undefined) {
		lines.push(
			claim.anonymous
				? 'the request has no User-Agent'
				: 'no known agent: a browser, or a tool that does not identify itself',
		);
	} else {
		const of = agent?.operator === undefined ? '' : ` of ${agent.operator}`;
		lines.push(`agent: ${name}${version === undefined ? '' : ` ${version}`}${of}`);
		if (claim.token !== undefined) lines.push(`product token in robots.txt: ${claim.token}`);
		if (otherNames.length > 0) lines.push(`also claims to be ${otherNames.join(', ')}: their restrictions apply too`);
		lines.push(
			categories.length > 0 ? `category: ${categories.join(', ')}` : 'no category: the general policy applies',
		);
		lines.push(`source: ${sourceOf(agent)}`);
		lines.push(...verification(claim));
	}
	if (ip !== undefined) lines.push(`from ${ip}: ${identity.outcome}, ${identityReasons[identity.reason][1]}`);
	if (policy !== undefined && decided !== undefined) {
		lines.push(`the policy in ${policy.name} for ${path}: ${outcome(decided)}`);
		lines.push('this does not include the site’s own robots.txt');
	}
	return lines.map((line) => `${oneLine(line)}\n`).join('');
}

function sourceOf(agent: KnownAgent | undefined): string {
	if (agent?.source === undefined) return 'none; only the request or the policy file names it';
	return agent.listed === undefined ? agent.source : `${agent.source} (a public list, retrieved on ${agent.listed})`;
}

function verification({ agent, signal }: Claim): string[] {
	if (signal !== undefined) return [`${signal.token} is only a robots.txt token: no honest request carries it`];
	const { ranges, reverseDns } = agent ?? {};
	const ways = [
		...(ranges === undefined ? [] : [`its address is in ${ranges}`]),
		...(reverseDns === undefined
			? []
			: [`reverse DNS of its address gives a name that ends in ${reverseDns.join(' or ')} and resolves back`]),
	];
	if (ways.length > 0) return ways.map((way) => `verified when ${way}`);
	return ['the operator publishes neither addresses nor host names; only a signature (RFC 9421) can verify it'];
}

function outcome({ decision }: DecidedRequest): string {
	switch (decision.action) {
		case 'deny': {
			if (decision.reason === 'spoofed') return '403, because it falsely claims to be this agent';
			const lines = decision.verdict.because.map(
				({ text, source, line }) => `${text.trim()} (${new URL(source).pathname}, line ${line})`,
			);
			return `403, by ${lines.join(' and ')}${decision.reason === 'ask-first' ? ': it must ask first' : ''}`;
		}
		case 'pass':
			return 'the page';
		default:
			return decision.action;
	}
}

function asObject(userAgent: string, { ip, path, identity: declared }: ExplainFlags, explained: Explained): object {
	const { claim, identity, policy, decided } = explained;
	const denial = decided?.decision.action === 'deny' ? decided.decision : undefined;
	return {
		userAgent,
		...(declared !== undefined && { agentIdentity: declared }),
		name: claim.name ?? null,
		token: claim.token ?? claim.name ?? null,
		otherNames: claim.otherNames,
		categories: claim.categories,
		agent: claim.agent ?? claim.signal ?? null,
		verifiedBy: claim.agent === undefined ? [] : howVerified(claim.agent),
		...(ip !== undefined && {
			ip,
			outcome: identity.outcome,
			reason: identity.reason,
			checks: identity.evidence.checks,
		}),
		...(policy !== undefined &&
			decided !== undefined && {
				policy: {
					file: policy.name,
					path,
					action: decided.decision.action,
					...(denial !== undefined && {
						reason: denial.reason,
						evidence: denial.reason === 'spoofed' ? [] : denial.verdict.because,
					}),
				},
			}),
	};
}
