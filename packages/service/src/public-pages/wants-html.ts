import Negotiator from 'negotiator';

/** Whether the client prefers HTML to JSON, as browsers do. Programs that accept anything get JSON. */
export function wantsHtml(accept: string | undefined): boolean {
	const negotiator = new Negotiator({ headers: { accept: accept ?? '*/*' } });
	return negotiator.mediaType(['application/json', 'text/html']) === 'text/html';
}
