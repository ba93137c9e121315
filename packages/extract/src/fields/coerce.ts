import { parseDate } from '../metadata/dates.ts';
import { cleanText, comparable } from '../metadata/text.ts';
import { absoluteUrl } from '../metadata/urls.ts';
import { durationOf, secondsOf } from './durations.ts';
import type { ScalarNode } from './nodes.ts';
import { currencyOf, readNumber } from './numbers.ts';

/** A value as a page has it. */
export interface Found {
	readonly raw: string | number | boolean;
	/** Written for machines: JSON-LD, meta tags, attributes. */
	readonly isData: boolean;
}

/** What is known of the page. */
export interface Setting {
	/** BCP 47; empty if the page does not say. */
	readonly language: string;
	/** Base of relative addresses. */
	readonly base: string;
}

export type Coerced = { readonly value: string | number | boolean } | { readonly problem: string };

/** Strings of a page that are longer would be cut. */
const maxText = 100_000;

/** The value in the type of its schema, if nothing of it gets lost; else the reason. */
export function coerce(node: ScalarNode, found: Found, setting: Setting): Coerced {
	const read = convert(node, found, setting);
	if ('problem' in read) return read;
	const problem = checkValue(node, read.value);
	return problem === undefined ? read : { problem };
}

function convert(node: ScalarNode, found: Found, setting: Setting): Coerced {
	const { raw } = found;
	if (typeof raw === 'string' && raw.length > maxText) return { problem: `it has more than ${maxText} characters` };
	if (node.choices !== undefined && typeof raw !== 'boolean') {
		const choice = chosen(node, String(raw), setting);
		if (choice !== undefined) return { value: choice };
	}
	switch (node.type) {
		case 'boolean':
			return booleanOf(found);
		case 'number':
		case 'integer':
			return numberOf(node, found, setting);
		default:
			return textOf(node, found, setting);
	}
}

/** schema.org/InStock → InStock. */
const term = /^https?:\/\/(?:www\.)?schema\.org\/(\w+)$/;

/** The one choice that a text names: by its letters and digits, or as a term of schema.org. */
function chosen(node: ScalarNode, raw: string, { language }: Setting): string | number | undefined {
	const choices = node.choices?.filter((choice) => typeof choice === 'string') ?? [];
	const text = raw.trim().slice(0, 200);
	if (choices.includes(text)) return text;
	const written = comparable(term.exec(text)?.[1] ?? text);
	// Open Graph's word for it.
	const name = written === 'oos' ? 'outofstock' : written;
	const equal = name === '' ? [] : choices.filter((choice) => comparable(choice) === name);
	if (equal.length === 1) return equal[0];
	const currency = isCurrency(node) ? currencyOf(text, language) : undefined;
	return currency !== undefined && choices.includes(currency) ? currency : undefined;
}

const isCurrency = ({ naming }: ScalarNode): boolean => naming.words.has('currency');

const states: Readonly<Record<string, boolean>> = {
	true: true,
	yes: true,
	ja: true,
	oui: true,
	sí: true,
	false: false,
	no: false,
	nein: false,
	non: false,
	// Availability (schema.org/ItemAvailability).
	instock: true,
	available: true,
	onlineonly: true,
	instoreonly: true,
	limitedavailability: true,
	outofstock: false,
	oos: false,
	soldout: false,
	unavailable: false,
	discontinued: false,
	// Places of work (schema.org/jobLocationType).
	telecommute: true,
	remote: true,
	...wordsFor(
		true,
		'in stock|auf lager|lieferbar|sofort lieferbar|verfügbar|vorrätig|en stock|disponible|disponibile|op voorraad|i lager|finns i lager|på lager|varastossa|w magazynie|dostępny|skladem|em estoque|disponível|在庫あり|有货|有貨',
	),
	...wordsFor(
		false,
		'out of stock|sold out|not available|ausverkauft|nicht lieferbar|nicht verfügbar|nicht vorrätig|rupture de stock|en rupture de stock|épuisé|indisponible|agotado|no disponible|esaurito|non disponibile|niet op voorraad|uitverkocht|slut i lager|slutsåld|udsolgt|utsolgt|loppunut|brak w magazynie|niedostępny|není skladem|vyprodáno|esgotado|indisponível|在庫なし|品切れ|缺货|缺貨',
	),
};

function wordsFor(state: boolean, words: string): Readonly<Record<string, boolean>> {
	return Object.fromEntries(words.split('|').map((word) => [word, state]));
}

function booleanOf({ raw }: Found): Coerced {
	if (typeof raw === 'boolean') return { value: raw };
	const text = String(raw).trim().toLowerCase();
	const name = term.exec(String(raw).trim())?.[1]?.toLowerCase() ?? text;
	const value = Object.hasOwn(states, name) ? states[name] : undefined;
	return value === undefined ? { problem: `${quoted(raw)} is neither true nor false` } : { value };
}

const timeUnits: readonly (readonly [RegExp, number])[] = [
	[/^(?:minutes?|mins?)$/, 60],
	[/^(?:hours?|hrs?)$/, 3600],
	[/^(?:seconds?|secs?)$/, 1],
];

function numberOf(node: ScalarNode, { raw, isData }: Found, { language }: Setting): Coerced {
	if (typeof raw === 'boolean') return { problem: `${raw} is not a number` };
	const read =
		typeof raw === 'number'
			? { value: raw }
			: (inUnit(node, raw) ?? readNumber(raw, language, node.naming.words, isData));
	if ('problem' in read) return read;
	if (!Number.isFinite(read.value) || Math.abs(read.value) > Number.MAX_SAFE_INTEGER)
		return { problem: `${quoted(raw)} is too large for a number` };
	return node.type === 'integer' && !Number.isInteger(read.value)
		? { problem: `${read.value} is not a whole number` }
		: read;
}

