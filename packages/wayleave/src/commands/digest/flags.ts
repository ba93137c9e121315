export interface BuildFlags {
	origin: string;
	state: string;
	out?: string;
	published?: string;
	prefix?: string[];
	cleanUrls?: boolean;
	json?: boolean;
}
