import type { AgentCategory } from '@wayleave/protocols/identity';

/** Who we say we are (AIWebIndex 2.0 §3). It names the implementation, never the person who uses it. */
export interface Identity {
	/** An RFC 9110 token. Default `Wayleave`. */
	readonly botName?: string;
	/**
	 * How sites reach the operator: the page about the crawler, or `mailto:ADDRESS`. Without one that reaches somebody,
	 * only loopback and `ownSites` are asked, and nothing else is looked up.
	 */
	readonly botUrl?: string;
	/** Default: the version of this package. */
	readonly version?: string;
	/** Default `ai-assistant`. */
	readonly category?: AgentCategory | (string & {});
	/** The market of the operator, for `compete` of robots2.txt (AMB-52). */
	readonly operatorMarket?: string;
	/** A private Ed25519 key, PEM or JSON Web Key: every request is signed with it (Web Bot Auth). */
	readonly signingKey?: string;
	/** The https origin whose key directory has the public half; sent as `Signature-Agent`. */
	readonly keyDirectory?: string;
}
