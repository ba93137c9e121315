import Negotiator from 'negotiator';

/** Whether a browser asks: HTML is wanted more than JSON. Programs that take anything get JSON. */
export function wantsHtml(accept: string | undefined): boolean {
	const negotiator = new Negotiator({ headers: { accept: accept ?? '*/*' } });
	return negotiator.mediaType(['application/json', 'text/html']) === 'text/html';
}
