import type { Evidence } from '../../evidence.ts';
import { error, makerOf, type Place, warning } from '../../internal/problem-maker.ts';
import type { Parsed, Problem } from '../../problem.ts';
import { headerValues } from '../../robots2/header-fields.ts';
import { isIndexer, onlyIndexes } from '../agent-roles.ts';
import { fold, foldStatements } from '../fold.ts';
import type { PathFile } from '../path-files.ts';
import type { Agent, PageSignals, Statement } from '../types.ts';
import { needRead, type Use } from '../uses.ts';
import { groupRecords, onlyDenied, recordEvidence, statement } from './group-records.ts';
import { defineVocabulary } from './vocabulary.ts';

const problems = {
	'content-signal-malformed': warning('Content-Signal {text} is not in the form key=value and is ignored'),
	'content-signal-unknown-key': warning('Content-Signal has no key {key}; it is ignored'),
	'content-signal-unknown-value': error('{key} must be {values}; {value} is ignored'),
};
type SignalCode = keyof typeof problems;
const signalProblem = makerOf(problems);

/** Signals by subject, without paths, and a level as the ceiling of all uses. */
export const contentSignal = defineVocabulary({
	name: 'content-signal',
	title: 'Content-Signal',
	specification: 'draft-romm-aipref-contentsignals',
	problems,
	records: {
		'content-signal': {
			check: (value, at) => parseContentSignal(value, at).problems,
		},
	},
	headers: [{ field: 'content-signal', repeats: 'site-wins' }],
	prepare({ agent, robots }) {
		const files = robots.map(readRecords).filter(({ length }) => length > 0);
		return {
			site: files.length > 0 ? prepareRecords(files, agent) : undefined,
			response(use, page) {
				const subject = subjectOf(use, agent);
				if (subject === undefined && !leveledUses.has(use)) return [];
				const stated = readHeaders(page);
				const signals = subject === undefined ? [] : counted(statementsOf(stated, subject), use);
				return foldStatements([...signals, ...ofLevels(stated.flatMap(levelOf), use)]);
			},
		};
	},
	publish: {
		option: 'contentSignal',
		statements(policy) {
			const read = policy.valueForAll('read');
			const values: Readonly<Record<SignalName, string | undefined>> = {
				search: policy.value('crawl', 'search-indexer'),
				'ai-input': read === 'yes' && policy.valueForAll('summarise') !== 'yes' ? undefined : read,
				'ai-train': policy.valueForAll('train'),
			};
			const members = signalNames.filter((name) => values[name] === 'yes' || values[name] === 'no');
			if (members.length === 0) return undefined;
			const value = members.map((name) => `${name}=${values[name]}`).join(', ');
			return { records: { 'Content-Signal': value }, headers: { 'content-signal': value } };
		},
	},
});

function prepareRecords(files: readonly (readonly Stated[])[], agent: Agent): (use: Use) => readonly Statement[] {
	const levels = files.flatMap((records) => fold(records.flatMap(levelOf), ({ level }) => level));
	const bySubject = new Map(
		signalNames.map((name) => [
			name,
			files.flatMap((records) => fold(statementsOf(records, name), ({ effect }) => effect)),
		]),
	);
	return (use) => {
		const subject = subjectOf(use, agent);
		const signals = subject === undefined ? [] : (bySubject.get(subject) ?? []);
		return [...counted(signals, use), ...ofLevels(levels, use)];
	};
}

function subjectOf(use: Use, agent: Agent): SignalName | undefined {
	if (use === 'crawl') return isIndexer(agent) ? 'search' : undefined;
	if (use === 'train') return 'ai-train';
	if (use === 'read' || use === 'summarise') return 'ai-input';
	// An excerpt in search results belongs to `search`.
	return needRead.has(use) && !(use === 'quote' && onlyIndexes(agent)) ? 'ai-input' : undefined;
}

/** Uses that a signal permits; other uses only need what the signal is about, so its yes is not enough. */
const permitted: ReadonlySet<Use> = new Set(['crawl', 'train', 'read', 'summarise']);

const counted = (signals: readonly Statement[], use: Use): readonly Statement[] =>
	permitted.has(use) ? signals : signals.filter(({ effect }) => effect !== 'allow');

interface Stated {
	readonly signals: ContentSignals;
	readonly evidence: Evidence;
}

