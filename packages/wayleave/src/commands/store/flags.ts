import type { ChunkFlags } from '../../shared/options/chunks.ts';
import type { FieldFlags } from '../../shared/options/fields.ts';

/** Forms of a difference. */
export const diffFormats = ['text', 'json', 'markdown', 'html'] as const;
export type DiffFormat = (typeof diffFormats)[number];

export interface StoreFlags {
	store?: string;
	json?: boolean;
}

export interface ExportFlags extends StoreFlags, ChunkFlags, FieldFlags {
	out?: string[];
	roll?: number;
	use?: string[];
	category?: string;
	operatorMarket?: string;
	outcomes?: boolean;
}

export interface StoreUiFlags extends StoreFlags {
	port?: number;
}

export interface PruneFlags extends StoreFlags {
	olderThan?: number;
	gone?: boolean;
	objects?: boolean;
	grace?: number;
	dryRun?: boolean;
}

export interface ForgetFlags extends StoreFlags {
	undo?: boolean;
}

export interface DiffFlags extends StoreFlags {
	since?: string;
	format?: DiffFormat;
}

export interface FeedFlags {
	store?: string;
	out?: string;
	limit?: number;
}

export interface NoticeFlags extends StoreFlags {
	retry?: boolean;
}
