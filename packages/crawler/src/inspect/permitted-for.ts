import type { Evidence } from '@wayleave/protocols';
import type { Use } from '@wayleave/protocols/policy';
import type { CommonOptions } from '../config/options.ts';
import { readSettings } from '../config/settings.ts';
import type { Result } from '../model/result.ts';
import { PolicyChecker } from '../policy/policy-checker.ts';
import type { LoadedFile } from '../policy/policy-files.ts';
import { HostSlot } from '../politeness/host-slot.ts';
import { signalsOf } from '../response/policy-headers.ts';
import type { PolicyFile } from '../store/roles/policies.ts';

/** Why a document is left out of a set for a use. */
export interface LeftOut {
	readonly use: Use;
	/** `not-permitted`: these lines say so. `not-asked`: the crawl was for other uses, and silence is no consent here. */
	readonly why: 'not-permitted' | 'not-asked';
	readonly evidence: readonly Evidence[];
}

/** Files kept ready. */
const remembered = 2000;

/**
 * Judges stored documents: whether they may be put to uses, by the answers to the ask requests of the crawl, and where
 * it did not ask, by the policy files that the store has. Those may be silent where a response or a further file of the
 * site would have spoken (`X-Robots-Tag`, tdmrep.json): a use that was not asked for is not assumed.
 *
 * @param options who the agent is, and `uses`
 * @param stored a policy file of the store, by its address
 */
export function permittedFor(
	options: Pick<CommonOptions, 'identity' | 'uses'>,
	stored: (url: string) => Promise<PolicyFile | undefined>,
): (result: Result) => Promise<LeftOut | undefined> {
	const settings = { ...readSettings({ ...options, ask: 'never' }), maxCrawlDelay: Number.POSITIVE_INFINITY };
	const files = new Map<string, Promise<LoadedFile>>();
	const load = (url: string): Promise<LoadedFile> => {
		if (files.size > remembered) files.clear();
		const known = files.get(url) ?? stored(url).then((file) => toLoaded(url, file));
		files.set(url, known);
		return known;
	};
	const asks = { known: async () => [], request: async () => 'stopped' as const };
	const judges = new Map(
		settings.uses.map((use) => [use, new PolicyChecker({ load }, asks, { ...settings, uses: [use] }, () => {})]),
	);
	return async ({ url, document, page, policy }) => {
		if (document === undefined) return undefined;
		for (const [use, judge] of judges) {
			const stated = policy?.uses[use];
			if (stated === 'deny' || stated === 'ask') return { use, why: 'not-permitted', evidence: policy?.because ?? [] };
			if (stated !== undefined) continue;
			const permit = await judge.check(url, slotOf(url));
			const judged =
				typeof permit !== 'string' && permit.permitted ? permit.withPage(signalsOf(url, page, [])) : permit;
			const denied = typeof judged !== 'string' && !judged.permitted;
			return denied
				? { use, why: 'not-permitted', evidence: judged.evidence }
				: { use, why: 'not-asked', evidence: [] };
		}
		return undefined;
	};
}

/** Nothing is requested: its pace does not matter. */
function slotOf(url: string): HostSlot {
	const host = { id: 0, name: new URL(url).hostname, nextAt: 0, https: false };
	return new HostSlot(host, { delay: 0, own: true, connections: 1 });
}

function toLoaded(url: string, file: PolicyFile | undefined): LoadedFile {
	const { finalUrl = url, status = 404, body = new Uint8Array(), contentType } = file ?? {};
	const type = contentType === undefined ? {} : { contentType };
	return { source: finalUrl, status, body, expiresAt: Number.POSITIVE_INFINITY, ...type };
}
