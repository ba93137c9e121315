import { error, info, makerOf, nowhere, warning } from '../../internal/problem-maker.ts';
import { decodeUtf16 } from '../../internal/utf16.ts';
import type { Parsed, Problem } from '../../problem.ts';
import { normaliseEscapes, pathOfUrl } from '../../robots/escapes.ts';
import { compilePattern, matchesPattern, type Pattern } from '../../robots/pattern.ts';
import { headerValues } from '../../robots2/header-fields.ts';
import { buildsCorpus } from '../agent-roles.ts';
import type { Agent, Evidence, PageSignals, Statement, Use } from '../types.ts';
import { defineVocabulary, type PolicyView } from './vocabulary.ts';

const problems = {
	'tdmrep-utf-16': error('the file is UTF-16, in which most readers find no reservation; save it as UTF-8'),
	'tdmrep-not-json': error('the file is not valid JSON; no reservation can be read from it'),
	'tdmrep-not-array': warning('the file must be a list of rules; the single object is read as a list with one rule'),
	'tdmrep-invalid-entry': warning('rule {index} lacks location or tdm-reservation and is ignored'),
	'tdmrep-invalid-reservation': error('tdm-reservation must be 0 or 1; {value} is ignored'),
	'publish-tdm-silent': info(
		'TDMRep is not published: its reservation would also forbid storing, which the policy allows (store: {store})',
	),
};
type TdmrepCode = keyof typeof problems;
const tdmrepProblem = makerOf(problems);

/** TDM Reservation Protocol. A reservation forbids mining; that there is none permits nothing else. */
export const tdmrep = defineVocabulary({
	name: 'tdmrep',
	title: 'TDMRep',
	specification: 'TDM Reservation Protocol (W3C Community Group Report)',
	problems,
	headers: [{ field: 'tdm-reservation', repeats: 'site-wins', meta: 'tdm-reservation' }],
	file: {
		path: '/.well-known/tdmrep.json',
		mediaType: 'application/json',
		title: 'tdmrep.json',
		keys: ['tdm-reservation'],
		parse: parseTdmrep,
		concerns,
	},
	prepare({ agent, file }) {
		const ofFile = file === undefined ? () => undefined : prepareFile(file.source, file.value);
		return { site: (use, url, page) => (concerns(use, agent) ? statementsOf(ofFile(url), page) : []) };
	},
	publish: {
		option: 'tdmrep',
		statements(policy) {
			const reservation = publishedReservation(policy);
			if (reservation === undefined) {
				const isSilent = policy.value('train') === 'no';
				const store = policy.value('store') ?? 'not stated';
				return isSilent ? { problems: [tdmrepProblem('publish-tdm-silent', nowhere, { store })] } : undefined;
			}
			const content = String(reservation);
			return {
				headers: { 'tdm-reservation': content },
				meta: [{ name: 'tdm-reservation', content }],
				file: formatTdmrep(reservation, policy.policyUrl),
			};
		},
	},
});

/**
 * A reservation forbids training to all agents, and storing in a corpus to those that build one: agents that say
 * `data-harvester`, or nothing. It is only published where the policy forbids all of that too.
 */
function publishedReservation(policy: PolicyView): 0 | 1 | undefined {
	const stores = [policy.value('store'), policy.value('store', 'data-harvester')];
	const training = policy.valueForAll('train');
	if (training === 'no' && stores.every((value) => value === 'no')) return 1;
	return training === 'yes' && stores.every((value) => value === 'yes') ? 0 : undefined;
}

/** The file for a whole site (TDMRep, "TDM file on the origin server"). */
function formatTdmrep(reservation: 0 | 1, policyUrl: string): string {
	const rule = {
		location: '/*',
		'tdm-reservation': reservation,
		...(reservation === 1 && { 'tdm-policy': policyUrl }),
	};
	return `${JSON.stringify([rule], undefined, '\t')}\n`;
}

/** A reservation is about training, and about storing for those who build a corpus. */
function concerns(use: Use, agent: Agent): boolean {
	return use === 'train' || (use === 'store' && buildsCorpus(agent));
}

interface Stated {
	readonly reservation: Reservation;
	readonly evidence: Evidence;
}

/** The first rule that matches counts, also when its value is neither 0 nor 1 (TDMRep, "TDM file"). */
function prepareFile(source: string, file: TdmrepFile): (url: string) => Stated | undefined {
	// Only the first rule of a location counts.
	const first = new Map<string, TdmrepRule>();
	for (const rule of file) if (!first.has(rule.location)) first.set(rule.location, rule);
	const rules = Array.from(first.values(), (rule): readonly [Pattern, TdmrepRule] => [
		compilePattern(rule.location, false),
		rule,
	]);
	return (url) => {
		const path = normaliseEscapes(pathOfUrl(url));
		const rule = rules.find(([pattern]) => matchesPattern(pattern, path))?.[1];
		return rule && stated(rule.reservation, source, rule.line, rule.text);
	};
}

