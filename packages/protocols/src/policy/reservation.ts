import { normaliseEscapes } from '../robots/escapes.ts';
import { pathOfUrl } from '../robots/index.ts';
import { compilePattern, matchesPattern, type Pattern } from '../robots/pattern.ts';
import { evidence } from './page-signals.ts';
import { signalValues } from './signal-fields.ts';
import { type Reservation, readReservation, type TdmrepRule } from './tdmrep.ts';
import type { Evidence, HostPolicies, PageSignals, Statement } from './types.ts';

interface Said {
	readonly reservation: Reservation;
	readonly evidence: Evidence;
}

/** The rules of tdmrep.json, ready for many questions. */
export type ReservationFile = (url: string) => Said | undefined;

/** The first rule that matches counts, also when its value is neither 0 nor 1 (TDMRep, "TDM file"). */
export function prepareReservations(tdmrep: HostPolicies['tdmrep']): ReservationFile {
	if (!tdmrep) return () => undefined;
	// Only the first rule of a location counts.
	const first = new Map<string, TdmrepRule>();
	for (const rule of tdmrep.file) if (!first.has(rule.location)) first.set(rule.location, rule);
	const rules = Array.from(first.values(), (rule): readonly [Pattern, TdmrepRule] => [
		compilePattern(rule.location, false),
		rule,
	]);
	return (url) => {
		const path = normaliseEscapes(pathOfUrl(url));
		const rule = rules.find(([pattern]) => matchesPattern(pattern, path))?.[1];
		return rule && { reservation: rule.reservation, evidence: evidence(tdmrep.source, rule.line, rule.text, 'tdmrep') };
	};
}

/**
 * Whether mining is reserved at a URL: the file is overruled by the header and that by the meta tag; what is not said
 * at a later place resets nothing. A reservation forbids; that there is none permits nothing else.
 */
export function sayReservation(file: ReservationFile, page: PageSignals | undefined, url: string): Statement[] {
	const places = [file(url), ...(page ? [fromHeader(page), fromMeta(page)] : [])];
	const said = places.findLast((place) => place?.reservation !== undefined);
	if (!said) return [];
	return [{ effect: said.reservation === 1 ? 'deny' : 'silent', evidence: said.evidence }];
}

/** Of several headers the strictest counts. */
function fromHeader({ source, headers = [] }: PageSignals): Said | undefined {
	const values = signalValues(headers, 'tdm-reservation');
	const said = values.find((value) => readReservation(value) === 1) ?? values[0];
	if (said === undefined) return undefined;
	return { reservation: readReservation(said), evidence: evidence(source, 0, `tdm-reservation: ${said}`, 'tdmrep') };
}

function fromMeta({ source, meta = [] }: PageSignals): Said | undefined {
	const tags = meta.filter(({ name }) => name.trim().toLowerCase() === 'tdm-reservation');
	const tag = tags.find(({ content }) => readReservation(content) === 1) ?? tags[0];
	if (!tag) return undefined;
	const text = `<meta name="${tag.name}" content="${tag.content}">`;
	return { reservation: readReservation(tag.content), evidence: evidence(source, tag.line ?? 0, text, 'tdmrep') };
}
