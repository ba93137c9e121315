import type { AgentCategory } from '@wayleave/protocols/identity';

/** Our identity (AIWebIndex 2.0 §3). It names the implementation, never its user. */
export interface Identity {
	/** An RFC 9110 token. Default `Wayleave`. */
	readonly botName?: string;
	/**
	 * How sites reach the operator: the page about the crawler, or `mailto:ADDRESS`. Without one that works, the crawler
	 * requests only loopback hosts and `ownSites`, and looks up no other name.
	 */
	readonly botUrl?: string;
	/** Default: the version of this package. */
	readonly version?: string;
	/** Default `ai-assistant`. */
	readonly category?: AgentCategory | (string & {});
	/** The market of the operator, for `compete` of robots2.txt. */
	readonly operatorMarket?: string;
	/** A private Ed25519 key, PEM or JSON Web Key: every request is signed with it (Web Bot Auth). */
	readonly signingKey?: string;
	/** The https origin whose key directory has the public half; sent as `Signature-Agent`. */
	readonly keyDirectory?: string;
}
