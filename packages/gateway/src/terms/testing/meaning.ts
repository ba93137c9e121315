import type { Use } from '@wayleave/protocols/policy';
import type { Config } from '../../config/schema.ts';

/** Who asks, as far as a policy file can tell agents apart. */
export interface Asker {
	readonly token: string;
	readonly category: string | undefined;
}

/**
 * What a policy file means, worked out from the file alone and without any of the code that publishes it: the effect of
 * each use for an agent without memory, market or answers.
 */
export function meaningOf(config: Config, { token, category }: Asker, use: Use, path: string): string {
	const value = (name: Use) => config.categories[category as never]?.[name] ?? config.policy[name];
	const gates = [pathAllowed(config, token, path) ? undefined : 'deny', effect(value('crawl'))];
	if (!['crawl', 'store'].includes(use)) gates.push(effect(value('read')));
	const own =
		use === 'compete' && value('compete') === 'no' && category === 'ai-assistant' ? 'allow' : effect(value(use));
	const all = use === 'crawl' ? gates : [...gates.filter((gate) => gate === 'deny' || gate === 'ask'), own];
	const strongest = ['deny', 'ask', 'limited', 'allow'].find((each) => all.includes(each));
	// A robots.txt that allows the path is itself a statement about crawling.
	return strongest ?? (use === 'crawl' ? 'allow' : 'unspecified');
}

function effect(value: string | undefined): string | undefined {
	const effects: Record<string, string> = { yes: 'allow', no: 'deny', ask: 'ask' };
	return value === undefined ? undefined : (effects[value] ?? 'limited');
}

function pathAllowed(config: Config, token: string, path: string): boolean {
	const { paths, honeypots } = config;
	const general = { allow: paths.allow ?? [], disallow: paths.disallow ?? [] };
	const named = Object.entries(paths.agents ?? {}).filter(([name]) => name.toLowerCase() === token.toLowerCase());
	const own = {
		allow: named.flatMap(([, rules]) => rules.allow ?? []),
		disallow: named.flatMap(([, rules]) => rules.disallow ?? []),
	};
	const disallow = [...own.disallow, ...general.disallow.filter((each) => !own.allow.includes(each)), ...honeypots];
	const allow = [...own.allow, ...(own.disallow.length > 0 ? [] : general.allow)].filter(
		(each) => !disallow.includes(each),
	);
	if (honeypots.includes(path) || isClosed(config, token)) return false;
	return longest(allow, path) >= longest(disallow, path);
}

/** GPTBot collects in bulk, as everybody knows: what is said of harvesters is said of it, whatever it says itself. */
export function isClosed({ policy, categories }: Config, token: string): boolean {
	if (token.toLowerCase() !== 'gptbot') return false;
	const { crawl = policy.crawl, read = policy.read } = categories['data-harvester'] ?? {};
	return crawl === 'no' || read === 'no';
}

function longest(patterns: readonly string[], path: string): number {
	return Math.max(0, ...patterns.filter((pattern) => matches(pattern, path)).map((pattern) => pattern.length));
}

function matches(pattern: string, path: string): boolean {
	const source = pattern
		.replace(/\$$/, '')
		.split('*')
		.map((part) => part.replace(/[.?+^$()[\]{}|\\]/g, '\\$&'));
	return new RegExp(`^${source.join('.*')}${pattern.endsWith('$') ? '$' : ''}`, 's').test(path);
}
