import type { SomFormat } from '@wayleave/protocols/som';
import { parseUrl } from '@wayleave/protocols/url';
import { answerAsk } from '../ask/answer-ask.ts';
import type { Config } from '../config/schema.ts';
import { honeypotPage } from '../honeypot/honeypot.ts';
import type { Served } from '../ledger/entry.ts';
import { type Answer, answerOf, lengthOf, problemAnswer } from './answer.ts';
import { answerFile, type Published } from './files.ts';
import { agentOf } from './identity.ts';
import { denialAnswer, faultAnswer, limitAnswer, termsUnknownAnswer, tooManyRefusals } from './refusals.ts';
import type { Representations } from './representation.ts';
import type { Judged } from './ruling.ts';
import type { Visit } from './visit.ts';

/** An answer, and what the ledger is to know about it. */
export interface Responded {
	readonly answer: Answer;
	readonly served: Served;
}

/** Answers for the manifest of a site that is learned while it is served. */
export interface ManifestSource {
	answer(visit: Visit): Answer | undefined;
}

export interface RespondOptions {
	readonly config: Config;
	published(): Published;
	readonly representations: Representations | undefined;
	/** Bytes and tokens of a page as HTML, where it has been compiled. */
	sizeOf(url: string): { readonly bytes: number; readonly tokens: number } | undefined;
	readonly manifest: ManifestSource | undefined;
}

/** Answers what the gateway answers itself; undefined for what goes to the site. */
export function respond(
	options: RespondOptions,
	judged: Judged,
): Responded | Promise<Responded | undefined> | undefined {
	const { config } = options;
	const { ruling, visit, identity } = judged;
	switch (ruling.action) {
		case 'pass':
			return undefined;
		case 'refuse':
			return plain(ruling.fault === 'terms-unknown' ? termsUnknownAnswer : faultAnswer(ruling.fault), visit);
		case 'file':
			return plain(fileAnswer(options, judged, ruling.path), visit);
		case 'ask':
			return answerTheAsk(options, judged);
		case 'honeypot':
			return plain(honeypotPage, visit);
		case 'deny':
			return plain(denialAnswer(config, identity, ruling, judged.target!.raw), visit);
		case 'limit':
			return plain(ruling.refused ? tooManyRefusals(ruling.wait) : limitAnswer(config, ruling.wait), visit);
		case 'som':
			return represented(options, judged, options.representations!.atEndpoint(judged));
		case 'represent':
			return inAnotherForm(options, judged, ruling.format, ruling.of);
	}
}

function plain(answer: Answer, { method }: Visit): Responded {
	const bytes = method === 'HEAD' ? 0 : lengthOf(answer.body);
	return { answer, served: { status: answer.status, bytes } };
}

/** A file; whoever has fetched the terms is known to know them. */
function fileAnswer({ published, manifest }: RespondOptions, { visit, known, at }: Judged, path: string): Answer {
	const { files, edition, closed } = published();
	if (closed !== undefined && path === '/robots.txt') return termsUnknownAnswer;
	const file = files.get(path);
	const answer = file === undefined ? manifest?.answer(visit) : answerFile(file, visit);
	if (answer === undefined) return problemAnswer(404, 'not-found', 'The file does not exist');
	if ((path === '/robots.txt' || path === '/robots2.txt') && (answer.status === 200 || answer.status === 304)) {
		known.policy = edition.version;
		known.policyAt = at;
	}
	if (path === '/.well-known/pagedigest.json') known.manifest = true;
	return answer;
}

function answerTheAsk({ config, published }: RespondOptions, { visit, identity, known, at }: Judged): Responded {
	const { effective } = published().edition.for(agentOf(identity));
	const { answer, directive, decision } = answerAsk(config, effective, identity, visit);
	if (directive === undefined || decision === undefined) return plain(answer, visit);
	known.asked ??= new Set();
	known.asked.add(directive);
	known.grants ??= new Map();
	// One for each directive, however often somebody asks; a no takes back what was allowed before.
	if (decision.holds === 0) known.grants.delete(directive);
	else known.grants.set(directive, { at, once: decision.decision === 'allow-once' });
	return { answer, served: { status: answer.status, bytes: 0, asked: directive, answer: decision.decision } };
}

async function represented(options: RespondOptions, judged: Judged, response: Promise<Response>): Promise<Responded> {
	const answer = await answerOf(await response);
	const { served } = plain(answer, judged.visit);
	const tokens = Number(answer.headers['x-som-tokens']);
	const html = answer.status === 200 ? options.sizeOf(pageOf(options.config, judged)) : undefined;
	if (html === undefined || Number.isNaN(tokens)) return { answer, served };
	const saved = { bytesSaved: html.bytes - lengthOf(answer.body), tokensSaved: html.tokens - tokens };
	return { answer, served: { ...served, ...saved } };
}

/** A page in another form, at its own address or, with `of`, beside the page at that path. */
async function inAnotherForm(
	options: RespondOptions,
	judged: Judged,
	format: SomFormat,
	of: string | undefined,
): Promise<Responded | undefined> {
	const { representations } = options;
	const response = await (of === undefined
		? representations?.ofPage(judged, format)
		: representations?.besidePage(judged, format, of));
	return response && represented(options, judged, Promise.resolve(response));
}

/** The address of the page that is represented. */
function pageOf({ origin }: Config, { ruling, target }: Judged): string {
	if (ruling.action === 'represent') return origin + (ruling.of ?? target!.raw);
	const wanted = new URL(origin + target!.raw).searchParams.get('url') ?? '';
	return parseUrl(wanted)?.href ?? wanted;
}
