import {
	agentCategories,
	findAgentByToken,
	isCommonToken,
	type KnownAgent,
	knownAgents,
} from '@wayleave/protocols/identity';
import { type Document, isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import type { Config } from '../config/schema.ts';
import { spliceText } from './splice-text.ts';

/** Whom a switch is for. */
export type Subject =
	| { readonly kind: 'agent'; readonly name: string }
	| { readonly kind: 'category'; readonly name: string }
	| { readonly kind: 'operator'; readonly name: string };

/** `limit`: named agents get only some paths; a category may read, and not train on, keep or rework what it reads. */
export type Access = 'allow' | 'limit' | 'block';

export interface SwitchRequest {
	readonly subject: Subject;
	readonly access: Access;
	/** For `limit` of an agent or operator: the paths that stay open. */
	readonly paths?: readonly string[] | undefined;
}

/** A policy file after a switch. */
export interface Switched {
	readonly text: string;
	/** What the edit did, or why nothing changed: a sentence for its author. */
	readonly sentence: string;
}

/** A switch that cannot be made, with the reason. */
export class SwitchFault extends Error {}

/**
 * Allows, limits or blocks an agent, a category or an operator in the text of a policy file. Comments, order and the
 * spelling of all other lines stay.
 *
 * @throws SwitchFault
 */
export function switchAccess(text: string, request: SwitchRequest, described: Config['identity']['agents']): Switched {
	const document = parseDocument(text);
	if (document.errors.length > 0) throw new SwitchFault('the file is not valid YAML: correct the marked lines first');
	if (document.contents !== null && !isMap(document.contents))
		throw new SwitchFault('the file holds no keys: begin with origin: https://example.com');
	const written = writerLike(text);
	const before = written(document);
	const { subject } = request;
	if (subject.kind === 'category') switchCategory(document, subject.name, request.access);
	else for (const name of namesOf(subject, described)) switchAgent(document, name, request);
	const after = written(document);
	if (before === after) return { text, sentence: `${subject.name} has this access already: nothing changed` };
	return { text: spliced(text, before, after), sentence: describe(request, described) };
}

/** Writes documents with the indentation of a text. */
function writerLike(text: string): (document: Document) => string {
	const [, blanks = '  '] = /^( {1,8})(?![ #-])\S/m.exec(text) ?? [];
	const indentSeq = !/^(?! *#)[^\n]*:[ ]*\n- /m.test(text);
	return (document) => document.toString({ lineWidth: 0, indent: blanks.length, indentSeq });
}

/** The author's text with the changed lines; the library's whole text where these do not mean the same. */
function spliced(text: string, before: string, after: string): string {
	const [from, to] = isPadded(text) ? [before, after] : [before, after].map(withoutPadding);
	const result = spliceText(text, from ?? before, to ?? after);
	const means = (yaml: string) => JSON.stringify(parseDocument(yaml).toJS());
	return means(result) === means(after) ? result : after;
}

/** The library pads lists as it pads maps: `[ "/" ]`. Authors rarely do. */
const isPadded = (text: string): boolean => /\[ /.test(text) && !/\[[^ ]/.test(text);
const withoutPadding = (text: string): string => text.replace(/\[ ("[^"\n]*"(?:, "[^"\n]*")*) \]/g, '[$1]');

/** The agents that a switch is for, by the names that a policy file takes. */
function namesOf(subject: Subject, described: readonly KnownAgent[]): string[] {
	if (subject.kind === 'agent') {
		if (!isAgentName(subject.name))
			throw new SwitchFault(
				`${subject.name} identifies no agent: use its product token, such as GPTBot, or its name in the catalogue`,
			);
		return [subject.name];
	}
	const names = agentsOf(subject.name, described).map(({ name, token }) => name ?? token);
	const known = [...new Set(names)].filter(isAgentName);
	if (known.length === 0) throw new SwitchFault(`no agent of ${subject.name} is known: name its agents one by one`);
	return known;
}

function agentsOf(operator: string, described: readonly KnownAgent[]): KnownAgent[] {
	return [...described, ...knownAgents].filter((agent) => agent.operator?.toLowerCase() === operator.toLowerCase());
}

const isAgentName = (name: string): boolean =>
	/^\w[\w.-]*(?: \w[\w.-]*)*$/.test(name) && !name.split(' ').every(isCommonToken);

function switchAgent(document: Document, name: string, { access, paths = [] }: SwitchRequest): void {
	const key = keyIn(document, ['paths', 'agents'], name);
	const at = ['paths', 'agents', key];
	if (access === 'allow') {
		allowAgent(document, at);
		return;
	}
	if (access === 'limit' && paths.length === 0)
		throw new SwitchFault(`name at least one path that ${name} may still fetch, such as /blog`);
	const allow = access === 'limit' ? paths : [];
	if (sameList(document.getIn([...at, 'disallow']), ['/']) && sameList(document.getIn([...at, 'allow']), allow)) return;
	const map = mapAt(document, at);
	if (allow.length > 0) map.set('allow', listOf(document, allow));
	else map.delete('allow');
	map.set('disallow', listOf(document, ['/']));
}

/** Without rules of its own, an agent has those of everybody. A comment on it keeps its place. */
function allowAgent(document: Document, at: readonly string[]): void {
	const map = document.getIn(at);
	if (!isMap(map)) return;
	map.delete('allow');
	map.delete('disallow');
	const agents = document.getIn(at.slice(0, -1)) as YAMLMap;
	const place = agents.items.findIndex(({ key }) => String(isScalar(key) ? key.value : key) === at.at(-1));
	const key = agents.items[place]?.key;
	const about = isScalar(key) ? [key.commentBefore, key.comment] : [];
	// The comment before the first agent is that of the whole map.
	const comments = [...about, map.comment, map.commentBefore, place === 0 ? agents.commentBefore : undefined];
	if (comments.some((comment) => comment)) map.flow = true;
	else agents.delete(at.at(-1));
	if (agents.items.length === 0) agents.flow = true;
}

/** Directives of robots2.txt that a switch of a category sets. */
const limits = { crawl: 'yes', read: 'yes', train: 'no', store: 'session-only', derivative: 'no' } as const;

function switchCategory(document: Document, name: string, access: Access): void {
	if (!(agentCategories as readonly string[]).includes(name))
		throw new SwitchFault(`${name} is not a category: use one of ${agentCategories.join(', ')}`);
	const at = ['categories', name];
	const value = (directive: string) => plain(document.getIn([...at, directive]));
	const general = (directive: string) => plain(document.getIn(['policy', directive]));
	const set = (directive: string, wanted: string | undefined) => {
		if (wanted === undefined) return void (value(directive) !== undefined && mapAt(document, at).delete(directive));
		if (value(directive) !== wanted) mapAt(document, at).set(directive, wanted);
	};
	if (access === 'block') {
		set('crawl', 'no');
		if (value('read') !== undefined) set('read', 'no');
		return;
	}
	if (access === 'limit') {
		for (const [directive, wanted] of Object.entries(limits)) set(directive, wanted);
		return;
	}
	// What everybody may do needs no line of its own.
	for (const directive of ['crawl', 'read']) set(directive, general(directive) === 'yes' ? undefined : 'yes');
	for (const directive of ['train', 'store', 'derivative'])
		if (value(directive) === limits[directive as keyof typeof limits]) set(directive, undefined);
	const map = document.getIn(at);
	if (isMap(map) && map.items.length === 0) map.flow = true;
}

/** `no` without quotes is a word in YAML 1.2, and a boolean in JSON. */
function plain(value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	return value === true ? 'yes' : value === false ? 'no' : String(value);
}

/** The map at a path, made with its parents where it is missing. A new map in a block is a block. */
function mapAt(document: Document, path: readonly string[]): YAMLMap {
	document.contents ??= document.createNode({}) as never;
	let map = document.contents as unknown as YAMLMap;
	for (const step of path) {
		let next = map.get(step, true) as unknown;
		if (!isMap(next)) {
			next = document.createNode({});
			(next as YAMLMap).flow = map.flow === true;
			map.set(step, next);
		}
		// An empty map is written as {}: with content, it is written as the map around it.
		else if ((next as YAMLMap).items.length === 0) (next as YAMLMap).flow = map.flow === true;
		map = next as YAMLMap;
	}
	return map;
}

/** A key as the file spells it: names of agents differ by more than case. */
function keyIn(document: Document, path: readonly string[], name: string): string {
	const map = document.getIn(path);
	if (!isMap(map)) return name;
	const keys = map.items.map(({ key }) => String(isScalar(key) ? key.value : key));
	return keys.find((key) => key.toLowerCase() === name.toLowerCase()) ?? name;
}

function listOf(document: Document, values: readonly string[]): unknown {
	const list = document.createNode(values, { flow: true }) as unknown as { items: { type: string }[] };
	for (const item of list.items) item.type = 'QUOTE_DOUBLE';
	return list;
}

function sameList(node: unknown, values: readonly string[]): boolean {
	const own = (node as { toJSON?: () => unknown } | undefined)?.toJSON?.() ?? [];
	return JSON.stringify(own) === JSON.stringify(values);
}

function describe({ subject, access, paths = [] }: SwitchRequest, described: readonly KnownAgent[]): string {
	const { kind, name } = subject;
	const who =
		kind === 'category'
			? `agents of the category ${name}`
			: kind === 'operator'
				? `the ${agentsOf(name, described).length} known agents of ${name}`
				: name;
	if (access === 'block') return `${who}: the whole site is now disallowed`;
	if (access === 'limit')
		return kind === 'category'
			? `${who} may read pages; they may not train on, keep or rework them`
			: `${who} may fetch only ${paths.join(', ')}`;
	const category = kind === 'agent' ? findAgentByToken(name)?.category : undefined;
	const rest = category === undefined ? '' : `, and those of its category ${category}`;
	return `${who} now has the rules of all agents${rest}`;
}
