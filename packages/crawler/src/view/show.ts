import { present } from '@wayleave/protocols';
import { explainReason, type Outcome, type Reason } from '../model/outcome.ts';
import type { UrlSummary } from '../store/roles/frontier.ts';
import type { ShownEnding, ShownUrl } from './api.ts';

/** An ending with the sentence for its reason. */
export function endingOf(outcome: Outcome | undefined, reason: Reason | undefined): ShownEnding {
	return {
		...(outcome !== undefined && { outcome }),
		...(reason !== undefined && { reason, why: explainReason(reason) }),
	};
}

export function showUrl({ url, kind, depth, outcome, reason, status, at }: UrlSummary): ShownUrl {
	return {
		...{ url, kind, depth, ...endingOf(outcome, reason) },
		...present({ status, at }),
	};
}
