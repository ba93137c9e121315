/** Signs and codes of money that may stand beside a number. */
const money =
	/(?:US|AU|CA|NZ|HK|[ACR])?\$|€|£|¥|₹|₩|₽|₺|₴|₪|฿|zł|kč|\bkr\.?|\bfr\.|\b(?:EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|CAD|AUD|NZD|INR|BRL|MXN|ZAR|SGD|HKD|KRW|TRY|ILS|RUB|RON|BGN|UAH|THB)\b/giu;

/** What may stand behind a price and changes nothing about it. */
const notes =
	/[*†]|\(?\b(?:incl?\.?|including|inkl\.?|zzgl\.?|plus|excl\.?|exkl\.?)\s*(?:of\s+)?(?:\d{1,2}\s?%\s*)?(?:vat|tax(?:es)?|mwst\.?|ust\.?|gst|tva|iva|shipping|versand\w*|delivery)\)?|\b(?:ttc|ht)\b/giu;

/** Signs that stand for one currency. */
const signs: readonly (readonly [RegExp, string])[] = [
	[/US\s?\$/, 'USD'],
	[/AU?\s?\$/, 'AUD'],
	[/CA?\s?\$/, 'CAD'],
	[/NZ\s?\$/, 'NZD'],
	[/HK\s?\$/, 'HKD'],
	[/R\$/, 'BRL'],
	[/€/, 'EUR'],
	[/£/, 'GBP'],
	[/₹/, 'INR'],
	[/₩/, 'KRW'],
	[/₽/, 'RUB'],
	[/₺/, 'TRY'],
	[/₴/, 'UAH'],
	[/₪/, 'ILS'],
	[/฿/, 'THB'],
	[/zł/i, 'PLN'],
	[/kč/i, 'CZK'],
];

/** Signs that several countries share: the language of the page must name one of them. */
const shared: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
	[
		/\$/,
		{ 'en-US': 'USD', 'es-US': 'USD', 'en-CA': 'CAD', 'fr-CA': 'CAD', 'en-AU': 'AUD', 'en-NZ': 'NZD', 'es-MX': 'MXN' },
	],
	[/¥/, { ja: 'JPY', 'ja-JP': 'JPY', zh: 'CNY', 'zh-CN': 'CNY' }],
	[
		/\bkr\.?(?!\p{L})/iu,
		{ sv: 'SEK', 'sv-SE': 'SEK', da: 'DKK', 'da-DK': 'DKK', nb: 'NOK', no: 'NOK', nn: 'NOK', 'nb-NO': 'NOK' },
	],
	[/\bfr\./i, { 'de-CH': 'CHF', 'fr-CH': 'CHF', 'it-CH': 'CHF' }],
];

const codes = new RegExp(`\\b(?:${money.source.match(/EUR[A-Z|]+/)?.[0] ?? ''})\\b`, 'g');

/** The currency that a text names by its code or by a sign; undefined where it could be several. */
export function currencyOf(text: string, language: string): string | undefined {
	const short = text.trim().slice(0, 200);
	if (/^[A-Z]{3}$/.test(short)) return short;
	const named = new Set(short.match(codes));
	if (named.size > 0) return named.size === 1 ? [...named][0] : undefined;
	let rest = short;
	const found = new Set<string>();
	for (const [sign, code] of signs)
		if (sign.test(rest)) {
			found.add(code);
			rest = rest.replace(sign, ' ');
		}
	for (const [sign, byLanguage] of shared)
		if (sign.test(rest)) {
			const code = Object.hasOwn(byLanguage, language) ? byLanguage[language] : undefined;
			if (code === undefined) return undefined;
			found.add(code);
		}
	return found.size === 1 ? [...found][0] : undefined;
}

export type NumberReading = { readonly value: number } | { readonly problem: string };

const isNo = (text: string): NumberReading => ({ problem: `${JSON.stringify(text.slice(0, 60))} is not a number` });

/**
 * Reads a text that is one number: `1299`, `1.299,00 €`, `CHF 12.–`. Further words are refused, but for `units`. Where a
 * mark could part thousands or decimals, the language decides; where it does not, the number is refused.
 *
 * @param isData whether the text is for machines, which write decimals with a point
 */
