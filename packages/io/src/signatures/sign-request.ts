import { randomBytes } from 'node:crypto';
import { component, createSignature } from 'http-message-sig';
import { directoryOrigin } from './agent-field.ts';
import type { SigningKey } from './keys.ts';

/** The tag by which a signature says that it identifies automated traffic (Web Bot Auth). */
export const webBotAuthTag = 'web-bot-auth';

export interface SignRequestOptions {
	/** The https origin under which the key is published; sent as Signature-Agent, and covered. */
	readonly agent: string;
	/** Seconds since 1970; no more than a day apart, and better a few minutes. */
	readonly created: number;
	readonly expires: number;
	/** Makes the signature good for one request. Default: random. */
	readonly nonce?: string;
	/** Default `sig1`. */
	readonly label?: string;
}

/** Headers to send with the request. */
export interface RequestSignature {
	readonly 'signature-agent': string;
	readonly signature: string;
	readonly 'signature-input': string;
}

/**
 * Signs a request as a known agent (Web Bot Auth: RFC 9421 with `@authority` and Signature-Agent covered), so that a
 * site can tell who calls, from whatever address.
 *
 * @throws TypeError when `agent` is not an https origin, or the URL is invalid.
 */
export async function signRequest(
	request: { readonly method: string; readonly url: string },
	key: SigningKey,
	{ agent, created, expires, nonce = randomBytes(32).toString('base64'), label = 'sig1' }: SignRequestOptions,
): Promise<RequestSignature> {
	const origin = directoryOrigin(agent);
	if (origin === undefined) throw new TypeError(`not an https origin: ${JSON.stringify(agent)}`);
	const { href } = new URL(request.url);
	const signatureAgent = `${label}="${origin}"`;
	const { signature, signatureInput } = await createSignature(
		{
			kind: 'request',
			method: request.method,
			targetUri: href,
			fields: [{ name: 'signature-agent', value: signatureAgent }],
		},
		{
			label,
			components: ['@authority', component('signature-agent', { key: label })],
			parameters: { created, keyid: key.keyId, alg: key.signer.algorithm, expires, nonce, tag: webBotAuthTag },
			signer: key.signer,
		},
	);
	return { 'signature-agent': signatureAgent, signature, 'signature-input': signatureInput };
}
