import { somRequestUrl } from './request.ts';
import { type SomDeclaration, type SomDeclarations, type SomLayer, somLayers } from './types.ts';
import { type SomAuth, type SomFormat, type SomScope, somDefaults } from './values.ts';

/** A representation of one page, and how it may be fetched and kept. */
export interface SomOffer {
	/** URL to request. */
	readonly url: string;
	/** The endpoint or representation as the layer names it: its origin has to be trusted before the request. */
	readonly endpoint: string;
	readonly format: SomFormat;
	readonly scope: SomScope;
	/** How long a stored representation may be used, in seconds; HTTP caching may shorten it. */
	readonly freshness: number;
	readonly auth: SomAuth;
	/** Advisory, in tokens of cl100k_base: a larger document is accepted all the same. */
	readonly tokenBudget?: number;
	/** Tokens of this very page, where Schema.org markup tells. */
	readonly tokenCount?: number;
	/** The layer of each value; missing ones are defaults. */
	readonly layers: Readonly<Partial<Record<keyof SomDeclaration, SomLayer>>>;
}

/** Why what is offered cannot be used. */
export type SomRefusal = 'format-unknown' | 'auth-required' | 'not-https' | 'page-url-invalid';

/** An offer, or why it cannot be used; neither where no layer names an endpoint, whatever else it says (SOM-03). */
export interface SomResolution {
	readonly offer?: SomOffer;
	readonly refusal?: SomRefusal;
}

export interface ResolveSomOptions {
	/** The page may not be fetched: only robots.txt counts, as nothing else can have been seen. */
	readonly pageDisallowed?: boolean;
	/** Also plain http: for loopback and tests. */
	readonly allowHttp?: boolean;
	/** The kinds of authentication that we have credentials for. */
	readonly credentials?: readonly SomAuth[];
}

/**
 * Puts the layers together, field by field: target, format and scope each come from the highest layer that
 * states it, freshness and budget from robots.txt, the rest from the defaults. An endpoint whose format is unknown is
 * not used. Whether the endpoint may speak for the site is another question: `somEndpointRelation`.
 */
export function resolveSom(
	declarations: SomDeclarations,
	pageUrl: string,
	options: ResolveSomOptions = {},
): SomResolution {
	const order: readonly SomLayer[] = options.pageDisallowed ? ['robots'] : somLayers;
	const target = highest(declarations, order, 'target');
	if (target === undefined) return {};
	const format = highest(declarations, order, 'format');
	const auth = highest(declarations, order, 'auth');
	if (format !== undefined && format.value === undefined) return { refusal: 'format-unknown' };
	const kind = auth === undefined ? somDefaults.auth : auth.value;
	if (kind === undefined || (kind !== 'none' && !options.credentials?.includes(kind)))
		return { refusal: 'auth-required' };
	if (!options.allowHttp && !target.value.url.startsWith('https:')) return { refusal: 'not-https' };
	const { url: endpoint } = target.value;
	const url = target.value.kind === 'endpoint' ? somRequestUrl(endpoint, pageUrl) : endpoint;
	if (url === undefined) return { refusal: 'page-url-invalid' };
	const scope = highest(declarations, order, 'scope');
	const { freshness, tokenBudget } = declarations.robots ?? {};
	const tokenCount = highest(declarations, order, 'tokenCount');
	return {
		offer: {
			url,
			endpoint,
			format: format?.value ?? somDefaults.format,
			scope: scope?.value ?? somDefaults.scope,
			freshness: freshness?.value ?? somDefaults.freshness,
			auth: kind,
			...(tokenBudget && { tokenBudget: tokenBudget.value }),
			...(tokenCount && { tokenCount: tokenCount.value }),
			layers: {
				target: target.layer,
				...(format && { format: format.layer }),
				...(scope && { scope: scope.layer }),
				...(auth && { auth: auth.layer }),
				...(freshness && { freshness: 'robots' }),
				...(tokenBudget && { tokenBudget: 'robots' }),
				...(tokenCount && { tokenCount: tokenCount.layer }),
			},
		},
	};
}

type Value<Field extends keyof SomDeclaration> = NonNullable<SomDeclaration[Field]>['value'];

function highest<Field extends keyof SomDeclaration>(
	declarations: SomDeclarations,
	order: readonly SomLayer[],
	field: Field,
): { readonly value: Value<Field>; readonly layer: SomLayer } | undefined {
	for (const layer of order) {
		const stated = declarations[layer]?.[field];
		if (stated !== undefined) return { value: stated.value as Value<Field>, layer };
	}
	return undefined;
}
