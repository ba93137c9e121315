export interface AgentsFlags {
	category?: string;
	json?: boolean;
}

export interface ExplainFlags {
	ip?: string;
	identity?: string;
	config?: string;
	path: string;
	json?: boolean;
}