/** The header overrules the file, and the meta tag the header; a later place without a value resets nothing. */
function statementsOf(ofFile: Stated | undefined, page: PageSignals | undefined): Statement[] {
	const places = [ofFile, ...(page ? [fromHeader(page), fromMeta(page)] : [])];
	const said = places.findLast((place) => place?.reservation !== undefined);
	if (!said) return [];
	return [{ effect: said.reservation === 1 ? 'deny' : 'silent', evidence: said.evidence }];
}

/** Of several headers the strictest counts. */
function fromHeader({ source, headers = [] }: PageSignals): Stated | undefined {
	const values = headerValues(headers, 'tdm-reservation');
	const said = values.find((value) => readReservation(value) === 1) ?? values[0];
	return said === undefined ? undefined : stated(readReservation(said), source, 0, `tdm-reservation: ${said}`);
}

function fromMeta({ source, meta = [] }: PageSignals): Stated | undefined {
	const tags = meta.filter(({ name }) => name.trim().toLowerCase() === 'tdm-reservation');
	const tag = tags.find(({ content }) => readReservation(content) === 1) ?? tags[0];
	if (!tag) return undefined;
	const text = `<meta name="${tag.name}" content="${tag.content}">`;
	return stated(readReservation(tag.content), source, tag.line ?? 0, text);
}

function stated(reservation: Reservation, source: string, line: number, text: string): Stated {
	return { reservation, evidence: { source, line, text, mechanism: 'tdmrep' } };
}

/** Whether the rights of text and data mining are reserved: `1` yes, `0` no, undefined not said. */
export type Reservation = 0 | 1 | undefined;

export interface TdmrepRule {
	/** A path pattern with `*` and `$`. */
	readonly location: string;
	readonly reservation: Reservation;
	/** URL of the terms; only with a reservation. */
	readonly policy?: string;
	/** Counts from 1. */
	readonly line: number;
	readonly text: string;
}

/** `/.well-known/tdmrep.json`, read: the first rule that matches counts. */
export type TdmrepFile = readonly TdmrepRule[];

/** Reads `/.well-known/tdmrep.json` (TDMRep, "TDM file on the origin server"). Never throws. */
export function parseTdmrep(input: string | Uint8Array): Parsed<TdmrepFile, TdmrepCode> {
	const whole = { line: 1, column: 1 };
	const utf16 = typeof input === 'string' ? undefined : decodeUtf16(input);
	const text = utf16 ?? (typeof input === 'string' ? input : new TextDecoder().decode(input));
	// Reservations only restrict: reading them in spite of the wrong encoding honours what the site meant.
	const problems: Problem<TdmrepCode>[] = utf16 === undefined ? [] : [tdmrepProblem('tdmrep-utf-16', whole)];
	const json = parseJson(text);
	if (typeof json !== 'object' || json === null)
		return { value: [], problems: [...problems, tdmrepProblem('tdmrep-not-json', whole)] };
	if (!Array.isArray(json)) problems.push(tdmrepProblem('tdmrep-not-array', whole));
	const entries: readonly unknown[] = Array.isArray(json) ? json : [json];
	const lines = linesOf(text, entries.length);
	const value = entries.flatMap((entry, index) => {
		const at = { line: lines[index] ?? 0, column: lines[index] ? 1 : 0 };
		const rule = readRule(entry);
		if (!rule) problems.push(tdmrepProblem('tdmrep-invalid-entry', at, { index: index + 1 }));
		else if (rule.reservation === undefined)
			problems.push(tdmrepProblem('tdmrep-invalid-reservation', at, { value: rule.written }));
		if (!rule) return [];
		const { location, reservation, policy } = rule;
		return [{ location, reservation, ...(policy && { policy }), line: at.line, text: JSON.stringify(entry) }];
	});
	return { value, problems };
}

/** The value of a `tdm-reservation` header or meta tag. */
function readReservation(written: string | number): Reservation {
	const value = String(written).trim();
	return value === '1' ? 1 : value === '0' ? 0 : undefined;
}

function readRule(
	entry: unknown,
): { location: string; reservation: Reservation; written: string; policy?: string } | undefined {
	if (typeof entry !== 'object' || entry === null) return undefined;
	const { location, 'tdm-reservation': written, 'tdm-policy': policy } = entry as Record<string, unknown>;
	if (typeof location !== 'string' || written === undefined) return undefined;
	const reservation = typeof written === 'number' || typeof written === 'string' ? readReservation(written) : undefined;
	const terms = reservation === 1 && typeof policy === 'string' ? { policy } : {};
	return { location, reservation, written: JSON.stringify(written), ...terms };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
	} catch {
		return undefined;
	}
}

/** The lines on which `location` stands; none when there are not as many as rules, since then they cannot be told apart. */
function linesOf(text: string, count: number): number[] {
	const lines = text.split(/\r\n|\n|\r/).flatMap((line, index) => {
		const found = line.match(/"location"\s*:/g)?.length ?? 0;
		return Array<number>(found).fill(index + 1);
	});
	return lines.length === count ? lines : [];
}
