export interface ConformanceFlags {
	side?: string;
	from?: string;
	json?: boolean;
}
