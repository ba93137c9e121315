import { oneOf } from '@wayleave/io/messages';
import { agentCategories, isCommonToken, type KnownAgent } from '@wayleave/protocols/identity';
import { type PublishOption, vocabularies } from '@wayleave/protocols/policy';
import {
	directive,
	isMetaValue,
	type PolicyName,
	permissionNames,
	policyNames,
	qualityNames,
} from '@wayleave/protocols/robots2';
import { somFormats, somScopes } from '@wayleave/protocols/som';
import {
	defaultReadings,
	type ReadingPreset,
	type Readings,
	readingPresets,
	unionOfReadings,
} from '@wayleave/protocols/url';
import { z } from 'zod';

/** A path of robots.txt: begins with `/`, no blanks, no comment. `*` and a final `$` have the meaning of RFC 9309. */
const path = z.string().regex(/^\/[^\s#]*$/, 'expected a path that begins with / and contains neither spaces nor #');
/** A path that can be served: no pattern. */
const plainPath = z.string().regex(/^\/[^\s#*$?]+$/, 'expected the path of a page, without * and $');
/** Text that a line of robots2.txt can hold: no comment in it, nothing before or behind it. */
const line = z
	.string()
	.regex(/^(?!#)(?=\S)(?:(?!\s#)[^\p{Cc}\u2028\u2029])+(?<=\S)$/u, 'expected one line of text without #');
const fieldName = z.string().regex(/^[!#$%&'*+\-.^_`|~\w]+$/, 'expected a header name: X-Forwarded-For');
const agentName = z
	.string()
	.regex(/^\w[\w.-]*(?: \w[\w.-]*)*$/, 'expected a product token of letters, digits, _ . - only: ExampleBot')
	.refine((name) => !name.split(' ').every(isCommonToken), {
		error: ({ input }) =>
			`${String(input)} is a word in the User-Agent of browsers and many agents: use the product token of one agent, such as ExampleBot`,
	});
/** A number of seconds. */
const seconds = z.number().int().nonnegative();
/** A number of requests, days or tokens. */
const count = z.number().int().positive();
/** A switch that is off by default. */
const off = z.boolean().default(false);
const webUrl = z.url({ protocol: /^https?$/ });

function directiveValue(name: PolicyName | (typeof qualityNames)[number]) {
	const { values } = directive(name);
	if (name === 'rate')
		return z.union([count.transform(String), z.literal('polite')], {
			error: 'expected requests per minute, such as 30, or polite',
		});
	if (name === 'primary-language')
		return z.string().regex(/^(?:[a-z]{2,8}|x)(?:-[a-z0-9]{1,8})*$/i, 'a language tag: en-AU');
	if (values === undefined) return line;
	const choice = z.enum(values as [string, ...string[]]);
	// `yes` and `no` without quotes are words in YAML 1.2, and booleans in YAML 1.1 and JSON: both are meant.
	const truth = z
		.boolean()
		.transform((value): string => (value ? 'yes' : 'no'))
		.pipe(choice);
	return z.union([choice, truth], { error: ({ input }) => oneOf(values, input) });
}

const policy = z
	.strictObject(Object.fromEntries(policyNames.map((name) => [name, directiveValue(name).optional()])))
	.describe('directives of robots2.txt');

const rules = z.strictObject({ allow: z.array(path).optional(), disallow: z.array(path).optional() });

const answer = z.strictObject({
	decision: z.enum(['allow', 'deny', 'allow-once']),
	scopes: z.array(path).optional().describe('paths that an allow covers; /blog/* covers all paths below /blog/'),
	agents: z.array(agentName).optional().describe('agents that get this decision; all others are denied'),
	identity: z
		.enum(['verified', 'claimed'])
		.optional()
		.describe('whether a named agent must prove its name; by default verified where that is possible'),
	maxAge: seconds
		.max(86_400)
		.optional()
		.describe('seconds for which an allow may be cached (default 86400) or an allow-once stays valid (default 300)'),
});

/** An agent of which the site knows more than the catalogue. */
const agent = z
	.strictObject({
		token: agentName.describe('the product token in its User-Agent'),
		operator: z.string().min(1),
		source: webUrl.describe("the operator's page that describes it"),
		category: z.enum(agentCategories).optional(),
		ranges: webUrl.optional().describe('the URL of its published address ranges'),
		reverseDns: z
			.array(
				z
					.string()
					.regex(
						/^(?:\.[a-z0-9.-]+|[a-z0-9.*-]*\*[a-z0-9.*-]*)$/i,
						'a host name suffix with its leading dot (.crawl.example.com), or a pattern (crawl-*.example.com)',
					),
			)
			.min(1)
			.optional(),
		userTriggered: z.literal(true).optional().describe('it fetches pages only when a person asks for them'),
	})
	.transform((given): KnownAgent => {
		const [token = given.token] = given.token.split(' ');
		return { ...(given as KnownAgent), ...(token !== given.token && { token, name: given.token }) };
	});

const authority = z
	.string()
	.regex(
		/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i,
		'expected a host name, with its port if that is not the default',
	);

const presetName = z.enum(Object.keys(readingPresets) as [ReadingPreset, ...ReadingPreset[]]);
const readingNames = Object.keys(defaultReadings) as (keyof Readings)[];

/** How the servers behind the gateway read a path. */
const readings = z
	.union([
		presetName,
		z.array(presetName).min(1),
		z.strictObject(
			Object.fromEntries(readingNames.map((name) => [name, z.boolean().optional()])) as Record<
				keyof Readings,
				z.ZodOptional<z.ZodBoolean>
			>,
		),
	])
	.transform((given): Readings => {
		if (typeof given === 'string') return readingPresets[given];
		if (Array.isArray(given)) return unionOfReadings(given.map((name) => readingPresets[name]));
		const stated = Object.entries(given).filter(([, value]) => value !== undefined);
		return { ...defaultReadings, ...Object.fromEntries(stated) };
	})
	.describe('the server behind the gateway, a list of chained servers, or single settings');

const metaName = z
	.string()
	.regex(/^[^\s:#]+$/, 'a name without blanks and colons: contact')
	// The version describes the file format, so the writer sets it.
	.refine((name) => name.toLowerCase() !== 'spec-version', 'spec-version is written by wayleave itself');

/** The `# meta:` lines of robots2.txt. */
const meta = z
	.record(metaName, z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(line))
	.transform((given) => Object.fromEntries(Object.entries(given).map(([name, value]) => [name, metaDate(name, value)])))
	.superRefine((given, context) => {
		for (const [name, value] of Object.entries(given))
			if (!isMetaValue(name, value))
				context.addIssue({ code: 'custom', path: [name], message: metaShapes[name.toLowerCase()] ?? 'another value' });
	});

const metaShapes: Readonly<Record<string, string>> = {
	'last-update': 'a date: 2026-04-09, or 2026-04-09 10:00 UTC',
	'update-frequency': 'one of live, daily, weekly, monthly, rarely, static',
	'significant-change': 'yes or no',
};

/** A date as YAML writes it, in the form of the draft: `2026-04-09` is `2026-04-09 00:00 UTC`. */
function metaDate(name: string, value: string): string {
	if (name.toLowerCase() === 'significant-change' && /^(?:true|false)$/.test(value))
		return value === 'true' ? 'yes' : 'no';
	if (name.toLowerCase() !== 'last-update' || !/^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(value)) return value;
	const date = new Date(value);
	return Number.isNaN(date.getTime()) ? value : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Each vocabulary that can be published, on unless it is switched off. */
const vocabularyOptions = Object.fromEntries(
	vocabularies.flatMap(({ publish }) => (publish === undefined ? [] : [[publish.option, z.boolean().default(true)]])),
) as Record<PublishOption, z.ZodDefault<z.ZodBoolean>>;

/** `wayleave.config.yaml`: what a site wants, once, for every vocabulary that agents read. */
export const configSchema = z.strictObject({
	origin: z
		.url({ protocol: /^https?$/, abort: true })
		.refine(
			(url) => URL.canParse(url) && new URL(url).pathname === '/' && !url.endsWith('/'),
			'expected an origin without a path: https://example.com',
		)
		.describe('the origin of the site, https://example.com'),
	paths: rules.extend({ agents: z.record(agentName, rules).optional() }).default({}),
	policy: policy.default({}),
	quality: z
		.strictObject(Object.fromEntries(qualityNames.map((name) => [name, directiveValue(name).optional()])))
		.optional()
		.describe('what the site declares about its own content'),
	categories: z.partialRecord(z.enum(agentCategories), policy).default({}),
	ask: z
		.partialRecord(z.enum(permissionNames as [string, ...string[]]), z.union([answer, z.array(answer)]))
		.default({}),
	readings: readings.optional(),
	rate: z
		.strictObject({
			default: count.describe('requests per minute').optional(),
			burst: count.optional(),
			searchEngines: count
				.optional()
				.describe('requests per minute for each verified search engine; unlimited if omitted'),
			unknown: count
				.optional()
				.describe('requests per minute for unidentified tools that are not browsers; unlimited if omitted'),
			refusals: count
				.default(300)
				.describe('refusals per minute for one address; further requests get 429 without a body'),
		})
		.prefault({}),
	som: z
		.strictObject({
			endpoint: z
				.string()
				.regex(/^(?:\/(?!\/)|https?:\/\/)[^\s#]*$/, 'expected a path, or the full URL of an endpoint on another host')
				.optional()
				.describe('a path, or the full URL of an endpoint on another host (default /v1/som)'),
			announce: z
				.boolean()
				.optional()
				.describe('whether published files announce the endpoint; by default only if endpoint is set'),
			format: z.enum(somFormats).default('SOM/1.0'),
			scope: z.enum(somScopes).default('main-content'),
			freshness: seconds.default(86_400),
			tokenBudget: count.optional(),
			offerDisallowed: off.describe('block HTML, offer SOM'),
			userContent: off.describe('include comments and reviews in the representation'),
		})
		.transform(({ endpoint, announce, ...som }) => ({
			endpoint: endpoint ?? '/v1/som',
			announce: announce ?? endpoint !== undefined,
			...som,
		}))
		.optional(),
	pagedigest: z
		.strictObject({
			state: z.string().default('./.wayleave/revisions.db'),
			coverage: z.enum(['complete', 'partial']).default('complete'),
			prefixes: z
				.array(path)
				.min(1)
				.optional()
				.describe('with coverage: partial, the path prefixes that the manifest covers'),
			pages: z
				.array(path)
				.min(1)
				.optional()
				.describe('pages that no link and no sitemap lists, as robots.txt patterns: /search?q=*'),
		})
		.optional(),
	honeypots: z.array(plainPath).default([]).describe('paths that no client visits if it respects robots.txt'),
	publish: z
		.strictObject({
			...vocabularyOptions,
			llmsTxt: z.boolean().default(true),
			somInRobots: z
				.enum(['on', 'comment', 'off'])
				.default('on')
				.describe('SOM lines in robots.txt; some checkers report unknown lines as errors'),
		})
		.prefault({}),
	identity: z
		.strictObject({
			trustedProxies: z
				.array(z.string())
				.default([])
				.describe('addresses or CIDR ranges of proxies in front of the gateway'),
			header: fieldName
				.optional()
				.describe('the header in which these proxies pass the client address: X-Forwarded-For, CF-Connecting-IP'),
			strictLists: off.describe("treat an address that is missing from the operator's current list as spoofed"),
			wait: z
				.number()
				.int()
				.min(0)
				.max(5000)
				.default(300)
				.describe('milliseconds that the first request with an agent name from an address waits for the DNS'),
			broadLists: z
				.array(webUrl)
				.default([])
				.describe('address lists that may cover more than a /8 (IPv4) or a /19 (IPv6)'),
			agents: z.array(agent).default([]).describe('agents to add to the catalogue or to override'),
			authorities: z
				.array(authority)
				.default([])
				.describe('other hosts under which clients reach the site; signatures cover the host'),
			verify: z
				.strictObject({
					ranges: z.boolean().default(true),
					reverseDns: z.boolean().default(true),
					signatures: z.boolean().default(true),
				})
				.prefault({}),
		})
		.prefault({}),
	ledger: z
		.strictObject({
			store: z.string().default('sqlite:./.wayleave/ledger.db'),
			retentionDays: count.default(90),
			hashAddresses: off,
		})
		.prefault({}),
	shared: z
		.string()
		.superRefine((url, context) => {
			const fault = sharedFault(url);
			if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
		})
		.optional()
		.describe('a PostgreSQL database, for sites with several gateways: postgres://USER:PASSWORD@HOST/DATABASE'),
	crawl: z
		.record(z.string(), z.unknown())
		.optional()
		.describe('options of the commands that fetch: botUrl, delay, use, … The gateway ignores them'),
	reportTo: z
		.array(
			line.and(
				z
					.string()
					.regex(/^(?:https?:\/\/\S+|mailto:\S+@\S+|[^\s@/:]+@[^\s@/:]+)$/, 'expected an e-mail address or a URL'),
			),
		)
		.default([])
		.describe('where violations may be reported: mailto: or https:'),
	meta: meta
		.optional()
		.describe('what the site says of its robots2.txt: contact, jurisdiction, licence, last-update, …'),
	chain: z
		.string()
		.refine((url) => URL.canParse(url) && new URL(url).protocol === 'https:', 'an https URL')
		.optional()
		.describe('a robots2.txt elsewhere that says the rest, as an https URL'),
	verification: z
		.string()
		.regex(/^[\w.~+/=-]+$/, 'expected a token of letters, digits, . _ ~ + / = -')
		.optional()
		.describe('token for /.well-known/aiwebindex-verify.txt'),
});

/** Why gateways cannot share their state at a URL. */
function sharedFault(url: string): string | undefined {
	const expected = 'expected postgres://USER:PASSWORD@HOST/DATABASE';
	if (/^rediss?:/i.test(url)) return `Redis is not supported: ${expected}`;
	if (/^sqlite:/i.test(url)) return `gateways on several machines cannot share a file: ${expected}`;
	return /^postgres(?:ql)?:\/\//i.test(url) && URL.canParse(url) ? undefined : expected;
}

/** A policy file, read and completed with its defaults. */
export type Config = z.output<typeof configSchema>;
/** A policy file as a person writes it. */
export type ConfigInput = z.input<typeof configSchema>;
/** One answer of the ask endpoint. */
export type AskRule = z.output<typeof answer>;

/** The JSON Schema of policy files, for editors. */
export function configJsonSchema(): Record<string, unknown> {
	return z.toJSONSchema(configSchema, { io: 'input' }) as Record<string, unknown>;
}
