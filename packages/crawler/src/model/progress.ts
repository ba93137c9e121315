import type { WaitReason } from './events.ts';

/** The state of a request that waits. */
export type Progress =
	| {
			readonly waiting: 'turn';
			readonly host: string;
			readonly why: WaitReason;
			/** Milliseconds between two requests to the host, where that is what it waits for. */
			readonly delay: number;
			/** Milliseconds until the request may start. */
			readonly left: number;
	  }
	| { readonly waiting: 'response'; readonly host: string; readonly url: string };
