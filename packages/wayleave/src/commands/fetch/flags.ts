import type { AgentFlags } from '../../shared/options/agent.ts';
import type { ChunkFlags } from '../../shared/options/chunks.ts';
import type { FavorFlags } from '../../shared/options/favor.ts';
import type { FieldFlags } from '../../shared/options/fields.ts';
import type { RenderFlags } from '../../shared/options/render.ts';
import type { DocumentFormat } from '../../shared/output/formats.ts';

export interface FetchFlags extends AgentFlags, RenderFlags, FavorFlags, ChunkFlags, FieldFlags {
	format: DocumentFormat;
	forceRefresh?: boolean;
	store?: string;
	economics: boolean;
	json?: boolean;
}
