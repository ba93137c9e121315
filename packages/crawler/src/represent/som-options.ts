/** Options for SOM endpoints beyond the cautious default. */
export interface SomOptions {
	/** Endpoints without TLS, on other machines too. Default false. */
	readonly allowHttp?: boolean;
	/** Endpoints on other domains without proof that the site means them. Default false. */
	readonly allowForeign?: boolean;
	/** Documents without signature are refused. Default false; wrong signatures always are. */
	readonly requireSignature?: boolean;
}
