import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { DecisionMessage } from '@wayleave/crawler';
import type { FetchFailure, RequestMessage } from '@wayleave/io/http';
import { oneLine, placeOf } from '@wayleave/protocols/text';

/** Failures in which no host has responded. */
const unanswered: ReadonlySet<string> = new Set<FetchFailure>([
	'dns-not-found',
	'dns-failed',
	'connect-failed',
	'connect-timeout',
	'tls-failed',
	'headers-timeout',
	'total-timeout',
	'connection-reset',
]);

/** Whether hosts were asked, and not one has answered. */
export interface ResponseWatch {
	hadNoResponse(): boolean;
	stop(): void;
}

export function watchResponses(): ResponseWatch {
	let [asked, answered] = [false, false];
	const onRequest = (message: unknown) => {
		const { status, reason } = message as RequestMessage;
		if (status !== undefined) answered = true;
		else if (reason !== undefined && unanswered.has(reason)) asked = true;
	};
	subscribe(requestChannel, onRequest);
	return { hadNoResponse: () => asked && !answered, stop: () => unsubscribe(requestChannel, onRequest) };
}

/** Names of the channels, as `@wayleave/io` and `@wayleave/crawler` have them; neither is loaded for this. */
const requestChannel = 'wayleave:request';
const decisionChannel = 'wayleave:decision';

/** Writes a line for each request and each decision until the returned function is called. */
export function tellRequests(write: (line: string) => void): () => void {
	const onRequest = (message: unknown) => write(`${oneLine(requestText(message as RequestMessage))}\n`);
	const onDecision = (message: unknown) => write(`${oneLine(decisionText(message as DecisionMessage))}\n`);
	subscribe(requestChannel, onRequest);
	subscribe(decisionChannel, onDecision);
	return () => {
		unsubscribe(requestChannel, onRequest);
		unsubscribe(decisionChannel, onDecision);
	};
}

/** `GET https://example.com/ → 200, 1,256 bytes, 35 ms` */
function requestText({ method, url, status, bytes, reason, detail, milliseconds }: RequestMessage): string {
	const outcome =
		status === undefined
			? `no response: ${reason}${detail === undefined ? '' : `, ${detail}`}`
			: `${status}${bytes === undefined ? '' : `, ${bytes.toLocaleString('en')} bytes`}`;
	return `${method} ${url} → ${outcome}, ${Math.round(milliseconds)} ms`;
}

/** `refused https://example.com/private: robots-disallow, https://example.com/robots.txt:2  Disallow: /private` */
function decisionText({ url, permitted, reason, detail, evidence }: DecisionMessage): string {
	if (permitted) return `permitted ${url}`;
	const lines = evidence.slice(0, 1).map((line) => `${placeOf(line)}  ${line.text.trim()}`);
	const why = [reason, ...lines, ...(lines.length === 0 && detail !== undefined ? [detail] : [])];
	return `not permitted ${url}: ${why.filter((each) => each !== undefined).join(', ')}`;
}
