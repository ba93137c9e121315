import type { Ending } from '../model/outcome.ts';
import type { NewUrl } from '../store/roles/frontier.ts';

/** An address that the crawler does not request. */
export interface LeftOut {
	readonly ending: Ending;
	readonly found: readonly NewUrl[];
}
