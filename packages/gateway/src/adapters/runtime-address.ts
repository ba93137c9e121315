/** Where the runtimes on which Hono runs keep the address of the peer, in what they hand over as `env`. */
interface RuntimeEnv {
	/** `@hono/node-server` */
	readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
	/** Bun hands over its server, or an object that has it. */
	readonly requestIP?: (request: Request) => { readonly address?: string } | null;
	readonly server?: Pick<RuntimeEnv, 'requestIP'>;
	/** `Deno.serve` */
	readonly remoteAddr?: { readonly hostname?: string };
	/** AWS Lambda: API Gateway version 1, and version 2 or a function URL. */
	readonly requestContext?: {
		readonly identity?: { readonly sourceIp?: string };
		readonly http?: { readonly sourceIp?: string };
	};
	/** Netlify */
	readonly context?: { readonly ip?: string };
}

let warned = false;

/** The address of the peer as the runtime knows it; undefined where it does not, which a warning says once. */
export function runtimeAddress(request: Request, given: unknown): string | undefined {
	const env: RuntimeEnv = typeof given === 'object' && given !== null ? given : {};
	const bun = env.requestIP === undefined ? env.server : env;
	const found =
		env.incoming?.socket?.remoteAddress ??
		bun?.requestIP?.(request)?.address ??
		env.remoteAddr?.hostname ??
		env.requestContext?.identity?.sourceIp ??
		env.requestContext?.http?.sourceIp ??
		env.context?.ip ??
		// Workers set `cf`, which no client can, and then this header is theirs.
		('cf' in request && request.cf !== undefined ? request.headers.get('cf-connecting-ip') : undefined) ??
		undefined;
	if (found === undefined && !warned) {
		warned = true;
		console.warn(
			'honoGateway: this runtime does not expose client addresses, so no agent can be verified and all clients share one rate limit. Pass the address: honoGateway(gateway, (c) => …)',
		);
	}
	return found;
}
