import type { Evidence } from '@wayleave/protocols';
import type { Ending } from '../model/outcome.ts';
import type { Result } from '../model/result.ts';
import type { NewUrl } from '../store/roles/frontier.ts';
import type { Content } from '../store/roles/pages.ts';
import type { Signature } from './page-signature.ts';

/** Result of processing the last response of a visit. */
export interface ProcessedResponse {
	readonly ending: Ending;
	readonly evidence?: readonly Evidence[];
	readonly content?: Content;
	readonly found?: readonly NewUrl[];
	/** The result that the caller and the sinks receive. */
	readonly emitted?: Pick<Result, 'document' | 'page' | 'policy' | 'representation'>;
	/** The page's text, if it was read, for comparison with other pages. */
	readonly signature?: Signature;
	/** Whether the site lets nothing of the content outlive this process. */
	readonly secret?: boolean;
}