/** `PT1H30M` as `cookTimeMinutes`. */
function inUnit({ naming }: ScalarNode, raw: string): { value: number } | undefined {
	const [, unit] = timeUnits.find(([pattern]) => [...naming.words].some((word) => pattern.test(word))) ?? [];
	const duration = unit === undefined ? undefined : durationOf(raw);
	const length = duration === undefined ? undefined : secondsOf(duration);
	return unit === undefined || length === undefined ? undefined : { value: length / unit };
}

function textOf(node: ScalarNode, { raw }: Found, { language, base }: Setting): Coerced {
	if (typeof raw === 'boolean') return { problem: `${raw} is not a text` };
	const text = cleanAll(String(raw));
	if (text === '') return { problem: 'it is empty' };
	if (node.format === undefined) {
		const currency = isCurrency(node) ? currencyOf(text, language) : undefined;
		if (isCurrency(node))
			return currency === undefined ? { problem: `${quoted(raw)} does not name one currency` } : { value: currency };
		return { value: term.exec(text)?.[1] ?? text };
	}
	const value = formatted(node.format, text, language, base);
	return value === undefined ? { problem: `${quoted(raw)} is not ${a(node.format)}` } : { value };
}

/** `cleanText` reads the first 20,000 characters: longer texts keep their markup. */
const cleanAll = (text: string): string => (text.length > 20_000 ? text.trim() : (cleanText(text) ?? ''));

function formatted(format: string, text: string, language: string, base: string): string | undefined {
	switch (format) {
		case 'date':
			return dateOf(text, language);
		case 'date-time':
			return dateTimeOf(text);
		case 'duration':
			return durationOf(text);
		case 'time':
			// Hours, minutes, seconds and a zone (RFC 3339 §5.6 full-time, with seconds optional).
			return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? text : undefined;
		case 'email': {
			const address = text.replace(/^mailto:/i, '').replace(/\?.*$/, '');
			// A local part and a domain of at least two labels, each bounded.
			return /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}$/i.test(address)
				? address
				: undefined;
		}
		default:
			return /\s/.test(text) ? undefined : absoluteUrl(text, base);
	}
}

const isoDay = /^\d{4}-\d{2}-\d{2}/;
/** Day and month could be swapped. */
const swappable = /^\D*(\d{1,2})([./-])(\d{1,2})\2\d{2,4}\b/;

/** A day. Of a date with a time it is the part before the time; the text with the time stays as `raw`. */
function dateOf(text: string, language: string): string | undefined {
	if (text.length > 60 || (text.match(/(?<!\d)(?:1[5-9]|2[01])\d{2}(?!\d)/g) ?? []).length > 1) return undefined;
	const [, first, mark, second] = swappable.exec(text) ?? [];
	const isOpen = Number(first) <= 12 && Number(second) <= 12 && first !== second && mark === '/';
	if (isOpen && (language === '' || language === 'en')) return undefined;
	const date = parseDate(text, language);
	return date === undefined || !isoDay.test(date) ? undefined : date.slice(0, 10);
}

/** A moment with its time zone (RFC 3339 §5.6); nothing is added that the page does not say. */
function dateTimeOf(text: string): string | undefined {
	const [, date, time, seconds = ':00', zone] =
		/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})$/i.exec(text) ?? [];
	if (zone === undefined || parseDate(date) !== date || Number.isNaN(Date.parse(`${date}T${time}${seconds}Z`)))
		return undefined;
	return `${date}T${time}${seconds}${zone.toUpperCase().replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2')}`;
}

/** The first keyword that a value does not satisfy, in words. */
function checkValue(node: ScalarNode, value: string | number | boolean): string | undefined {
	const { choices } = node;
	if (choices !== undefined && !choices.includes(value))
		return `${quoted(value)} is not among the values of the schema`;
	if (typeof value === 'string') return checkText(node, value);
	return typeof value === 'number' ? checkNumber(node, value) : undefined;
}

function checkText({ minLength, maxLength, pattern }: ScalarNode, value: string): string | undefined {
	// Characters, not code units (JSON Schema Validation §6.3).
	const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
	if (minLength !== undefined && length < minLength) return `it has ${length} characters, fewer than ${minLength}`;
	if (maxLength !== undefined && length > maxLength) return `it has ${length} characters, more than ${maxLength}`;
	return pattern !== undefined && !pattern.test(value)
		? `${quoted(value)} does not match ${pattern.source}`
		: undefined;
}

function checkNumber(node: ScalarNode, value: number): string | undefined {
	const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = node;
	if (minimum !== undefined && value < minimum) return `${value} is less than ${minimum}`;
	if (maximum !== undefined && value > maximum) return `${value} is more than ${maximum}`;
	if (above !== undefined && value <= above) return `${value} is not more than ${above}`;
	if (below !== undefined && value >= below) return `${value} is not less than ${below}`;
	if (multipleOf === undefined) return undefined;
	const times = value / multipleOf;
	return Number.isInteger(times) ? undefined : `${value} is not a multiple of ${multipleOf}`;
}

const a = (format: string): string => ({ email: 'an email address', uri: 'an address' })[format] ?? `a ${format}`;

const quoted = (raw: unknown): string => (JSON.stringify(raw) ?? '').slice(0, 80);
