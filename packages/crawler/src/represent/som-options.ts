/** What is accepted of the SOM endpoints of sites beyond the cautious default. */
export interface SomOptions {
	/** Endpoints without TLS, on other machines too. Default false. */
	readonly allowHttp?: boolean;
	/** Endpoints on other domains without proof that the site means them (AMB-76). Default false. */
	readonly allowForeign?: boolean;
	/** Documents without signature are refused (AMB-77). Default false; wrong signatures always are. */
	readonly requireSignature?: boolean;
}
