import { parseUrl } from '../url/parse-url.ts';

/** Kinds of directives; quality signals, `report-to` and `chain` always apply to the whole file. */
export type DirectiveKind = 'permission' | 'behaviour' | 'market' | 'quality' | 'report-to' | 'chain';

interface Directive {
	readonly kind: DirectiveKind;
	/** The fixed values, strictest first; without them any text is a value. */
	readonly values?: readonly string[];
	/** For this permission silence means no, once there is a robots2.txt. */
	readonly silentIsNo?: true;
}

const yesNoAsk = ['no', 'ask', 'yes'] as const;
const yesNo = ['no', 'yes'] as const;
const wish = ['required', 'preferred', 'none'] as const;
const share = ['yes', 'partial', 'no'] as const;

/** Every directive of robots2.txt 0.2.1 ("Quick reference"), in the order of the draft. */
export const directives = {
	crawl: { kind: 'permission', values: yesNoAsk },
	read: { kind: 'permission', values: yesNoAsk },
	summarise: { kind: 'permission', values: yesNoAsk },
	quote: { kind: 'permission', values: ['no', 'short-only', 'yes'] },
	derivative: { kind: 'permission', values: yesNoAsk, silentIsNo: true },
	train: { kind: 'permission', values: yesNoAsk, silentIsNo: true },
	store: { kind: 'permission', values: ['no', 'session-only', 'yes'] },
	compete: { kind: 'permission', values: yesNo, silentIsNo: true },
	market: { kind: 'market' },
	personalise: { kind: 'permission', values: yesNo, silentIsNo: true },
	monetise: { kind: 'permission', values: yesNoAsk, silentIsNo: true },
	attribution: { kind: 'behaviour', values: wish },
	'link-back': { kind: 'behaviour', values: wish },
	rate: { kind: 'behaviour' },
	announce: { kind: 'behaviour', values: ['yes', 'no'] },
	honest: { kind: 'behaviour', values: ['yes'] },
	'content-type': {
		kind: 'quality',
		values: ['opinion', 'news', 'reference', 'satire', 'commercial', 'research', 'personal'],
	},
	editorialised: { kind: 'quality', values: share },
	'ai-assisted': { kind: 'quality', values: share },
	'primary-language': { kind: 'quality' },
	'report-to': { kind: 'report-to' },
	chain: { kind: 'chain' },
} as const satisfies Record<string, Directive>;

export type DirectiveName = keyof typeof directives;
type OfKind<Kind extends DirectiveKind> = {
	[Name in DirectiveName]: (typeof directives)[Name]['kind'] extends Kind ? Name : never;
}[DirectiveName];

/** A directive that says what an agent may do. */
export type PermissionName = OfKind<'permission'>;
/** A directive that an `[agent: …]` section may override. */
export type PolicyName = OfKind<'permission' | 'behaviour' | 'market'>;
/** Declarations of a site about its own content. */
export type QualityName = OfKind<'quality'>;

export const directiveNames = Object.keys(directives) as readonly DirectiveName[];
const named = (wanted: readonly DirectiveKind[]) =>
	directiveNames.filter((name) => wanted.includes(directives[name].kind));
export const permissionNames = named(['permission']) as readonly PermissionName[];
export const policyNames = named(['permission', 'behaviour', 'market']) as readonly PolicyName[];
export const qualityNames = named(['quality']) as readonly QualityName[];

/** American spellings are read, never written. */
const british: Readonly<Record<string, DirectiveName>> = {
	summarize: 'summarise',
	personalize: 'personalise',
	monetize: 'monetise',
	editorialized: 'editorialised',
};

/** Directives of a later version than the implemented one, in a file that declares that version. */
export const isLaterDirective = (written: string, specVersion: string | undefined): boolean =>
	/^age-rating$/i.test(written) && Number.parseFloat(specVersion ?? '') >= 2.1;

/** The directive that `written` names, in any case and either spelling. */
export function directiveNamed(written: string): DirectiveName | undefined {
	const name = written.toLowerCase();
	if (Object.hasOwn(directives, name)) return name as DirectiveName;
	return Object.hasOwn(british, name) ? british[name] : undefined;
}

export function directive(name: DirectiveName): Directive {
	return directives[name];
}

/** `written` as the draft spells it, or undefined where the directive does not take it. */
export function readValue(name: DirectiveName, written: string): string | undefined {
	const { values } = directive(name);
	if (values) return values.find((value) => value === written.toLowerCase());
	if (name === 'rate') return readRate(written);
	if (name === 'primary-language') return languageTag.test(written) ? written : undefined;
	if (name === 'report-to') return isUrlOrAddress(written) ? written : undefined;
	if (name === 'chain') return parseUrl(written) && written;
	return written === '' ? undefined : written;
}

/** The shape of RFC 5646 §2.1: a language and its subtags. */
const languageTag = /^(?:[a-z]{2,8}|x)(?:-[a-z0-9]{1,8})*$/i;

/** A number of requests a minute, or `polite`; negative and broken numbers are no value. */
function readRate(written: string): string | undefined {
	if (/^\+?\d{1,9}$/.test(written)) return String(Number(written));
	return written.toLowerCase() === 'polite' ? 'polite' : undefined;
}

function isUrlOrAddress(written: string): boolean {
	return /^(?:https?:\/\/|mailto:)/i.test(written)
		? parseUrl(written) !== undefined
		: /^[^\s@/:]+@[^\s@/:]+$/.test(written);
}

/** How strict a value is: 0 is the strictest. Of several markets, types or languages none is. */
export function looseness(name: DirectiveName, value: string): number {
	if (name === 'rate') return value === 'polite' ? Number.POSITIVE_INFINITY : Number(value);
	return directive(name).values?.indexOf(value) ?? 0;
}