export function readNumber(text: string, language: string, units: ReadonlySet<string>, isData: boolean): NumberReading {
	if (text.length > 200) return isNo(text);
	const bare = text
		.replace(notes, ' ')
		.replace(money, ' ')
		.replace(/[\s\u00a0\u202f]+/g, ' ')
		.trim();
	const [, sign = '', digits, rest = ''] = /^([-−+]?)\s?(\d[\d.,'’ ]*)(.*)$/su.exec(bare) ?? [];
	if (digits === undefined) return isNo(text);
	const [, number = '', tail = ''] = /^(.*\d)([.,]?\s*)$/.exec(digits.trim()) ?? [];
	const end = `${tail}${rest}`.replace(/^[.,]\s?[-–—]{1,2}/, '').trim();
	if (!isUnit(end, units)) return isNo(text);
	const read = separated(number, language, isData);
	if ('problem' in read) return read;
	return { value: sign === '-' || sign === '−' ? -read.value : read.value };
}

/** Nothing, or words that the name of the field has too: `5 stars`, `250 kcal`. */
function isUnit(rest: string, units: ReadonlySet<string>): boolean {
	const words = rest
		.toLowerCase()
		.replace(/[().]/g, ' ')
		.split(/\s+/)
		.filter((word) => word !== '');
	return (
		words.length <= 2 &&
		words.every((word) => units.has(word) || units.has(word.replace(/s$/, '')) || units.has(`${word}s`))
	);
}

/** Digits with marks between them. */
function separated(number: string, language: string, isData: boolean): NumberReading {
	if (/^\d+$/.test(number)) return { value: Number(number) };
	const marks = number.replace(/\d/g, '').replaceAll('’', "'");
	const last = marks.at(-1) ?? '';
	const kinds = new Set(marks);
	const groups = number.split(/[.,'’ ]/);
	const areThousands = (parts: readonly string[]) =>
		/^\d{1,3}$/.test(parts[0] ?? '') &&
		parts.slice(1).every((part, index, all) => part.length === 3 || (part.length === 2 && index < all.length - 1));
	const whole = (parts: readonly string[]) => Number(parts.join(''));
	if (kinds.size > 2) return isNo(number);
	if (kinds.size === 2) {
		const isLastOnce = marks.indexOf(last) === marks.length - 1;
		if (!isLastOnce || !areThousands(groups.slice(0, -1)) || last === ' ' || last === "'") return isNo(number);
		return { value: Number(`${whole(groups.slice(0, -1))}.${groups.at(-1)}`) };
	}
	if (marks.length > 1) return areThousands(groups) ? { value: whole(groups) } : isNo(number);
	const decimal = Number(groups.join('.'));
	if (last === ' ' || last === "'") return areThousands(groups) ? { value: whole(groups) } : isNo(number);
	if (groups[1]?.length !== 3 || !areThousands(groups)) return { value: decimal };
	return oneMark(number, last, groups, language, isData);
}

/** `1.299` and `1,299`. */
function oneMark(
	number: string,
	mark: string,
	groups: readonly string[],
	language: string,
	isData: boolean,
): NumberReading {
	const point = decimalMark(language);
	const asDecimal = { value: Number(groups.join('.')) };
	// `0,125` has no thousands.
	if (/^0/.test(number)) return asDecimal;
	const byLanguage = point === undefined ? undefined : point === mark ? asDecimal : { value: Number(groups.join('')) };
	const byForm = isData && mark === '.' ? asDecimal : undefined;
	const readings = new Set([byLanguage, byForm].filter((one) => one !== undefined).map(({ value }) => value));
	const [value] = readings;
	if (readings.size === 1 && value !== undefined) return { value };
	return {
		problem: `${number} is ${groups.join('')} or ${groups.join('.')}: the language of the page does not say which`,
	};
}

/** The decimal mark of a language; undefined if it is unknown. */
function decimalMark(language: string): string | undefined {
	if (!/^[a-z]{2,3}(?:-|$)/i.test(language)) return undefined;
	try {
		// Of a language that it does not know, the engine would take its own.
		if (Intl.NumberFormat.supportedLocalesOf(language).length === 0) return undefined;
		return new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
	} catch {
		return undefined;
	}
}