function readRecords(file: PathFile): Stated[] {
	return groupRecords(file, 'content-signal').map(({ record, outside }) => {
		const { use, ...effects } = parseContentSignal(record.value).value;
		// A level only restricts, so it counts in any place.
		const signals = { ...(outside ? onlyDenied(effects) : effects), ...(use && { use }) };
		return { signals, evidence: recordEvidence(file.source, record, 'content-signal') };
	});
}

function readHeaders({ source, headers = [] }: PageSignals): Stated[] {
	return headerValues(headers, 'content-signal').map((value) => ({
		signals: parseContentSignal(value).value,
		evidence: { source, line: 0, text: `Content-Signal: ${value}`, mechanism: 'content-signal' },
	}));
}

function statementsOf(stated: readonly Stated[], subject: SignalName): Statement[] {
	return stated.flatMap(({ signals, evidence }) => statement(signals[subject], evidence));
}

interface Level {
	readonly level: UseLevel;
	readonly evidence: Evidence;
}

function levelOf({ signals: { use: level }, evidence }: Stated): Level[] {
	return level === undefined ? [] : [{ level, evidence }];
}

/** A level below a use forbids it; the others are only reported, since a ceiling permits nothing. */
function ofLevels(levels: readonly Level[], use: Use): Statement[] {
	if (levels.length === 0 || !leveledUses.has(use)) return [];
	return levels.map(({ level, evidence }) => ({
		effect: aboveLevel[level].includes(use) ? 'deny' : 'silent',
		evidence,
	}));
}

/** The subjects of signals (draft-romm-aipref-contentsignals). */
export const signalNames = ['search', 'ai-input', 'ai-train'] as const;
export type SignalName = (typeof signalNames)[number];

/**
 * The levels of `use=`, lowest first. `immediate`: nothing is kept after the answer. `reference`: index, quote and
 * link. `full`: summarise and reproduce. A level is a ceiling: it forbids everything above it and permits nothing.
 */
export const useLevels = ['immediate', 'reference', 'full'] as const;
export type UseLevel = (typeof useLevels)[number];

/** Uses that each level forbids. */
const aboveLevel: Readonly<Record<UseLevel, readonly Use[]>> = {
	immediate: ['store', 'summarise', 'derivative', 'train'],
	reference: ['summarise', 'derivative', 'train'],
	full: [],
};

const leveledUses: ReadonlySet<Use> = new Set(useLevels.flatMap((level) => aboveLevel[level]));

/** The value of each signal; absent neither grants nor restricts. */
export type ContentSignals = Readonly<Partial<Record<SignalName, 'allow' | 'deny'>>> & { readonly use?: UseLevel };

type Draft = { -readonly [Name in keyof ContentSignals]: ContentSignals[Name] };

/**
 * Reads the value of `Content-Signal`: `search=yes, ai-train=no, use=reference`, in any case. If a signal
 * occurs twice, no wins; of two levels the lower one.
 */
export function parseContentSignal(
	text: string,
	at: Place = { line: 1, column: 1 },
): Parsed<ContentSignals, SignalCode> {
	const value: Draft = {};
	const problems: Problem<SignalCode>[] = [];
	let column = at.column;
	for (const part of text.split(',')) {
		const place = { line: at.line, column: column + part.length - part.trimStart().length };
		column += part.length + 1;
		const member = part.trim().toLowerCase();
		if (member === '') continue;
		const [key = '', said] = member.split('=', 2).map((side) => side.trim());
		if (said === undefined) problems.push(signalProblem('content-signal-malformed', place, { text: part.trim() }));
		else if (key === 'use') takeLevel(value, said, place, problems);
		else takeSignal(value, key, said, place, problems);
	}
	return { value, problems };
}

function takeSignal(value: Draft, key: string, said: string, place: Place, problems: Problem<SignalCode>[]): void {
	const name = signalNames.find((known) => known === key);
	if (!name) problems.push(signalProblem('content-signal-unknown-key', place, { key }));
	else if (said === 'no') value[name] = 'deny';
	else if (said === 'yes') value[name] ??= 'allow';
	else problems.push(signalProblem('content-signal-unknown-value', place, { key, value: said, values: 'yes or no' }));
}

function takeLevel(value: Draft, said: string, place: Place, problems: Problem<SignalCode>[]): void {
	const level = useLevels.find((known) => known === said);
	const before = value.use;
	if (!level) {
		const values = useLevels.join(', ');
		problems.push(signalProblem('content-signal-unknown-value', place, { key: 'use', value: said, values }));
	} else if (before === undefined || useLevels.indexOf(level) < useLevels.indexOf(before)) value.use = level;
}
